// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass is a free function `Result<bool> name(Module&, const NameConfig&)`; true means that it changed the
// module. Its row in a pass table says how it may be ordered. A table is data: ir/ has one (passes.def), each
// code generator adds its own, and whoever runs passes puts the tables it knows into a registry.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"
#include "ir/verify/property.h"

namespace spirea::kir {

/// A row of a pass table.
struct PassInfo {
  std::string_view name;  ///< as pipelines spell it
  std::string_view summary;
  Properties needs;        ///< what must hold before
  Properties establishes;  ///< what holds after
  Properties destroys;     ///< what may no longer hold after
  Result<bool> (*run)(Module&);
};

/// A list of passes under a name, which other lists may use like a pass.
struct PipelineInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view passes;  ///< "canonicalize,cse"
};

/// The passes and pipelines of ir/.
std::span<const PassInfo> ir_passes();
std::span<const PipelineInfo> ir_pipelines();

/// All passes and pipelines that a tool knows, in the order of addition. Holds references to the tables.
class PassRegistry {
 public:
  void add(std::span<const PassInfo> passes, std::span<const PipelineInfo> pipelines = {});

  const PassInfo* find_pass(std::string_view name) const;
  const PipelineInfo* find_pipeline(std::string_view name) const;
  const std::vector<const PassInfo*>& passes() const { return passes_; }
  const std::vector<const PipelineInfo*>& pipelines() const { return pipelines_; }

 private:
  std::vector<const PassInfo*> passes_;
  std::vector<const PipelineInfo*> pipelines_;
};

/// A registry with ir/'s own table.
PassRegistry ir_registry();

}  // namespace spirea::kir
