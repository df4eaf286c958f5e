// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "ir/core/module.h"

namespace spirea::kir {

/// The text form (ir/README.md). parse(print(m)) is m; print(parse(print(m))) is print(m).
std::string print(const Module&);
/// One kernel, without the module's tables.
std::string print(const Module&, const Kernel&);
/// One op with its regions; values are numbered within the op's kernel.
std::string print(const Op&);

/// Where each op was printed: the place of its first character in `text`, from 1.
struct PrintedModule {
  std::string text;
  struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
  };
  std::unordered_map<const Op*, Place> places;
};
PrintedModule print_with_places(const Module&);

}  // namespace spirea::kir
