// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What spirea-opt does; the tool itself only reads its command line.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ir/pass/pass.h"

namespace spirea::kir {

struct OptOptions {
  std::vector<std::string> inputs;  ///< files; "-" is the standard input
  std::string output = "-";         ///< file; "-" is the standard output
  std::string passes;
  std::string dump;        ///< see parse_dump_options; empty: nothing
  std::string reproducer;  ///< see RunOptions
  std::string reference;   ///< "ops" or "passes": print that page and end
  bool verify_each = true;
  bool time = false;
  bool list_passes = false;
  bool run_reproducer = false;    ///< the passes are in the file's first line
  bool check_round_trip = false;  ///< of all inputs: print, parse, print is the identity
};

struct OptStreams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
};

/// Exit codes of our tools.
inline constexpr int kExitSuccess = 0;
inline constexpr int kExitErrors = 1;  ///< in the input, or an output that cannot be written
inline constexpr int kExitUsage = 2;

/// Runs the tool; returns its exit code.
int run_opt(const OptOptions&, const PassRegistry&, OptStreams);

}  // namespace spirea::kir
