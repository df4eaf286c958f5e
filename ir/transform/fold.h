// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ir/core/op.h"

namespace spirea::kir {

/// The op's result for these operand bits, one for each operand. Nothing where the op is not pure arithmetic,
/// where the result is undefined or poison, a NaN that arithmetic makes (targets differ in its bits), or
/// where only the target's library knows the value (sin, pow).
std::optional<std::uint64_t> fold(const Op&, std::span<const std::uint64_t> operands);

/// The two halves of fold(), by the type of the first operand.
std::optional<std::uint64_t> fold_integer(const Op&, std::span<const std::uint64_t> operands);
std::optional<std::uint64_t> fold_float(const Op&, std::span<const std::uint64_t> operands);

/// The low `bits` bits.
constexpr std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
/// The value of the low `bits` bits as a signed number.
constexpr std::int64_t sign_extend(std::uint64_t value, unsigned bits) {
  const unsigned shift = 64 - bits;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

}  // namespace spirea::kir
