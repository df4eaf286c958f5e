// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/run/values.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>

#include "compiler/files.h"

namespace spirea::compiler {
namespace {

using kir::Diagnostic;
using kir::Result;

struct ElementInfo {
  std::string_view name;
  std::size_t size;
};
/// In the order of Element.
constexpr ElementInfo kElements[] = {{"u8", 1},  {"i8", 1},  {"u16", 2}, {"i16", 2}, {"u32", 4},
                                     {"i32", 4}, {"u64", 8}, {"i64", 8}, {"f32", 4}, {"f64", 8}};

struct CppType {
  std::string_view name;
  Element element;
};
constexpr CppType kCppTypes[] = {
    {"bool", Element::U8},
    {"char", Element::I8},
    {"signed char", Element::I8},
    {"unsigned char", Element::U8},
    {"short", Element::I16},
    {"unsigned short", Element::U16},
    {"int", Element::I32},
    {"unsigned int", Element::U32},
    {"unsigned", Element::U32},
    {"long", Element::I64},
    {"unsigned long", Element::U64},
    {"long long", Element::I64},
    {"unsigned long long", Element::U64},
    {"float", Element::F32},
    {"double", Element::F64},
    {"std::byte", Element::U8},
    {"int8_t", Element::I8},
    {"uint8_t", Element::U8},
    {"int16_t", Element::I16},
    {"uint16_t", Element::U16},
    {"int32_t", Element::I32},
    {"uint32_t", Element::U32},
    {"int64_t", Element::I64},
    {"uint64_t", Element::U64},
    {"size_t", Element::U64},
    {"ptrdiff_t", Element::I64},
};

/// Calls f with a value of the element's C++ type.
template <class F>
auto with_type(Element element, F f) {
  switch (element) {
    case Element::U8: return f(std::uint8_t{});
    case Element::I8: return f(std::int8_t{});
    case Element::U16: return f(std::uint16_t{});
    case Element::I16: return f(std::int16_t{});
    case Element::U32: return f(std::uint32_t{});
    case Element::I32: return f(std::int32_t{});
    case Element::U64: return f(std::uint64_t{});
    case Element::I64: return f(std::int64_t{});
    case Element::F32: return f(float{});
    case Element::F64: return f(double{});
  }
  return f(std::uint8_t{});
}

template <class T>
void append(Bytes& bytes, T value) {
  const std::size_t end = bytes.size();
  bytes.resize(end + sizeof value);
  std::memcpy(bytes.data() + end, &value, sizeof value);
}

Diagnostic bad(const abi::Param& param, const std::string& text, const std::string& why) {
  return Diagnostic::error("argument '" + param.name + "' of type '" + param.type + "': '" + text + "' " +
                           why);
}

/// Exactly one number of the type; integers in decimal or, after 0x, in hexadecimal.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  int base = 10;
  if constexpr (std::is_integral_v<T>) {
    if (text == "true" || text == "false") return static_cast<T>(text == "true");
    if (text.starts_with("0x")) text.remove_prefix(2), base = 16;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  } else {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  }
  return value;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Result<Bytes> parse_list(const abi::Param& param, std::string text, Element element) {
  if (text.ends_with(',')) text.pop_back();
  Bytes bytes;
  for (const std::string& item : split(text, ',')) {
    const bool good = with_type(element, [&](auto type) {
      const auto value = parse_number<decltype(type)>(item);
      if (value) append(bytes, *value);
      return value.has_value();
    });
    if (!good) return bad(param, item, "is not a number of type " + std::string(name_of(element)));
  }
  return bytes;
}

Bytes counting(Element element, std::uint64_t count) {
  Bytes bytes;
  with_type(element, [&](auto type) {
    for (std::uint64_t i = 0; i < count; ++i) append(bytes, static_cast<decltype(type)>(i));
  });
  return bytes;
}

/// The same values in every run.
Bytes random(Element element, std::uint64_t count) {
  std::mt19937_64 generator(1);
  Bytes bytes;
  with_type(element, [&](auto type) {
    using T = decltype(type);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t bits = generator();
      if constexpr (std::is_floating_point_v<T>)
        append(bytes, static_cast<T>(static_cast<double>(bits >> 40) / 16777216.0));
      else
        append(bytes, static_cast<T>(bits));
    }
  });
  return bytes;
}

constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 32;

Result<Bytes> parse_contents(const abi::Param& param, const std::string& text,
                             std::optional<Element> element) {
  const std::vector<std::string> parts = split(text, ':');
  const bool generated = parts.size() == 2 && (parts[0] == "iota" || parts[0] == "rand");
  const bool list = text.find(',') != text.npos;
  if ((generated || list) && !element)
    return bad(param, text, "needs the type of the elements, such as f32:" + text);
  if (list) return parse_list(param, text, *element);
  const auto count = parse_number<std::uint64_t>(generated ? parts[1] : text);
  if (!count || (!generated && parts.size() != 1))
    return bad(param, text, "is none of: a count, values with commas, iota:N, rand:N, @file");
  if (*count > kMaxElements) return bad(param, text, "has too many elements");
  if (generated) return parts[0] == "iota" ? counting(*element, *count) : random(*element, *count);
  return Bytes(*count * param.element_size);
}

Result<Bytes> read_bytes(const abi::Param& param, const std::string& text, std::size_t unit) {
  auto file = read_file(text.substr(1));
  if (!file) return file.diagnostics();
  if (unit == 0 || file->size() % unit != 0)
    return bad(param, text,
               "has " + std::to_string(file->size()) + " bytes, not a multiple of " + std::to_string(unit));
  Bytes bytes(file->size());
  std::memcpy(bytes.data(), file->data(), bytes.size());
  return bytes;
}

/// Stores one scalar of a value parameter; integers may be given signed or unsigned.
bool store_leaf(const abi::Leaf& leaf, const std::string& text, Bytes& bytes) {
  const auto put = [&](const auto& value) {
    if (value) std::memcpy(bytes.data() + leaf.source_offset, &*value, sizeof *value);
    return value.has_value();
  };
  switch (leaf.scalar) {
    case abi::Scalar::I1: {
      const auto value = parse_number<std::uint8_t>(text);
      return value && *value <= 1 && put(value);
    }
    case abi::Scalar::I8:
      return put(parse_number<std::int8_t>(text)) || put(parse_number<std::uint8_t>(text));
    case abi::Scalar::I16:
      return put(parse_number<std::int16_t>(text)) || put(parse_number<std::uint16_t>(text));
    case abi::Scalar::I32:
      return put(parse_number<std::int32_t>(text)) || put(parse_number<std::uint32_t>(text));
    case abi::Scalar::Ptr:
    case abi::Scalar::I64:
      return put(parse_number<std::int64_t>(text)) || put(parse_number<std::uint64_t>(text));
    case abi::Scalar::F16: {
      const auto value = parse_number<float>(text);
      return value && put(std::optional(static_cast<_Float16>(*value)));
    }
    case abi::Scalar::F32: return put(parse_number<float>(text));
    case abi::Scalar::F64: return put(parse_number<double>(text));
  }
  return false;
}

void print_element(std::string& out, std::optional<Element> element, const std::byte* data,
                   std::size_t size) {
  char text[40] = "";
  if (element) {
    with_type(*element, [&](auto value) {
      std::memcpy(&value, data, sizeof value);
      if constexpr (std::is_floating_point_v<decltype(value)>)
        *std::to_chars(text, text + sizeof text - 1, value).ptr = 0;
      else
        std::snprintf(text, sizeof text, "%s", std::to_string(value).c_str());
    });
    out += text;
    return;
  }
  for (std::size_t i = 0; i < size; ++i) {
    std::snprintf(text, sizeof text, "%02x", static_cast<unsigned>(data[i]));
    out += text;
  }
}

}  // namespace

