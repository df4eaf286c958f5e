// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "ir/pass/pass.h"
#include "ir/transform/canonicalize.h"
#include "ir/transform/cse.h"
#include "ir/transform/dce.h"

namespace spirea::kir {
namespace {

constexpr PassInfo kPasses[] = {
#define KIR_PASS(name, function, needs, establishes, destroys, text) \
  {name, text, needs, establishes, destroys, [](Module& module) { return function(module, {}); }},
#include "ir/pass/passes.def"
};

constexpr PipelineInfo kPipelines[] = {
#define KIR_PIPELINE(name, passes, text) {name, text, passes},
#include "ir/pass/passes.def"
};

template <class T>
const T* find(const std::vector<const T*>& list, std::string_view name) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const T* item) { return item->name == name; });
  return it == list.end() ? nullptr : *it;
}

}  // namespace

std::span<const PassInfo> ir_passes() { return kPasses; }
std::span<const PipelineInfo> ir_pipelines() { return kPipelines; }

void PassRegistry::add(std::span<const PassInfo> passes, std::span<const PipelineInfo> pipelines) {
  for (const PassInfo& pass : passes) passes_.push_back(&pass);
  for (const PipelineInfo& pipeline : pipelines) pipelines_.push_back(&pipeline);
}

const PassInfo* PassRegistry::find_pass(std::string_view name) const { return find(passes_, name); }
const PipelineInfo* PassRegistry::find_pipeline(std::string_view name) const {
  return find(pipelines_, name);
}

PassRegistry ir_registry() {
  PassRegistry registry;
  registry.add(ir_passes(), ir_pipelines());
  return registry;
}

}  // namespace spirea::kir
