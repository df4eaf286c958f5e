// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "ir/abi/manifest.h"
#include "ir/core/diagnostic.h"

namespace spirea::compiler {

/// spirea-run's command line beside the file and the compiler's flags.
struct RunRequest {
  std::string kernel;                            ///< empty: the only one
  std::string grid, groups, workgroup;           ///< "X", "X,Y" or "X,Y,Z"; empty: not given
  std::map<std::string, std::string> arguments;  ///< by parameter
  std::map<std::string, std::string> outputs;    ///< files for contents of buffers, by parameter
  std::string device;                            ///< empty: the runtime's choice
  std::size_t dynamic_shared = 0;                ///< bytes of workgroup memory that the launch adds
  unsigned repeat = 1;
  std::size_t limit = 64;  ///< elements printed of each buffer
  bool time = false;
};

/// Launches the kernel, prints or writes the buffers that it may have written. Throws spirea::error.
kir::Result<kir::Success> launch_and_print(const abi::Manifest&, const RunRequest&);

}  // namespace spirea::compiler
