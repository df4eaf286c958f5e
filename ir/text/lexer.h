// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spirea::kir {

enum class TokenKind : std::uint8_t {
  End,
  Word,      ///< letters, digits, '_', '.', '<', '>' : mnemonics, keywords, types
  Number,    ///< decimal or 0x, optionally with '-'
  String,    ///< text holds the unescaped contents
  Value,     ///< %name
  Symbol,    ///< @name
  Location,  ///< !N
  Punct,     ///< one of ( ) { } , : =
  Error,     ///< text holds the message
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

/// Splits KIR text into tokens. Never reads outside of the text; what cannot be a token becomes an Error
/// token.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}
  Token next();

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void advance();
  void skip_space();
  Token string(Token token);
  Token name(Token token, TokenKind kind);
  std::string take_while(bool (*accept)(char));

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
};

/// True for names that need no quotes.
bool is_plain_name(std::string_view);
/// The string in quotes, with escapes.
std::string quote(std::string_view);

}  // namespace spirea::kir
