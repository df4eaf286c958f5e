// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of attributes: plainer ops of the same kind.
#include "compiler/reduce/edits.h"

namespace spirea::reduce {

using namespace kir;

namespace {

std::vector<Edit> clear_flags(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    if (auto* fast = std::get_if<FastAttr>(&op.attr); fast != nullptr && fast->flags != 0)
      return [fast] { fast->flags = 0; };
    if (auto* memory = std::get_if<MemoryAttr>(&op.attr); memory != nullptr && memory->is_volatile)
      return [memory] { memory->is_volatile = false; };
    return {};
  });
}

std::vector<Edit> plain_offsets(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    auto* scale = std::get_if<ScaleAttr>(&op.attr);
    if (scale == nullptr || *scale == ScaleAttr{}) return {};
    return [scale] { *scale = ScaleAttr{}; };
  });
}

std::vector<Edit> no_displacements(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    auto* scale = std::get_if<ScaleAttr>(&op.attr);
    if (scale == nullptr || scale->displacement == 0) return {};
    return [scale] { scale->displacement = 0; };
  });
}

/// Constants become 0 or 1, or lose their upper half.
template <std::uint64_t Limit>
std::vector<Edit> small_literals(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    auto* literal = std::get_if<LiteralAttr>(&op.attr);
    if (literal == nullptr || literal->bits <= Limit || !op.result()->type().is_int()) return {};
    return [literal] { literal->bits = Limit; };
  });
}

std::vector<Edit> halve_literals(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    auto* literal = std::get_if<LiteralAttr>(&op.attr);
    if (literal == nullptr || literal->bits < 2 || !op.result()->type().is_int()) return {};
    return [literal] { literal->bits /= 2; };
  });
}

/// Objects of half the size, in whole elements.
std::vector<Edit> halve_objects(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    auto* object = std::get_if<ObjectAttr>(&op.attr);
    if (object == nullptr) return {};
    const std::uint64_t unit = object->element ? object->element->bytes() : 1;
    const std::uint64_t size = object->size / 2 / unit * unit;
    if (size == 0) return {};
    return [object, size] { object->size = size; };
  });
}

std::vector<Edit> single_case_values(Module& module) {
  return for_each_op(module, [](Op& op) -> Edit {
    auto* cases = std::get_if<CasesAttr>(&op.attr);
    if (cases == nullptr) return {};
    return [cases] {
      for (auto& values : cases->values) values.resize(1);
    };
  });
}

constexpr Strategy kStrategies[] = {
    {"clear flags", clear_flags},           {"plain offsets", plain_offsets},
    {"no displacements", no_displacements}, {"literals to zero", small_literals<0>},
    {"literals to one", small_literals<1>}, {"halve literals", halve_literals},
    {"halve objects", halve_objects},       {"one value a case", single_case_values},
};

}  // namespace

std::span<const Strategy> detail_strategies() { return kStrategies; }

}  // namespace spirea::reduce
