// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a module as small as it can while a test still accepts it.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::reduce {

struct Options {
  /// Whether a module still shows what is looked for.
  std::function<kir::Result<bool>(const kir::Module&)> interesting;
  /// Called with each smaller module, so that an interruption loses nothing.
  std::function<kir::Result<void>(const kir::Module&)> keep;
  std::ostream* progress = nullptr;  ///< a line for each strategy that removed something; null: none
  unsigned max_tests = 0;            ///< stop after this many; 0: when nothing more can be removed
};

/// The smallest module found. Deterministic: the same module and answers give the same result. Every module
/// that is tested is valid. An error if the module itself is not valid or not interesting.
kir::Result<std::unique_ptr<kir::Module>> reduce(std::unique_ptr<kir::Module>, const Options&);

}  // namespace spirea::reduce
