// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "ir/core/diagnostic.h"
#include "ir/core/type.h"
#include "ir/text/lexer.h"

namespace spirea::kir {

/// Thrown and caught within the parser; parse() turns it into a Result.
struct ParseError {
  Diagnostic diagnostic;
};

/// One token of lookahead, and the small productions that both halves of the parser use.
class ParserBase {
 public:
  ParserBase(std::string_view text, std::string_view file) : lexer_(text), file_(file) { take(); }

 protected:
  [[noreturn]] void fail_at(const Token& token, const std::string& message) const {
    Location place;
    place.file = file_;
    place.line = token.line;
    place.column = token.column;
    throw ParseError{Diagnostic::error(token.kind == TokenKind::Error ? token.text : message, place)};
  }
  [[noreturn]] void fail(const std::string& message) const { fail_at(token_, message); }

  Token take() {
    Token old = std::move(token_);
    token_ = lexer_.next();
    return old;
  }
  bool at(TokenKind kind) const { return token_.kind == kind; }
  bool at_word(std::string_view word) const { return at(TokenKind::Word) && token_.text == word; }
  bool at_punct(char c) const { return at(TokenKind::Punct) && token_.text[0] == c; }

  Token expect(TokenKind kind, const char* what) {
    if (!at(kind)) fail(std::string("expected ") + what);
    return take();
  }
  void expect_punct(char c) {
    if (!at_punct(c)) fail(std::string("expected '") + c + "'");
    take();
  }
  void expect_word(std::string_view word) {
    if (!at_word(word)) fail("expected '" + std::string(word) + "'");
    take();
  }
  bool accept_word(std::string_view word) {
    if (!at_word(word)) return false;
    take();
    return true;
  }
  bool accept_punct(char c) {
    if (!at_punct(c)) return false;
    take();
    return true;
  }

  template <class T>
  T parse_number(const Token& token, std::string_view digits, int base) const {
    T value{};
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (status != std::errc() || end != digits.data() + digits.size())
      fail_at(token, "number is malformed or out of range");
    return value;
  }
  /// Decimal, or hexadecimal after 0x.
  template <class T>
  T integer() {
    const Token token = expect(TokenKind::Number, "a number");
    if (token.text.starts_with("0x"))
      return parse_number<T>(token, std::string_view(token.text).substr(2), 16);
    return parse_number<T>(token, token.text, 10);
  }

  std::string string() { return expect(TokenKind::String, "a string").text; }

  Type type() {
    const Token token = expect(TokenKind::Word, "a type");
    const auto result = parse_type(token.text);
    if (!result) fail_at(token, "unknown type '" + token.text + "'");
    return *result;
  }

  Token token_;

 private:
  Lexer lexer_;
  std::string file_;
};

}  // namespace spirea::kir
