// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler from end to end, one function a stage:
//
//   C++ --to_llvm / to_kir--> KIR --to_spirv--> SPIR-V --to_object--> object that registers with the runtime
//                                 \-------------------- host code --/
//
// Kernel IR may come from a .kir file instead. Each stage is one call of a folder's interface:
// frontend/frontend.h, ir/pass/runner.h, codegen-spirv/spirv.h, codegen-host/host.h.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "codegen-host/host.h"
#include "codegen-spirv/spirv.h"
#include "compiler/options.h"
#include "compiler/report.h"
#include "ir/core/module.h"

namespace spirea::compiler {

/// What a compilation has beside its input. Failures that Clang has already printed come back as an empty
/// list of diagnostics.
struct Context {
  const Options& options;
  std::ostream& err;  ///< Clang's messages, KIR dumps, times
  std::vector<StageTime> times{};
};

/// LLVM IR of a C++ file after Spirea's pass list.
kir::Result<std::string> to_llvm(Context&, const std::string& input);

/// Verified KIR of a C++ or .kir file after its passes; with --kernel, of that kernel alone.
kir::Result<std::unique_ptr<kir::Module>> to_kir(Context&, const std::string& input);

/// What the command line says of SPIR-V.
spirv::Options spirv_options(const Options&);
/// A kernel's SPIR-V module for Vulkan.
kir::Result<spirv::Words> to_spirv(Context&, const kir::Module&, const kir::Kernel&);

/// Prints the remarks that --remarks= asks for.
void remark(Context&, const kir::Module&);

/// The host's code for the kernels, without an artifact.
kir::Result<std::vector<char>> to_host(Context&, const kir::Module&, host::Output);

/// An object with everything that the targets ask for.
kir::Result<std::vector<char>> to_object(Context&, const kir::Module&);

/// Compiles each input to its output; returns the exit code.
int compile(const Options&, std::ostream& err);

}  // namespace spirea::compiler
