// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch must know of a kernel. Part of the ABI between compiler and runtime: this folder includes
// nothing but the standard library, and the runtime nothing of the compiler but this folder.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spirea::abi {

/// Types of the leaves of kernel parameters.
enum class Scalar : std::uint8_t { I1, I8, I16, I32, I64, F16, F32, F64, Ptr };

/// Bytes of the scalar in the C++ parameter.
constexpr std::uint32_t source_bytes(Scalar s) {
  constexpr std::uint32_t bytes[] = {1, 1, 2, 4, 8, 2, 4, 8, 8};
  return bytes[static_cast<std::size_t>(s)];
}

/// Bytes of the scalar in the argument block: those narrower than 4 bytes take 4, zero-extended.
constexpr std::uint32_t block_bytes(Scalar s) { return source_bytes(s) < 4 ? 4 : source_bytes(s); }

/// One scalar of a parameter: an argument of the KIR kernel's body, in the same order.
struct Leaf {
  Scalar scalar = Scalar::I32;
  std::uint32_t block_offset = 0;   ///< bytes into the argument block, aligned to block_bytes()
  std::uint32_t source_offset = 0;  ///< bytes into the C++ parameter
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

enum class ParamKind : std::uint8_t {
  Buffer,  ///< std::span<T> or T*: the first leaf is the address, the second, if there is one, the element
           ///< count (i64); it comes from behind the C++ parameter if that holds none
  Value,   ///< copied: a scalar or a trivially copyable class
};

enum class Access : std::uint8_t { Read, Write, ReadWrite };

/// A parameter of the C++ kernel.
struct Param {
  std::string name;
  ParamKind kind = ParamKind::Value;
  std::string type;         ///< C++ spelling, e.g. "std::span<const float>"
  std::uint32_t size = 0;   ///< sizeof the C++ parameter
  std::uint32_t align = 1;  ///< alignof the C++ parameter
  std::string element;      ///< buffers: C++ spelling of the element type without const
  std::uint32_t element_size = 0;
  std::uint32_t element_align = 1;
  Access access = Access::ReadWrite;  ///< buffers: Read for const elements
  bool may_alias = false;             ///< buffers: [[spirea::may_alias]]
  std::vector<Leaf> leaves;
  friend bool operator==(const Param&, const Param&) = default;
};

/// A place of a kernel that tells the host something through the message buffer (ir/abi/messages.h).
enum class MessageKind : std::uint8_t {
  Print,  ///< printf
  Check,  ///< an assertion or another check that fails, which ends the launch
};

struct Message {
  MessageKind kind = MessageKind::Print;
  std::string file;
  std::uint32_t line = 0;
  std::string text;  ///< a format of printf; that of a check says what is wrong
  /// A letter for each argument, as the record or the failure holds it: `i` 32 bits, `l` 64 bits, `f` float,
  /// `d` double, `s` a string.
  std::string arguments;
  friend bool operator==(const Message&, const Message&) = default;
};

struct Manifest {
  std::string name;  ///< symbol of the kernel, the entry point's name: mangled, or plain for extern "C"
  /// typeid(spirea::detail::kernel_tag<K>).name(), by which launch<K> finds it. Several, separated by spaces,
  /// where host compilers disagree: they number the lambdas of a function differently.
  std::string key;
  std::string display;  ///< readable, e.g. "square_sin(std::span<float const>, std::span<float>)"
  std::string file;     ///< where it is defined
  std::uint32_t line = 0;
  std::optional<std::array<std::uint32_t, 3>> workgroup_size;  ///< [[spirea::workgroup_size]]
  std::optional<std::uint32_t> subgroup_size;  ///< [[spirea::subgroup_size]], a power of two up to 128
  std::uint32_t shared_bytes = 0;              ///< workgroup memory, without what a launch adds
  bool uses_dynamic_shared = false;            ///< spirea::dynamic_shared
  std::vector<Message> messages;  ///< if there are any, the last parameter is the runtime's: their buffer
  std::vector<Param> params;
  friend bool operator==(const Manifest&, const Manifest&) = default;

  /// Bytes of the argument block: the end of the last leaf, rounded up to 8.
  std::uint32_t block_size() const;
  /// The parameters that a launch has arguments for.
  std::span<const Param> arguments() const;
};

/// What a subgroup may be asked to have: a power of two up to 128, the most that Vulkan allows.
bool is_subgroup_size(std::uint64_t);

/// Gives every leaf its block_offset: leaves in order of parameters, each aligned to its block_bytes().
void assign_block_offsets(Manifest&);

/// What is wrong with the manifest, so that arguments cannot be copied as it says; empty if nothing is.
/// Leaves lie in their parameter, and in the block in order, aligned and apart; a buffer has an address and
/// perhaps a count, which alone may lie just behind the parameter.
std::string find_problem(const Manifest&);

/// Text form, one line an item; parse_manifest(to_text(m)) == m.
std::string to_text(const Manifest&);
/// The manifest, or nothing and a reason in `error`. Any input is safe.
std::optional<Manifest> parse_manifest(std::string_view text, std::string& error);

std::string_view to_string(Scalar);
std::string_view to_string(Access);
std::string_view to_string(MessageKind);
std::optional<Scalar> parse_scalar(std::string_view);
std::optional<Access> parse_access(std::string_view);
std::optional<MessageKind> parse_message_kind(std::string_view);

}  // namespace spirea::abi
