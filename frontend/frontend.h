// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/core/module.h"

namespace spirea::frontend {

/// What the arithmetic of kernels may do, for all back ends (docs/math.md).
enum class FloatMode : std::uint8_t {
  Strict,    ///< IEEE 754 to the bit, division and square root included
  Contract,  ///< products and sums may be fused; division and square root as the device has them
  Fast,      ///< also reassociation, reciprocals and the device's own functions; infinities and NaNs are kept
};

struct Options {
  std::string input;  ///< a C++ file, or "-" for standard input
  std::vector<std::string>
      clang_args;  ///< as for clang++: -I -D -std= -O -g -W -include -MD -MF …, in the user's order
  std::string kernel_headers;  ///< folder that holds spirea/kernel.hpp; empty: none
  std::string math_library;    ///< frontend/math/ as bitcode; read if a kernel calls a function of <math.h>
  FloatMode float_mode = FloatMode::Contract;  ///< clang_args may say otherwise (-ffp-contract=)
  bool color = false;                          ///< ANSI colours in `messages`
  bool want_llvm = false;                      ///< fill in `llvm_ir`
  bool want_kir = true;                        ///< run the importer
};

struct Output {
  std::unique_ptr<kir::Module> module;  ///< null after an error, or if not wanted
  std::string llvm_ir;                  ///< after our pass list, if wanted
  std::string messages;  ///< Clang's and the importer's diagnostics, rendered; may hold warnings on success
  std::vector<std::string> dependencies;  ///< every file read, the input first
  unsigned errors = 0;
};

/// Compiles the kernels of a C++ file to KIR. Everything that is wrong with the input is in `messages`.
Output compile(const Options&);

}  // namespace spirea::frontend
