// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CLI/CLI.hpp>
#include <iostream>

#include "codegen-spirv/legalize/passes.h"
#include "ir/pass/opt.h"

namespace {

constexpr const char* kExamples = R"(
examples:
  spirea-opt kernel.kir                              parse, verify, print
  spirea-opt --passes=optimize kernel.kir -o out.kir
  spireac blur.cpp --emit=kir -o - | spirea-opt --passes=canonicalize,dce --dump-kir=changed -
  spirea-opt --passes=optimize --save-reproducer=bug.kir kernel.kir
  spirea-opt --run-reproducer bug.kir

exit codes: 0 success, 1 errors in the input or an internal error, 2 wrong usage)";

spirea::kir::PassRegistry registry() {
  spirea::kir::PassRegistry registry = spirea::kir::ir_registry();
  registry.add(spirea::spirv::passes(), spirea::spirv::pipelines());
  return registry;
}

}  // namespace

int main(int argc, char** argv) {
  spirea::kir::OptOptions options;
  CLI::App app("Parses KIR, verifies it, runs passes, and prints it.", "spirea-opt");
  app.footer(kExamples);
  app.add_option("input", options.inputs, "KIR files; - is the standard input");
  app.add_option("-o", options.output, "output file; - is the standard output, and the default");
  app.add_option("--passes", options.passes, "passes and pipelines to run, comma-separated");
  app.add_flag("--verify-each,!--no-verify-each", options.verify_each,
               "verify after each pass (default: on)");
  app.add_option(
      "--dump-kir", options.dump,
      "print modules to the standard error: before, after, changed, and names of passes to restrict it "
      "to, comma-separated");
  app.add_flag("--time", options.time, "print the time of each pass to the standard error");
  app.add_flag("--list-passes", options.list_passes, "list passes and pipelines");
  app.add_option(
      "--save-reproducer", options.reproducer,
      "keep the module before each pass in this file, with the passes that are left; removed on success");
  app.add_flag("--run-reproducer", options.run_reproducer,
               "run the passes that the input's first line names");
  app.add_flag("--check-round-trip", options.check_round_trip,
               "check of each input that print, parse, print is the identity");
  app.add_option("--print-reference", options.reference,
                 "print docs/reference/ops.md or passes.md: ops, passes");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? spirea::kir::kExitSuccess : spirea::kir::kExitUsage;
  }
  return spirea::kir::run_opt(options, registry(), {std::cin, std::cout, std::cerr});
}
