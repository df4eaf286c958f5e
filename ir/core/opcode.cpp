// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/opcode.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace spirea::kir {
namespace {

struct RuleInfo {
  int operands;
  int results;
  std::string_view text;
};

constexpr RuleInfo kRules[] = {
#define KIR_RULE(Name, operands, results, text) {operands, results, text},
#include "ir/core/ops.def"
};

constexpr RuleInfo rule_info(OpRule rule) { return kRules[static_cast<std::size_t>(rule)]; }

constexpr std::array<OpInfo, kNumOpcodes> kOps{{
#define KIR_OP(Name, mnemonic, Rule, Effect, Attr, text) \
  {#Name,                                                \
   mnemonic,                                             \
   OpRule::Rule,                                         \
   OpEffect::Effect,                                     \
   AttrKind::Attr,                                       \
   text,                                                 \
   rule_info(OpRule::Rule).operands,                     \
   rule_info(OpRule::Rule).results},
#include "ir/core/ops.def"
}};

}  // namespace

const OpInfo& info(Opcode op) { return kOps[static_cast<std::size_t>(op)]; }

std::string_view rule_text(OpRule rule) { return rule_info(rule).text; }

std::optional<Opcode> parse_opcode(std::string_view mnemonic) {
  static const auto table = [] {
    std::unordered_map<std::string_view, Opcode> map;
    for (std::size_t i = 0; i < kNumOpcodes; ++i) map.emplace(kOps[i].mnemonic, static_cast<Opcode>(i));
    return map;
  }();
  const auto it = table.find(mnemonic);
  return it == table.end() ? std::nullopt : std::optional(it->second);
}

bool is_terminator(Opcode op) {
  const OpRule rule = info(op).rule;
  return rule == OpRule::Break || rule == OpRule::Continue || rule == OpRule::Terminator;
}

bool is_structured(Opcode op) {
  const OpRule rule = info(op).rule;
  return rule == OpRule::If || rule == OpRule::Loop || rule == OpRule::Switch || rule == OpRule::Block;
}

bool is_commutative(Opcode op) {
  constexpr Opcode list[] = {
      Opcode::Add,  Opcode::Mul,  Opcode::And,  Opcode::Or,    Opcode::Xor,    Opcode::SMin,   Opcode::SMax,
      Opcode::UMin, Opcode::UMax, Opcode::IEq,  Opcode::INe,   Opcode::UMulHi, Opcode::SMulHi, Opcode::FAdd,
      Opcode::FMul, Opcode::FMin, Opcode::FMax, Opcode::FOEq,  Opcode::FONe,   Opcode::FOrd,   Opcode::FUno,
      Opcode::FUEq, Opcode::FUNe, Opcode::Fma,  Opcode::Hypot,
  };
  return std::find(std::begin(list), std::end(list), op) != std::end(list);
}

}  // namespace spirea::kir
