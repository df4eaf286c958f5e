// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/transform/fold.h"

namespace spirea::kir {

std::optional<std::uint64_t> fold(const Op& op, std::span<const std::uint64_t> operands) {
  if (operands.empty() || operands.size() != op.num_operands() || op.num_results() != 1) return std::nullopt;
  if (op.is(Opcode::Freeze)) return operands[0];
  if (op.is(Opcode::Select)) return operands[0] != 0 ? operands[1] : operands[2];
  const auto result =
      op.operand(0)->type().is_float() ? fold_float(op, operands) : fold_integer(op, operands);
  if (!result) return std::nullopt;
  return low_bits(*result, op.result()->type().bits());
}

}  // namespace spirea::kir
