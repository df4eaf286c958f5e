// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/type.h"

#include <array>
#include <utility>

namespace spirea::kir {
namespace {

constexpr std::array<std::pair<Space, std::string_view>, 5> kSpaces{{
    {Space::Global, "global"},
    {Space::Workgroup, "workgroup"},
    {Space::Private, "private"},
    {Space::Constant, "constant"},
    {Space::Generic, "generic"},
}};

constexpr std::array<std::pair<Type, std::string_view>, 9> kScalars{{
    {Type(), "void"},
    {Type::i1(), "i1"},
    {Type::i8(), "i8"},
    {Type::i16(), "i16"},
    {Type::i32(), "i32"},
    {Type::i64(), "i64"},
    {Type::f16(), "f16"},
    {Type::f32(), "f32"},
    {Type::f64(), "f64"},
}};

}  // namespace

bool Type::is_legal() const {
  if (is_ptr()) return true;
  for (const auto& [type, name] : kScalars)
    if (type == *this) return !is_void();
  return false;
}

std::string_view to_string(Space space) {
  for (const auto& [value, name] : kSpaces)
    if (value == space) return name;
  return "?";
}

std::string to_string(Type type) {
  if (type.is_ptr()) return "ptr<" + std::string(to_string(type.space())) + ">";
  for (const auto& [value, name] : kScalars)
    if (value == type) return std::string(name);
  return (type.is_int() ? "i" : "f") + std::to_string(type.bits());
}

std::optional<Space> parse_space(std::string_view text) {
  for (const auto& [value, name] : kSpaces)
    if (name == text) return value;
  return std::nullopt;
}

std::optional<Type> parse_type(std::string_view text) {
  for (const auto& [value, name] : kScalars)
    if (name == text && !value.is_void()) return value;
  if (text.starts_with("ptr<") && text.ends_with(">")) {
    if (auto space = parse_space(text.substr(4, text.size() - 5))) return Type::ptr(*space);
  }
  return std::nullopt;
}

}  // namespace spirea::kir
