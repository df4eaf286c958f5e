// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/pass/reference.h"

namespace spirea::kir {
namespace {

/// What each kind of attribute looks like in the text form, between mnemonic and type.
std::string_view attr_text(AttrKind kind) {
  switch (kind) {
    case AttrKind::None: return "";
    case AttrKind::Literal: return "integer, float bits after `0x`, or `null`";
    case AttrKind::Fast: return "fast-math flags, before the operands";
    case AttrKind::Object: return "`size N align N [element T]`";
    case AttrKind::Symbol: return "`@name`";
    case AttrKind::Scale: return "`scale N disp N`, after the operands";
    case AttrKind::Memory: return "`align N [volatile]`, after the operands";
    case AttrKind::Dim: return "`x`, `y` or `z`";
    case AttrKind::Cases: return "`case N, N: { ... }` for each region, then `default: { ... }`";
    case AttrKind::Target: return "`@label`, before the values in parentheses";
    case AttrKind::Atomic: return "`align N scope S order O [volatile]`, after the operands";
    case AttrKind::Sync: return "`scope S order O`";
    case AttrKind::Group: return "`reduce`, `inclusive`, `exclusive` or `clustered N`, after the operands";
  }
  return "";
}

std::string_view effect_text(OpEffect effect) {
  switch (effect) {
    case OpEffect::Pure: return "pure";
    case OpEffect::Read: return "reads memory";
    case OpEffect::Write: return "writes memory";
    case OpEffect::Atomic: return "atomic";
    case OpEffect::Convergent: return "convergent";
    case OpEffect::Control: return "control flow";
  }
  return "";
}

/// Markdown would take ptr<private> for a tag.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<' || c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view text) { return "`" + std::string(text) + "`"; }

std::string property_list(Properties set) {
  std::string out;
  for (unsigned i = 0; i < kNumProperties; ++i) {
    const auto property = static_cast<Property>(i);
    if (set.has(property)) out += (out.empty() ? "" : ", ") + code(to_string(property));
  }
  return out;
}

std::string generated_by(std::string_view what) {
  return "<!-- generated from the tables: spirea-opt --print-reference=" + std::string(what) + " -->\n";
}

}  // namespace

std::string ops_reference() {
  std::string out =
      "# Operations of KIR\n\n" + generated_by("ops") +
      "\nThe table is `ir/core/ops.def`; the text form around the operations is in `ir/README.md`.\n"
      "\"Poison\" is a result that no target defines; the interpreter reports its use.\n"
      "\n| operation | types | attribute | effect | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i < kNumOpcodes; ++i) {
    const OpInfo& op = info(static_cast<Opcode>(i));
    out += "| " + code(op.mnemonic) + " | " + escaped(rule_text(op.rule)) + " | " +
           std::string(attr_text(op.attr)) + " | " + std::string(effect_text(op.effect)) + " | " +
           escaped(op.summary) + " |\n";
  }
  return out;
}

std::string passes_reference(const PassRegistry& registry) {
  std::string out =
      "# Passes on KIR\n\n" + generated_by("passes") +
      "\nRun them with `spirea-opt --passes=NAME,NAME file.kir`. A pass runs only where what it needs "
      "holds.\n\n## Passes\n\n| pass | needs | establishes | destroys | what it does |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const PassInfo* pass : registry.passes())
    out += "| " + code(pass->name) + " | " + property_list(pass->needs) + " | " +
           property_list(pass->establishes) + " | " + property_list(pass->destroys) + " | " +
           escaped(pass->summary) + " |\n";
  out +=
      "\n## Pipelines\n\nA pipeline's name stands for its passes.\n\n| pipeline | passes | use |\n"
      "| --- | --- | --- |\n";
  for (const PipelineInfo* pipeline : registry.pipelines())
    out += "| " + code(pipeline->name) + " | " + code(pipeline->passes) + " | " + escaped(pipeline->summary) +
           " |\n";
  out +=
      "\n## Properties\n\nThe runner checks those that a pass establishes.\n\n| property | meaning |\n"
      "| --- | --- |\n";
  for (unsigned i = 0; i < kNumProperties; ++i) {
    const auto property = static_cast<Property>(i);
    out += "| " + code(to_string(property)) + " | " + escaped(summary(property)) + " |\n";
  }
  return out;
}

}  // namespace spirea::kir
