// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/lexer.h"

#include <algorithm>

namespace spirea::kir {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_char(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '$' || c == '-'; }
bool is_word_char(char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '<' || c == '>'; }
bool is_number_char(char c) { return is_digit(c) || is_letter(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

void Lexer::advance() {
  if (text_[at_] == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  ++at_;
}

void Lexer::skip_space() {
  while (at_ < text_.size()) {
    if (peek() == ';') {
      while (at_ < text_.size() && peek() != '\n') advance();
    } else if (is_space(peek())) {
      advance();
    } else {
      return;
    }
  }
}

std::string Lexer::take_while(bool (*accept)(char)) {
  std::string result;
  while (at_ < text_.size() && accept(peek())) {
    result += peek();
    advance();
  }
  return result;
}

Token Lexer::string(Token token) {
  token.kind = TokenKind::String;
  const auto fail = [&](const char* message) {
    token.kind = TokenKind::Error;
    token.text = message;
    return token;
  };
  advance();
  for (;;) {
    if (at_ >= text_.size() || peek() == '\n') return fail("unterminated string");
    const char c = peek();
    advance();
    if (c == '"') return token;
    if (c != '\\') {
      token.text += c;
      continue;
    }
    const char escape = peek();
    if (at_ >= text_.size()) return fail("unterminated string");
    advance();
    if (escape == 'n') {
      token.text += '\n';
    } else if (escape == '"' || escape == '\\') {
      token.text += escape;
    } else if (escape == 'x' && hex_value(peek()) >= 0 && hex_value(peek(1)) >= 0) {
      token.text += static_cast<char>(hex_value(peek()) * 16 + hex_value(peek(1)));
      advance();
      advance();
    } else {
      return fail("unknown escape in string");
    }
  }
}

Token Lexer::name(Token token, TokenKind kind) {
  advance();
  if (peek() == '"') {
    token = string(token);
    if (token.kind == TokenKind::String) token.kind = kind;
    return token;
  }
  token.kind = kind;
  token.text = take_while(is_name_char);
  if (token.text.empty()) {
    token.kind = TokenKind::Error;
    token.text = "expected a name";
  }
  return token;
}

Token Lexer::next() {
  skip_space();
  Token token{TokenKind::End, "", line_, column_};
  if (at_ >= text_.size()) return token;
  const char c = peek();
  if (c == '"') return string(token);
  if (c == '%') return name(token, TokenKind::Value);
  if (c == '@') return name(token, TokenKind::Symbol);
  if (c == '!') {
    token = name(token, TokenKind::Location);
    return token;
  }
  if (is_digit(c) || (c == '-' && is_digit(peek(1)))) {
    token.kind = TokenKind::Number;
    token.text = c;
    advance();
    token.text += take_while(is_number_char);
    return token;
  }
  if (is_letter(c)) {
    token.kind = TokenKind::Word;
    token.text = take_while(is_word_char);
    return token;
  }
  if (std::string_view("(){},:=").find(c) != std::string_view::npos) {
    token.kind = TokenKind::Punct;
    token.text = c;
    advance();
    return token;
  }
  token.kind = TokenKind::Error;
  token.text = "unexpected character";
  advance();
  return token;
}

bool is_plain_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_name_char);
}

std::string quote(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += "\\x";
      result += digits[byte >> 4];
      result += digits[byte & 15];
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace spirea::kir
