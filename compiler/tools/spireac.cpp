// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <iostream>
#include <unistd.h>

#include "compiler/options.h"
#include "compiler/pipeline.h"
#include "compiler/version.h"

int main(int argc, char** argv) {
  using namespace spirea::compiler;
  auto options = parse_options({argv + 1, static_cast<std::size_t>(argc > 0 ? argc - 1 : 0)});
  if (!options) {
    report(std::cerr, options.diagnostics(), false);
    std::cerr << "see spireac --help\n";
    return kExitUsage;
  }
  if (options->help) {
    std::cout << help_text();
    return kExitSuccess;
  }
  if (options->version) {
    std::cout << "spireac " << kVersion << "\n";
    return kExitSuccess;
  }
  return compile(*options, std::cerr);
}
