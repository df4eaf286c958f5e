// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::host {

struct Options {
  unsigned optimize = 2;    ///< -O level
  bool debug_info = false;  ///< DWARF lines
  bool position_independent = true;
};

enum class Output : std::uint8_t { Object, Assembly, LlvmText };

/// Native code for a module's kernels. An Object also holds `artifact` and a constructor that passes it to
/// spirea_register (ir/abi/artifact.h) together with the kernels' addresses, in the module's order.
/// `artifact` may be empty: then the object only defines the functions, external, with the names
/// host_symbol() gives. With `with_code` false, the object registers the artifact with null addresses.
kir::Result<std::vector<char>> generate(const kir::Module&, const std::vector<std::uint8_t>& artifact, Output,
                                        const Options&, bool with_code = true);

/// Symbol of a kernel's host function (spirea_host_kernel in ir/abi/artifact.h).
std::string host_symbol(const kir::Kernel&);

/// Links objects into this process and runs their constructors; used by spirea-run. They stay until exit.
kir::Result<void> load_objects(const std::vector<std::vector<char>>& objects);

}  // namespace spirea::host
