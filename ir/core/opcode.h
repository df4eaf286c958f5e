// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace spirea::kir {

/// The operations, one for each KIR_OP row of ir/core/ops.def.
enum class Opcode : std::uint8_t {
#define KIR_OP(Name, mnemonic, Rule, Effect, Attr, text) Name,
#include "ir/core/ops.def"
};

/// What an op demands of its operand and result types, one for each KIR_RULE row.
enum class OpRule : std::uint8_t {
#define KIR_RULE(Name, operands, results, text) Name,
#include "ir/core/ops.def"
};

/// Convergent ones depend on which invocations execute them together: they stay in their region, in order
/// with every op that changes who does.
enum class OpEffect : std::uint8_t { Pure, Read, Write, Atomic, Convergent, Control };

/// Which alternative of `Attr` an op carries.
enum class AttrKind : std::uint8_t {
  None,
  Literal,
  Fast,
  Object,
  Symbol,
  Scale,
  Memory,
  Dim,
  Cases,
  Target,
  Atomic,
  Sync,
  Group
};

/// A row of the op table.
struct OpInfo {
  std::string_view name;      ///< the enumerator
  std::string_view mnemonic;  ///< the text form
  OpRule rule;
  OpEffect effect;
  AttrKind attr;
  std::string_view summary;
  int operands;  ///< -1: any number
  int results;   ///< -1: any number
};

inline constexpr std::size_t kNumOpcodes = 0
#define KIR_OP(Name, mnemonic, Rule, Effect, Attr, text) +1
#include "ir/core/ops.def"
    ;

const OpInfo& info(Opcode);
std::string_view rule_text(OpRule);
inline std::string_view mnemonic(Opcode op) { return info(op).mnemonic; }
std::optional<Opcode> parse_opcode(std::string_view mnemonic);

/// Ends its region: break, continue, return, trap, unreachable.
bool is_terminator(Opcode);
/// Has regions: if, loop, switch, block.
bool is_structured(Opcode);
/// Swapping the first two operands changes nothing.
bool is_commutative(Opcode);
/// Has no effect and may be removed when unused, or moved.
inline bool is_pure(Opcode op) { return info(op).effect == OpEffect::Pure; }

}  // namespace spirea::kir
