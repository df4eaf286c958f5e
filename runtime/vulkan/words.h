// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading the words of a SPIR-V module ("Physical Layout of a SPIR-V Module and Instruction").
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spirea::vulkan {

using Words = std::vector<std::uint32_t>;

inline constexpr std::uint32_t kSpirvMagic = 0x07230203;
inline constexpr std::size_t kHeaderWords = 5;
inline constexpr std::size_t kBoundIndex = 3;  ///< of the header's word that all ids are less than

/// OpAtomicLoad to OpAtomicXor, and OpAtomicFAddEXT.
inline bool is_atomic(std::uint32_t opcode) { return (opcode >= 227 && opcode <= 242) || opcode == 6035; }

/// An instruction of a module, and where its first word is.
struct Instruction {
  std::span<const std::uint32_t> words;
  std::size_t at;

  std::uint32_t opcode() const { return words[0] & 0xffff; }
  std::size_t end() const { return at + words.size(); }
  /// The word at `i`, the first operand at 1; 0 behind the end, as no id and no type has.
  std::uint32_t operator[](std::size_t i) const { return i < words.size() ? words[i] : 0; }
};

/// Visits the instructions in order. False if one does not end within the module: none from there on is
/// visited.
template <class F>
bool for_each_instruction(const Words& module, F&& visit) {
  for (std::size_t at = kHeaderWords; at < module.size();) {
    const std::size_t length = module[at] >> 16;
    if (length == 0 || length > module.size() - at) return false;
    visit(Instruction{std::span(module).subspan(at, length), at});
    at += length;
  }
  return module.size() >= kHeaderWords;
}

}  // namespace spirea::vulkan
