// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/verify/property.h"

#include <string>
#include <vector>

#include "ir/core/exits.h"
#include "ir/text/printer.h"

namespace spirea::kir {
namespace {

struct Row {
  std::string_view name;
  std::string_view summary;
};

constexpr Row kRows[] = {
#define KIR_PROPERTY(Name, name, text) {name, text},
#include "ir/verify/properties.def"
};

bool is_constant_offset(const Op& op) { return op.as<ScaleAttr>().scale == 1 && literal(op.operand(1)) == 0; }

bool is_mergeable(const Op& op) {
  const Op* inner = op.operand(0)->def();
  if (inner == nullptr || !inner->is(Opcode::Offset)) return false;
  std::int64_t sum = 0;
  return (is_constant_offset(op) || is_constant_offset(*inner)) &&
         !__builtin_add_overflow(op.as<ScaleAttr>().displacement, inner->as<ScaleAttr>().displacement, &sum);
}

/// Why the op, whose results are used, is not canonical; null if it is.
const char* not_canonical(const Op& op) {
  if (!op.has_used_results()) return nullptr;
  if (is_commutative(op.opcode()) && literal(op.operand(0)) && !literal(op.operand(1)))
    return "a constant is the first operand of a commutative op";
  if (op.is(Opcode::Offset) && is_mergeable(op))
    return "an offset is built on one that it could be merged with";
  return nullptr;
}

const char* dead(const Op& op) {
  if (is_pure(op.opcode()) && !op.has_used_results()) return "no result of a pure op is used";
  for (std::size_t i = 0; i < op.num_results() && is_structured(op.opcode()); ++i)
    if (!op.result(i)->has_uses()) return "a result is not used";
  if (!op.is(Opcode::Loop)) return nullptr;
  for (const auto& argument : op.region().arguments())
    if (!argument->has_uses()) return "a loop argument is not used";
  return nullptr;
}

const char* behind_no_exit(const Op& op, const Exits& exits) {
  if (!is_structured(op.opcode()) || !exits.breaks(&op).empty()) return nullptr;
  if (op.is(Opcode::Block)) return "nothing leaves a block";
  return op.next()->is(Opcode::Unreachable) ? nullptr : "what follows is never reached";
}

const char* untyped(const Op& op) {
  return op.is(Opcode::Object) && !op.as<ObjectAttr>().element ? "an object has no element type" : nullptr;
}

const char* violation(const Op& op, const Exits& exits, Property property) {
  switch (property) {
    case Property::Canonical: return not_canonical(op);
    case Property::NoDeadOps: return dead(op);
    case Property::Reachable: return behind_no_exit(op, exits);
    case Property::TypedObjects: return untyped(op);
  }
  return nullptr;
}

}  // namespace

std::string_view to_string(Property p) { return kRows[static_cast<std::size_t>(p)].name; }
std::string_view summary(Property p) { return kRows[static_cast<std::size_t>(p)].summary; }

Result<void> verify_property(const Module& module, Property property) {
  constexpr std::size_t enough = 10;
  std::vector<Diagnostic> diagnostics;
  for (const auto& kernel : module.kernels) {
    const Exits exits(kernel->body);
    walk(kernel->body, [&](const Op& op) {
      const char* reason = violation(op, exits, property);
      if (reason == nullptr || diagnostics.size() == enough) return;
      diagnostics.push_back(
          Diagnostic::error_at(module.locations, op.location, std::string(reason) + "\n" + print(op)));
    });
  }
  return diagnostics;
}

}  // namespace spirea::kir
