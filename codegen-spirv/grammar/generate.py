#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes instructions.h: a struct for each core instruction of the Khronos grammar, which knows how to encode itself and
what it requires. Usage: generate.py spirv.core.grammar.json OUTPUT"""
import json
import re
import sys

SCALARS = {
    "IdResultType": "Id", "IdResult": "Id", "IdRef": "Id", "IdScope": "Id", "IdMemorySemantics": "Id",
    "LiteralInteger": "Word", "LiteralExtInstInteger": "Word", "LiteralSpecConstantOpInteger": "Word",
    "LiteralString": "std::string", "LiteralContextDependentNumber": "Literal", "LiteralFloat": "Word",
}
PAIRS = {
    "PairIdRefIdRef": "std::pair<Id, Id>", "PairLiteralIntegerIdRef": "std::pair<Literal, Id>",
    "PairIdRefLiteralInteger": "std::pair<Id, Word>",
}
KEYWORDS = {"default", "union", "struct", "operator", "new", "delete", "signed", "unsigned", "volatile", "register", "asm", "opcode"}


def field_name(operand, seen):
    kind = operand["kind"]
    base = {"IdResultType": "type", "IdResult": "result"}.get(kind)
    if base is None:
        text = operand.get("name", kind).split("\n")[0]
        text = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", text.replace("'", "").split(",")[0])
        base = re.sub(r"[^a-zA-Z0-9]+", "_", text).strip("_").lower() or kind.lower()
    if base in KEYWORDS or base[0].isdigit():
        base = base + "_"
    name, n = base, 2
    while name in seen:
        name, n = f"{base}{n}", n + 1
    seen.add(name)
    return name


def main(grammar_path, output_path):
    grammar = json.load(open(grammar_path))
    enums = {k["kind"]: k for k in grammar["operand_kinds"] if k["category"] in ("ValueEnum", "BitEnum")}
    with_parameters = {k for k, v in enums.items() if any("parameters" in e for e in v["enumerants"])}
    out = ["// Generated from the Khronos grammar by codegen-spirv/grammar/generate.py.", "#pragma once", "",
           '#include "codegen-spirv/grammar/encoder.h"', "", "namespace spirea::spirv {", ""]

    for kind, data in enums.items():
        cpp = f"spv::{kind}Mask" if data["category"] == "BitEnum" else f"spv::{kind}"
        out.append(f"inline void require({cpp} value, Requirements& requirements) {{")
        rows, seen = [], set()
        for e in data["enumerants"]:
            capabilities = [] if kind == "Capability" else e.get("capabilities", [])
            value = int(str(e["value"]), 0)
            if not capabilities or value in seen:
                continue
            seen.add(value)
            names = ", ".join(f"spv::Capability::{c}" for c in capabilities)
            test = f"(bits & {value:#x}u) != 0" if data["category"] == "BitEnum" else f"bits == {value}u"
            rows.append(f"  if ({test}) requirements.any_of({{{names}}});")
        out.append("  [[maybe_unused]] const auto bits = static_cast<Word>(value);")
        out.append("  (void)requirements;")
        out += rows + ["}", ""]

    done = set()
    for inst in grammar["instructions"]:
        if inst["opcode"] in done:
            continue
        done.add(inst["opcode"])
        fields, encode, require = [], [], []
        seen = set()
        for operand in inst.get("operands", []):
            kind, quantifier = operand["kind"], operand.get("quantifier", "")
            name = field_name(operand, seen)
            if kind in SCALARS or kind in PAIRS:
                cpp = SCALARS.get(kind) or PAIRS[kind]
            elif kind in enums:
                cpp = f"spv::{kind}Mask" if enums[kind]["category"] == "BitEnum" else f"spv::{kind}"
            else:
                raise SystemExit(f"unknown operand kind {kind}")
            if quantifier == "*":
                fields.append(f"  std::vector<{cpp}> {name} = {{}};")
                encode.append(f"    for (const auto& item : {name}) e.add(item);")
            elif quantifier == "?":
                fields.append(f"  std::optional<{cpp}> {name} = std::nullopt;")
                encode.append(f"    if ({name}) e.add(*{name});")
                if kind in enums:
                    require.append(f"    if ({name}) spirv::require(*{name}, r);")
            else:
                fields.append(f"  {cpp} {name} = {{}};")
                encode.append(f"    e.add({name});")
                if kind in enums:
                    require.append(f"    spirv::require({name}, r);")
            if kind == "LiteralSpecConstantOpInteger":
                fields.append("  std::vector<Id> operands = {};")
                encode.append("    for (const Id id : operands) e.add(id);")
            if kind in with_parameters:
                fields.append(f"  std::vector<Word> {name}_operands = {{}};")
                encode.append(f"    for (const Word word : {name}_operands) e.add(word);")
        capabilities = ", ".join(f"spv::Capability::{c}" for c in inst.get("capabilities", []))
        out.append(f"struct {inst['opname']} {{")
        out.append(f"  static constexpr spv::Op opcode = spv::Op::{inst['opname']};")
        out += fields
        out.append("  void encode([[maybe_unused]] Encoder& e) const {")
        out += encode + ["  }"]
        out.append("  void require([[maybe_unused]] Requirements& r) const {")
        if capabilities:
            out.append(f"    r.any_of({{{capabilities}}});")
        out += require + ["  }", "};", ""]
    out += ["}  // namespace spirea::spirv", ""]
    open(output_path, "w").write("\n".join(out))


main(sys.argv[1], sys.argv[2])
