// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folding of ops whose operands are integers or null pointers.
#include <algorithm>
#include <array>
#include <bit>

#include "ir/transform/fold.h"

namespace spirea::kir {
namespace {

using Bits = std::optional<std::uint64_t>;

/// The operands, zero-extended, and their width.
struct Args {
  std::uint64_t a;
  std::uint64_t b;
  unsigned bits;
  Type result;

  std::int64_t sa() const { return sign_extend(a, bits); }
  std::int64_t sb() const { return sign_extend(b, bits); }
  bool overflows_division() const {
    return sb() == -1 && a == low_bits(std::uint64_t{1} << (bits - 1), bits);
  }
};

std::uint64_t unsigned_bits(std::int64_t value) { return static_cast<std::uint64_t>(value); }

std::uint64_t reverse_bits(std::uint64_t value, unsigned bits) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i) result = result << 1 | (value >> i & 1);
  return result;
}

std::uint64_t reverse_bytes(std::uint64_t value, unsigned bits) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; i += 8) result = result << 8 | (value >> i & 0xff);
  return result;
}

Bits from_double(double value, Type type) {
  if (type == Type::f64()) return std::bit_cast<std::uint64_t>(value);
  return std::nullopt;
}

/// Converts straight to the result's type: through double it would be rounded twice.
template <class Int>
Bits int_to_float(Int value, Type type) {
  if (type == Type::f32()) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return from_double(static_cast<double>(value), type);
}

Bits same_width_float(const Args& x) {
  if (x.result.is_float()) return x.a;
  return std::nullopt;
}

struct Row {
  Opcode opcode;
  Bits (*fold)(const Args&);
};

constexpr Row kRows[] = {
    {Opcode::Add, [](const Args& x) -> Bits { return x.a + x.b; }},
    {Opcode::Sub, [](const Args& x) -> Bits { return x.a - x.b; }},
    {Opcode::Mul, [](const Args& x) -> Bits { return x.a * x.b; }},
    {Opcode::UDiv, [](const Args& x) -> Bits { return x.b == 0 ? Bits() : x.a / x.b; }},
    {Opcode::URem, [](const Args& x) -> Bits { return x.b == 0 ? Bits() : x.a % x.b; }},
    {Opcode::SDiv,
     [](const Args& x) -> Bits {
       return x.b == 0 || x.overflows_division() ? Bits() : unsigned_bits(x.sa() / x.sb());
     }},
    {Opcode::SRem,
     [](const Args& x) -> Bits {
       return x.b == 0 || x.overflows_division() ? Bits() : unsigned_bits(x.sa() % x.sb());
     }},
    {Opcode::And, [](const Args& x) -> Bits { return x.a & x.b; }},
    {Opcode::Or, [](const Args& x) -> Bits { return x.a | x.b; }},
    {Opcode::Xor, [](const Args& x) -> Bits { return x.a ^ x.b; }},
    {Opcode::Shl, [](const Args& x) -> Bits { return x.b >= x.bits ? Bits() : x.a << x.b; }},
    {Opcode::LShr, [](const Args& x) -> Bits { return x.b >= x.bits ? Bits() : x.a >> x.b; }},
    {Opcode::AShr,
     [](const Args& x) -> Bits { return x.b >= x.bits ? Bits() : unsigned_bits(x.sa() >> x.b); }},
    {Opcode::SMin, [](const Args& x) -> Bits { return unsigned_bits(std::min(x.sa(), x.sb())); }},
    {Opcode::SMax, [](const Args& x) -> Bits { return unsigned_bits(std::max(x.sa(), x.sb())); }},
    {Opcode::UMin, [](const Args& x) -> Bits { return std::min(x.a, x.b); }},
    {Opcode::UMax, [](const Args& x) -> Bits { return std::max(x.a, x.b); }},
    {Opcode::UMulHi,
     [](const Args& x) -> Bits {
       return static_cast<std::uint64_t>(static_cast<unsigned __int128>(x.a) * x.b >> x.bits);
     }},
    {Opcode::SMulHi,
     [](const Args& x) -> Bits {
       return static_cast<std::uint64_t>(static_cast<__int128>(x.sa()) * x.sb() >> x.bits);
     }},
    {Opcode::IAbs, [](const Args& x) -> Bits { return x.sa() < 0 ? 0 - x.a : x.a; }},
    {Opcode::Clz, [](const Args& x) -> Bits { return std::countl_zero(x.a) - (64 - x.bits); }},
    {Opcode::Ctz,
     [](const Args& x) -> Bits { return std::min<std::uint64_t>(std::countr_zero(x.a), x.bits); }},
    {Opcode::Popcount, [](const Args& x) -> Bits { return std::popcount(x.a); }},
    {Opcode::BitReverse, [](const Args& x) -> Bits { return reverse_bits(x.a, x.bits); }},
    {Opcode::ByteSwap,
     [](const Args& x) -> Bits { return x.bits < 16 ? Bits() : reverse_bytes(x.a, x.bits); }},

    {Opcode::IEq, [](const Args& x) -> Bits { return x.a == x.b; }},
    {Opcode::INe, [](const Args& x) -> Bits { return x.a != x.b; }},
    {Opcode::ULt, [](const Args& x) -> Bits { return x.a < x.b; }},
    {Opcode::ULe, [](const Args& x) -> Bits { return x.a <= x.b; }},
    {Opcode::UGt, [](const Args& x) -> Bits { return x.a > x.b; }},
    {Opcode::UGe, [](const Args& x) -> Bits { return x.a >= x.b; }},
    {Opcode::SLt, [](const Args& x) -> Bits { return x.sa() < x.sb(); }},
    {Opcode::SLe, [](const Args& x) -> Bits { return x.sa() <= x.sb(); }},
    {Opcode::SGt, [](const Args& x) -> Bits { return x.sa() > x.sb(); }},
    {Opcode::SGe, [](const Args& x) -> Bits { return x.sa() >= x.sb(); }},

    {Opcode::Trunc, [](const Args& x) -> Bits { return x.a; }},
    {Opcode::ZExt, [](const Args& x) -> Bits { return x.a; }},
    {Opcode::SExt, [](const Args& x) -> Bits { return unsigned_bits(x.sa()); }},
    {Opcode::SiToFp, [](const Args& x) -> Bits { return int_to_float(x.sa(), x.result); }},
    {Opcode::UiToFp, [](const Args& x) -> Bits { return int_to_float(x.a, x.result); }},
    {Opcode::Bitcast, same_width_float},
};

constexpr auto kTable = [] {
  std::array<Bits (*)(const Args&), kNumOpcodes> table{};
  for (const Row& row : kRows) table[static_cast<std::size_t>(row.opcode)] = row.fold;
  return table;
}();

}  // namespace

Bits fold_integer(const Op& op, std::span<const std::uint64_t> operands) {
  const auto fold = kTable[static_cast<std::size_t>(op.opcode())];
  if (fold == nullptr) return std::nullopt;
  const std::uint64_t b = operands.size() > 1 ? operands[1] : 0;
  return fold({operands[0], b, op.operand(0)->type().bits(), op.result()->type()});
}

}  // namespace spirea::kir
