// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/run/program.h"

#include <iostream>
#include <span>

#include "codegen-host/host.h"
#include "compiler/files.h"
#include "compiler/pipeline.h"
#include "runtime/core/artifact.h"

namespace spirea::compiler {
namespace {

using kir::Diagnostic;
using kir::Result;

Result<std::vector<abi::Manifest>> manifests_of(const std::vector<char>& object, const std::string& file) {
  std::string error;
  const auto artifact = detail::find_artifact_in_object(std::as_bytes(std::span(object)), error);
  detail::Artifact contents;
  if (artifact.empty() || !detail::read_artifact(artifact, contents, error))
    return Diagnostic::error("'" + file + "' is not an object made by spireac: " + error);
  std::vector<abi::Manifest> manifests;
  for (detail::ArtifactKernel& kernel : contents.kernels) manifests.push_back(std::move(kernel.manifest));
  return manifests;
}

Result<std::vector<char>> object_of(const Options& options, const std::string& file) {
  if (file.ends_with(".o")) {
    auto bytes = read_file(file);
    if (!bytes) return bytes.diagnostics();
    return std::vector<char>(bytes->begin(), bytes->end());
  }
  Context context{options, std::cerr};
  auto module = to_kir(context, file);
  if (!module) return module.diagnostics();
  auto object = to_object(context, **module);
  if (options.time) std::cerr << time_table(context.times);
  return object;
}

}  // namespace

Result<std::vector<abi::Manifest>> load_program(const Options& options, const std::string& file) {
  auto object = object_of(options, file);
  if (!object) return object.diagnostics();
  auto manifests = manifests_of(*object, file);
  if (!manifests) return manifests.diagnostics();
  if (auto loaded = host::load_objects({*object}); !loaded) return loaded.diagnostics();
  return manifests;
}

}  // namespace spirea::compiler
