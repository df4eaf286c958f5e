// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

#include "ir/abi/interpreter.h"

namespace spirea::interp {

/// Where the interpreter's library is looked for: what SPIREA_INTERP_LIBRARY names, else the file next to
/// libspirea.so, else, by its name alone, the system's library path.
std::string library_path();

/// Empty if the library seems to be there, else the reason why not. Does not load it, unless only the system
/// can find it.
std::string library_problem();

/// The interpreter's functions, loaded at the first call and kept until exit. Throws error.
const spirea_interp_functions* load_library();

}  // namespace spirea::interp
