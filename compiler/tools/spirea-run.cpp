// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "compiler/kernel_names.h"
#include "compiler/options.h"
#include "compiler/report.h"
#include "compiler/run/launch.h"
#include "compiler/run/program.h"

namespace {

using namespace spirea;
using namespace spirea::compiler;

constexpr const char* kExamples = R"(
arguments, by the parameter's name:
  n=5  x=0.25  flag=true     a value; size=640,480: the scalars of a class
  out=1024                   a buffer of 1024 elements, zero
  in=1,2,3                   these elements (one element: in=1,)
  in=iota:1024               0, 1, 2, ...
  in=rand:1024               random, the same in every run; floats from 0 to 1
  in=@x.f32                  the file's bytes
  in=f32:iota:1024           for buffers of classes: what the classes are made of

examples:
  spirea-run square_sin.cpp --grid 8 --arg in=iota:8 --arg out=8
  spirea-run blur.o --kernel blur --grid 640,480 --arg in=@photo.raw --arg out=307200 \\
    --arg size=640,480 --arg radius=4 --out out=@blurred.raw --device vulkan --time
  spirea-run kernel.kir --grid 64 --workgroup 32 --arg p=rand:64 --device interp
  spirea-run a.cpp -Iinclude -DN=4 --grid 4 --arg out=i32:4      Clang's flags are passed on

exit codes: 0 success, 1 errors in the input or while running, 2 wrong usage)";

/// "name=value" pairs to a map.
bool split_pairs(const std::vector<std::string>& pairs, const char* option,
                 std::map<std::string, std::string>& map) {
  for (const std::string& pair : pairs) {
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos || equals == 0) {
      std::cerr << "error: " << option << " takes NAME=VALUE, not '" << pair << "'\n";
      return false;
    }
    map[pair.substr(0, equals)] = pair.substr(equals + 1);
  }
  return true;
}

kir::Result<const abi::Manifest*> choose_kernel(const std::vector<abi::Manifest>& kernels,
                                                const std::string& name, const std::string& file) {
  std::vector<const abi::Manifest*> found;
  for (const abi::Manifest& kernel : kernels)
    if (name.empty() || names_kernel(kernel, name)) found.push_back(&kernel);
  if (found.size() == 1) return found[0];
  kir::Diagnostic error =
      kir::Diagnostic::error(kernels.empty() ? "no kernels in '" + file + "'"
                             : found.empty() ? "no kernel '" + name + "' in '" + file + "'"
                                             : "several kernels in '" + file +
                                                   "'; choose one with --kernel, by its symbol if need be");
  for (const abi::Manifest& kernel : kernels)
    error.notes.push_back(
        {kir::Severity::Note, "kernel '" + kernel.display + "', symbol '" + kernel.name + "'", {}, {}});
  return error;
}

int fail(const std::vector<kir::Diagnostic>& diagnostics) {
  report(std::cerr, diagnostics, false);
  return kExitErrors;
}

int run(const Options& options, const RunRequest& request) {
  const std::string& file = options.inputs[0];
  auto kernels = load_program(options, file);
  if (!kernels) return fail(kernels.diagnostics());
  auto kernel = choose_kernel(*kernels, request.kernel, file);
  if (!kernel) return fail(kernel.diagnostics());
  try {
    auto done = launch_and_print(**kernel, request);
    return done ? kExitSuccess : fail(done.diagnostics());
  } catch (const std::exception& error) {
    return fail({kir::Diagnostic::error(error.what())});
  }
}

/// The compiler's options: the file, and the flags that are not spirea-run's own.
kir::Result<Options> compiler_options(const std::string& file, const std::vector<std::string>& flags,
                                      const RunRequest& request) {
  std::vector<const char*> words = {file.c_str()};
  for (const std::string& flag : flags) words.push_back(flag.c_str());
  auto options = parse_options(words);
  if (!options) return options;
  if (options->inputs.size() != 1) return kir::Diagnostic::error("expected one input file");
  options->time = request.time;
  // A kernel that only the host can run need not compile for others.
  options->targets.vulkan = !request.device.starts_with("host") && !request.device.starts_with("interp");
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  RunRequest request;
  std::string file;
  std::vector<std::string> arguments, outputs;
  CLI::App app("Launches a kernel of a C++ file, a .kir file or an object made by spireac.", "spirea-run");
  app.footer(kExamples);
  app.allow_extras();
  app.add_option("file", file, "C++ file, .kir file or object")->required();
  app.add_option("--kernel", request.kernel, "kernel, if there are several: C++ name or symbol");
  auto* grid = app.add_option("--grid", request.grid, "invocations: X, X,Y or X,Y,Z");
  app.add_option("--groups", request.groups, "the same in workgroups")->excludes(grid);
  app.add_option("--workgroup", request.workgroup, "workgroup size, for kernels that do not state it");
  app.add_option("--dynamic-shared", request.dynamic_shared,
                 "bytes of workgroup memory for kernels whose launch gives its size");
  app.add_option("--arg", arguments, "NAME=VALUE: an argument")->allow_extra_args(false);
  app.add_option("--out", outputs, "NAME=@FILE: write a buffer to a file")->allow_extra_args(false);
  app.add_option("--device", request.device,
                 "vulkan, vulkan:1, host, interp (default: as SPIREA_DEVICE, or the best)");
  app.add_option("--repeat", request.repeat, "launches (default: 1)");
  app.add_option("--limit", request.limit, "elements to print of each buffer (default: 64)");
  app.add_flag("--time", request.time, "print times of the compiler's stages and of each launch");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitSuccess : kExitUsage;
  }
  if (!split_pairs(arguments, "--arg", request.arguments) || !split_pairs(outputs, "--out", request.outputs))
    return kExitUsage;
  if (request.grid.empty() && request.groups.empty()) {
    std::cerr << "error: --grid or --groups is required\n";
    return kExitUsage;
  }
  auto options = compiler_options(file, app.remaining(), request);
  if (!options) {
    report(std::cerr, options.diagnostics(), false);
    return kExitUsage;
  }
  return run(*options, request);
}
