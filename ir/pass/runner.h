// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "ir/pass/pipeline.h"

namespace spirea::kir {

/// Which modules the runner prints.
struct DumpOptions {
  bool before = false;              ///< before each pass
  bool after = false;               ///< after each pass
  bool changed = false;             ///< after each pass that changed something
  std::vector<std::string> passes;  ///< of these passes only; empty: of all
};

/// `before`, `after`, `changed` and names of passes, comma-separated; names alone mean `after`.
Result<DumpOptions> parse_dump_options(std::string_view text, const PassRegistry&);

struct RunOptions {
  bool verify_each = true;  ///< the module, and what the pass says it establishes and changed
  DumpOptions dump;
  std::ostream* dump_to = nullptr;
  /// Written before each pass, so that it is there even when a pass crashes; removed when all have succeeded.
  std::string reproducer;
};

struct PassRun {
  const PassInfo* pass;
  bool changed;
  std::chrono::nanoseconds time;  ///< of the pass
  std::chrono::nanoseconds verify_time;
};

struct RunReport {
  bool changed = false;
  std::vector<PassRun> runs;
};

/// Runs the passes in order. Stops at the first error: the pass's own, or an internal error that names the
/// pass where verification fails.
Result<RunReport> run(Module&, const Pipeline&, const RunOptions& = {});

/// A table of the passes' times.
std::string time_table(const RunReport&);

/// The text of a reproducer: `; spirea-opt --passes=...` and the module.
std::string reproducer_text(const Module&, const Pipeline&);
/// The pipeline text in the first line of a reproducer; empty if it is none.
std::string_view reproducer_passes(std::string_view text);

}  // namespace spirea::kir