std::string_view name_of(Element element) { return kElements[static_cast<std::size_t>(element)].name; }
std::size_t size_of(Element element) { return kElements[static_cast<std::size_t>(element)].size; }

std::optional<Element> element_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kElements); ++i)
    if (kElements[i].name == name) return static_cast<Element>(i);
  return std::nullopt;
}

std::optional<Element> element_of_type(std::string_view cpp_type) {
  for (const std::string_view prefix : {"const ", "std::"})
    if (cpp_type.starts_with(prefix) && cpp_type != "std::byte") cpp_type.remove_prefix(prefix.size());
  const auto* found = std::ranges::find(kCppTypes, cpp_type, &CppType::name);
  return found == std::end(kCppTypes) ? std::nullopt : std::optional(found->element);
}

Result<BufferValue> parse_buffer(const abi::Param& param, const std::string& text) {
  std::optional<Element> element = element_of_type(param.element);
  std::string contents = text;
  if (const auto named = element_named(text.substr(0, text.find(':')));
      named && text.find(':') != text.npos) {
    element = named;
    contents = text.substr(text.find(':') + 1);
    if (param.element_size % size_of(*element) != 0)
      return bad(param, text, "does not fit elements of " + std::to_string(param.element_size) + " bytes");
  }
  auto bytes = contents.starts_with('@') ? read_bytes(param, contents, param.element_size)
                                         : parse_contents(param, contents, element);
  if (!bytes) return bytes.diagnostics();
  if (bytes->size() % param.element_size != 0)
    return bad(param, text,
               "does not fill whole elements of " + std::to_string(param.element_size) + " bytes");
  return BufferValue{bytes.take(), element};
}

Result<Bytes> parse_value(const abi::Param& param, const std::string& text) {
  if (text.starts_with('@')) {
    auto bytes = read_bytes(param, text, param.size);
    if (bytes && bytes->size() != param.size)
      return bad(param, text, "has not the size of the parameter, " + std::to_string(param.size) + " bytes");
    return bytes;
  }
  const std::vector<std::string> items = split(text, ',');
  if (items.size() != param.leaves.size())
    return bad(param, text,
               "has " + std::to_string(items.size()) + " values for " + std::to_string(param.leaves.size()) +
                   " scalars");
  Bytes bytes(param.size);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!store_leaf(param.leaves[i], items[i], bytes))
      return bad(param, items[i],
                 "is not a value of type " + std::string(abi::to_string(param.leaves[i].scalar)));
  return bytes;
}

std::string print_buffer(const BufferValue& value, const abi::Param& param, std::size_t limit) {
  const std::size_t size = value.element ? size_of(*value.element) : param.element_size;
  const std::size_t count = value.bytes.size() / size;
  std::string out = value.element ? std::string(name_of(*value.element)) : param.element;
  out += '[' + std::to_string(count) + "] =";
  for (std::size_t i = 0; i < std::min(count, limit); ++i) {
    out += ' ';
    print_element(out, value.element, value.bytes.data() + i * size, size);
  }
  return count > limit ? out + " ..." : out;
}

}  // namespace spirea::compiler
