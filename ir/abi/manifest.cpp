// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/abi/manifest.h"

#include <array>
#include <bit>
#include <charconv>
#include <utility>

namespace spirea::abi {
namespace {

constexpr std::string_view kFirstLine = "spirea-manifest 1";
constexpr std::array<std::string_view, 9> kScalarNames = {"i1",  "i8",  "i16", "i32", "i64",
                                                          "f16", "f32", "f64", "ptr"};
constexpr std::array<std::string_view, 3> kAccessNames = {"read", "write", "readwrite"};
constexpr std::array<std::string_view, 2> kMessageNames = {"print", "check"};

template <class Enum>
std::optional<Enum> find_name(std::span<const std::string_view> names, std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

std::string quoted(std::string_view text) {
  std::string out = " \"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string number(std::uint32_t value) { return " " + std::to_string(value); }

/// The words of one line: plain ones end at a space, quoted ones may hold any character.
class Line {
 public:
  explicit Line(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }

  std::optional<std::string> word() {
    if (text_.starts_with(' ')) text_.remove_prefix(1);
    if (text_.empty()) return std::nullopt;
    if (text_.front() == '"') return quoted_word();
    std::string result(text_.substr(0, text_.find(' ')));
    text_.remove_prefix(result.size());
    return result;
  }

  std::optional<std::uint32_t> integer() {
    const auto text = word();
    std::uint32_t value = 0;
    if (!text) return std::nullopt;
    const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (status != std::errc() || end != text->data() + text->size()) return std::nullopt;
    return value;
  }

 private:
  std::optional<std::string> quoted_word() {
    std::string result;
    text_.remove_prefix(1);
    while (!text_.empty()) {
      char c = text_.front();
      text_.remove_prefix(1);
      if (c == '"') return result;
      if (c == '\\') {
        if (text_.empty()) return std::nullopt;
        c = text_.front() == 'n' ? '\n' : text_.front();
        text_.remove_prefix(1);
      }
      result += c;
    }
    return std::nullopt;
  }

  std::string_view text_;
};

template <class T, class Source>
bool assign(T& target, Source&& source) {
  if (!source) return false;
  target = std::move(*source);
  return true;
}

bool parse_param(Line& line, Param& param) {
  const auto kind = line.word();
  if (kind != "buffer" && kind != "value") return false;
  param.kind = kind == "buffer" ? ParamKind::Buffer : ParamKind::Value;
  if (!assign(param.name, line.word()) || !assign(param.type, line.word())) return false;
  if (!assign(param.size, line.integer()) || !assign(param.align, line.integer())) return false;
  if (param.kind == ParamKind::Value) return true;
  if (!assign(param.element, line.word()) || !assign(param.element_size, line.integer())) return false;
  if (!assign(param.element_align, line.integer())) return false;
  const auto access = line.word(), alias = line.word();
  if (!access || !assign(param.access, parse_access(*access)) || (alias != "alias" && alias != "noalias"))
    return false;
  param.may_alias = alias == "alias";
  return true;
}

bool parse_message(Line& line, Message& message) {
  const auto kind = line.word();
  return kind && assign(message.kind, parse_message_kind(*kind)) && assign(message.file, line.word()) &&
         assign(message.line, line.integer()) && assign(message.text, line.word()) &&
         assign(message.arguments, line.word());
}

bool parse_leaf(Line& line, Manifest& manifest) {
  const auto scalar = line.word();
  Leaf leaf;
  if (manifest.params.empty() || !scalar || !assign(leaf.scalar, parse_scalar(*scalar))) return false;
  if (!assign(leaf.block_offset, line.integer()) || !assign(leaf.source_offset, line.integer())) return false;
  manifest.params.back().leaves.push_back(leaf);
  return true;
}

bool parse_line(Line& line, Manifest& manifest) {
  const auto item = line.word();
  if (item == "name") return assign(manifest.name, line.word());
  if (item == "key") return assign(manifest.key, line.word());
  if (item == "display") return assign(manifest.display, line.word());
  if (item == "file") return assign(manifest.file, line.word()) && assign(manifest.line, line.integer());
  if (item == "workgroup") {
    manifest.workgroup_size.emplace();
    for (std::uint32_t& size : *manifest.workgroup_size)
      if (!assign(size, line.integer()) || size == 0) return false;
    return true;
  }
  if (item == "subgroup") return assign(manifest.subgroup_size.emplace(), line.integer());
  if (item == "shared") return assign(manifest.shared_bytes, line.integer());
  if (item == "dynamic_shared") return manifest.uses_dynamic_shared = true;
  if (item == "message") return parse_message(line, manifest.messages.emplace_back());
  if (item == "param") return parse_param(line, manifest.params.emplace_back());
  if (item == "leaf") return parse_leaf(line, manifest);
  return false;
}

constexpr std::uint32_t kMaxBytes = 1u << 20;

/// The count of a buffer whose C++ parameter holds an address alone.
bool is_added_count(const Param& param, const Leaf& leaf) {
  return param.kind == ParamKind::Buffer && param.leaves.size() == 2 && &leaf == &param.leaves[1] &&
         leaf.source_offset == param.size;
}

std::string leaf_problem(const Param& param, const Leaf& leaf, std::uint32_t& block_end) {
  if (std::uint64_t{leaf.source_offset} + source_bytes(leaf.scalar) > param.size &&
      !is_added_count(param, leaf))
    return "has a leaf outside of it";
  if (leaf.block_offset > kMaxBytes || leaf.block_offset % block_bytes(leaf.scalar) != 0 ||
      leaf.block_offset < block_end)
    return "has a leaf at an offset of the argument block that is out of order or not aligned";
  block_end = leaf.block_offset + block_bytes(leaf.scalar);
  return {};
}

std::string buffer_problem(const Param& param) {
  if (param.element_size == 0) return "has elements without a size";
  if (param.element_align == 0) return "has elements without an alignment";
  const bool has_address = !param.leaves.empty() && param.leaves[0].scalar == Scalar::Ptr;
  const bool has_count = param.leaves.size() == 2 && param.leaves[1].scalar == Scalar::I64;
  if (!has_address || (param.leaves.size() > 1 && !has_count)) return "is a buffer of unknown leaves";
  return {};
}

std::string param_problem(const Param& param, std::uint32_t& block_end) {
  if (param.size > kMaxBytes) return "is too large";
  if (param.align == 0 || (param.align & (param.align - 1)) != 0)
    return "has an alignment that is no power of two";
  for (const Leaf& leaf : param.leaves)
    if (auto problem = leaf_problem(param, leaf, block_end); !problem.empty()) return problem;
  return param.kind == ParamKind::Buffer ? buffer_problem(param) : std::string();
}

std::string message_problem(const Manifest& manifest) {
  if (manifest.messages.empty()) return {};
  if (manifest.params.empty() || manifest.params.back().kind != ParamKind::Buffer ||
      manifest.params.back().leaves.size() != 1)
    return "there are messages, but no parameter for their buffer";
  for (const Message& message : manifest.messages)
    if (message.arguments.find_first_not_of("ilfds") != std::string::npos)
      return "a message has arguments of an unknown kind";
  return {};
}

}  // namespace

std::string_view to_string(Scalar scalar) { return kScalarNames[static_cast<std::size_t>(scalar)]; }
std::string_view to_string(Access access) { return kAccessNames[static_cast<std::size_t>(access)]; }

std::string_view to_string(MessageKind kind) { return kMessageNames[static_cast<std::size_t>(kind)]; }

std::optional<MessageKind> parse_message_kind(std::string_view text) {
  return find_name<MessageKind>(kMessageNames, text);
}

std::optional<Scalar> parse_scalar(std::string_view text) { return find_name<Scalar>(kScalarNames, text); }

std::optional<Access> parse_access(std::string_view text) { return find_name<Access>(kAccessNames, text); }

std::uint32_t Manifest::block_size() const {
  std::uint32_t end = 0;
  for (const Param& param : params)
    for (const Leaf& leaf : param.leaves) {
      const std::uint32_t leaf_end = leaf.block_offset + block_bytes(leaf.scalar);
      if (leaf_end > end) end = leaf_end;
    }
  return (end + 7) / 8 * 8;
}

std::span<const Param> Manifest::arguments() const {
  return std::span(params).first(params.size() - (messages.empty() || params.empty() ? 0 : 1));
}

bool is_subgroup_size(std::uint64_t size) { return std::has_single_bit(size) && size <= 128; }

std::string find_problem(const Manifest& manifest) {
  if (manifest.name.empty()) return "the kernel has no name";
  if (const auto& size = manifest.workgroup_size)
    if ((*size)[0] == 0 || (*size)[1] == 0 || (*size)[2] == 0) return "the workgroup size is zero";
  if (const auto size = manifest.subgroup_size; size && !is_subgroup_size(*size))
    return "the subgroup size is no power of two up to 128";
  std::uint32_t block_end = 0;
  for (const Param& param : manifest.params)
    if (auto problem = param_problem(param, block_end); !problem.empty())
      return "parameter '" + param.name + "' " + problem;
  return message_problem(manifest);
}

void assign_block_offsets(Manifest& manifest) {
  std::uint32_t offset = 0;
  for (Param& param : manifest.params)
    for (Leaf& leaf : param.leaves) {
      const std::uint32_t bytes = block_bytes(leaf.scalar);
      offset = (offset + bytes - 1) / bytes * bytes;
      leaf.block_offset = offset;
      offset += bytes;
    }
}

std::string to_text(const Manifest& manifest) {
  std::string out = std::string(kFirstLine) + "\nname" + quoted(manifest.name) + "\nkey" +
                    quoted(manifest.key) + "\ndisplay" + quoted(manifest.display) + "\nfile" +
                    quoted(manifest.file) + number(manifest.line);
  if (const auto& size = manifest.workgroup_size)
    out += "\nworkgroup" + number((*size)[0]) + number((*size)[1]) + number((*size)[2]);
  if (manifest.subgroup_size) out += "\nsubgroup" + number(*manifest.subgroup_size);
  if (manifest.shared_bytes != 0) out += "\nshared" + number(manifest.shared_bytes);
  if (manifest.uses_dynamic_shared) out += "\ndynamic_shared";
  for (const Message& message : manifest.messages)
    out += "\nmessage " + std::string(to_string(message.kind)) + quoted(message.file) + number(message.line) +
           quoted(message.text) + quoted(message.arguments);
  for (const Param& param : manifest.params) {
    const bool buffer = param.kind == ParamKind::Buffer;
    out += buffer ? "\nparam buffer" : "\nparam value";
    out += quoted(param.name) + quoted(param.type) + number(param.size) + number(param.align);
    if (buffer) {
      out += quoted(param.element) + number(param.element_size) + number(param.element_align);
      out += " " + std::string(to_string(param.access)) + (param.may_alias ? " alias" : " noalias");
    }
    for (const Leaf& leaf : param.leaves)
      out += "\nleaf " + std::string(to_string(leaf.scalar)) + number(leaf.block_offset) +
             number(leaf.source_offset);
  }
  return out + "\n";
}

std::optional<Manifest> parse_manifest(std::string_view text, std::string& error) {
  Manifest manifest;
  const auto fail = [&](std::size_t line, const char* reason) {
    error = "manifest line " + std::to_string(line) + ": " + reason;
    return std::nullopt;
  };
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view current = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), current.size() + 1));
    if (number == 1) {
      if (current != kFirstLine) return fail(number, "not a manifest of this version");
      continue;
    }
    Line line(current);
    if (!parse_line(line, manifest) || !line.at_end()) return fail(number, "malformed");
  }
  error = find_problem(manifest);
  if (!error.empty()) return std::nullopt;
  return manifest;
}

}  // namespace spirea::abi
