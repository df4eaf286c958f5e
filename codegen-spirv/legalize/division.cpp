// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64-bit division in 32 bits where both operands have no more, which is the common case (an index modulo a
// size) and many times faster on GPUs. It also keeps the quotients of NVIDIA's driver 580 apart: of two loads
// whose addresses depend on one 64-bit division each, it drops the second and uses the first.
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "codegen-spirv/legalize/legalize.h"
#include "ir/core/builder.h"

namespace spirea::spirv {
namespace {

using kir::Op;
using kir::Opcode;
using kir::Type;
using kir::Value;

struct Division {
  bool is_signed, is_remainder;
};

std::optional<Division> division(const Op& op) {
  switch (op.opcode()) {
    case Opcode::UDiv: return Division{false, false};
    case Opcode::URem: return Division{false, true};
    case Opcode::SDiv: return Division{true, false};
    case Opcode::SRem: return Division{true, true};
    default: return std::nullopt;
  }
}

/// In the arm for numbers that need more than 32 bits, as unsigned_quotient() makes it.
bool is_wide_arm(const Op& op) {
  const Op* choice = op.parent_op();
  if (choice == nullptr || !choice->is(Opcode::If) || op.parent() != &choice->region(1)) return false;
  const Op* fits = choice->operand(0)->def();
  const Op* either = fits != nullptr && fits->is(Opcode::ULt) ? fits->operand(0)->def() : nullptr;
  return either != nullptr && either->is(Opcode::Or) && either->operand(0) == op.operand(0) &&
         either->operand(1) == op.operand(1);
}

class DivisionLegalizer {
 public:
  void run(Op& op, Division kind) {
    kir::Builder b(&op);
    b.set_location(op.location);
    Value *x = op.operand(0), *y = op.operand(1);
    Value* result = quotient(b, x, y, kind.is_signed);
    if (kind.is_remainder) result = b.binary(Opcode::Sub, x, b.binary(Opcode::Mul, result, y));
    op.result()->replace_all_uses_with(result);
    op.erase();
  }

 private:
  /// One for both the division and the remainder of the same numbers in one region.
  Value* quotient(kir::Builder& b, Value* x, Value* y, bool is_signed) {
    Value*& known = quotients_[{&b.region(), x, y, is_signed}];
    if (known == nullptr) known = is_signed ? signed_quotient(b, x, y) : unsigned_quotient(b, x, y);
    return known;
  }

  static Value* unsigned_quotient(kir::Builder& b, Value* x, Value* y) {
    Value* either = b.binary(Opcode::Or, x, y);
    Value* fits = b.compare(Opcode::ULt, either, b.i64(std::uint64_t{1} << 32));
    const Type type = Type::i64();
    Op* choice = b.if_op(fits, {&type, 1});
    kir::Builder narrow(choice->region(0)), wide(choice->region(1));
    narrow.set_location(b.location());
    wide.set_location(b.location());
    Value* x_low = narrow.convert(Opcode::Trunc, x, Type::i32());
    Value* y_low = narrow.convert(Opcode::Trunc, y, Type::i32());
    Value* low = narrow.convert(Opcode::ZExt, narrow.binary(Opcode::UDiv, x_low, y_low), type);
    narrow.break_to(choice, {&low, 1});
    Value* full = wide.binary(Opcode::UDiv, x, y);
    wide.break_to(choice, {&full, 1});
    return choice->result();
  }

  static Value* signed_quotient(kir::Builder& b, Value* x, Value* y) {
    Value* magnitude_x = b.unary(Opcode::IAbs, x);
    Value* magnitude_y = b.unary(Opcode::IAbs, y);
    Value* magnitude = unsigned_quotient(b, magnitude_x, magnitude_y);
    Value* differ = b.compare(Opcode::SLt, b.binary(Opcode::Xor, x, y), b.i64(0));
    return b.select(differ, b.binary(Opcode::Sub, b.i64(0), magnitude), magnitude);
  }

  std::map<std::tuple<const kir::Region*, Value*, Value*, bool>, Value*> quotients_;
};

}  // namespace

kir::Result<bool> legalize_division(kir::Module& module) {
  bool changed = false;
  for (const auto& kernel : module.kernels) {
    std::vector<Op*> ops;
    kir::walk(kernel->body, [&](Op& op) {
      // Drivers make multiplications of constant divisors.
      if (division(op) && op.result()->type() == Type::i64() && !kir::literal(op.operand(1)) &&
          !is_wide_arm(op))
        ops.push_back(&op);
    });
    DivisionLegalizer legalizer;
    for (Op* op : ops) legalizer.run(*op, *division(*op));
    changed |= !ops.empty();
  }
  return changed;
}

}  // namespace spirea::spirv
