// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/pass/runner.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <optional>
#include <ostream>

#include "ir/text/printer.h"
#include "ir/verify/verify.h"

namespace spirea::kir {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kReproducerPrefix = "; spirea-opt --passes=";

bool dumps(const DumpOptions& dump, const PassInfo& pass) {
  return dump.passes.empty() ||
         std::find(dump.passes.begin(), dump.passes.end(), pass.name) != dump.passes.end();
}

void dump(const RunOptions& options, const PassInfo& pass, const char* when, const Module& module) {
  if (options.dump_to == nullptr || !dumps(options.dump, pass)) return;
  *options.dump_to << "; " << when << ' ' << pass.name << '\n' << print(module) << '\n';
}

std::vector<Diagnostic> internal_error(const PassInfo& pass, const std::string& what,
                                       std::vector<Diagnostic> causes = {}) {
  causes.insert(causes.begin(), Diagnostic::error("internal error: pass '" + std::string(pass.name) + "' " +
                                                  what + "; please report it with a reproducer"));
  return causes;
}

Result<void> check(const Module& module, const PassInfo& pass, bool changed,
                   const std::optional<std::string>& text_before) {
  if (auto valid = verify(module); !valid)
    return internal_error(pass, "left a module that is not valid", valid.diagnostics());
  for (unsigned i = 0; i < kNumProperties; ++i) {
    const auto property = static_cast<Property>(i);
    if (!pass.establishes.has(property)) continue;
    if (auto holds = verify_property(module, property); !holds)
      return internal_error(pass, "did not establish '" + std::string(to_string(property)) + "'",
                            holds.diagnostics());
  }
  if (text_before && !changed && print(module) != *text_before)
    return internal_error(pass, "changed the module without saying so");
  return {};
}

Result<void> write_reproducer(const std::string& path, const Module& module, const Pipeline& rest) {
  std::ofstream file(path, std::ios::binary);
  file << reproducer_text(module, rest);
  if (!file.flush()) return Diagnostic::error("cannot write '" + path + "'");
  return {};
}

Result<PassRun> run_one(Module& module, const PassInfo& pass, const RunOptions& options) {
  std::optional<std::string> text_before;
  if (options.verify_each) text_before = print(module);
  if (options.dump.before) dump(options, pass, "before", module);

  const auto start = Clock::now();
  Result<bool> changed = pass.run(module);
  const auto end = Clock::now();
  if (!changed) return changed.diagnostics();

  if (options.verify_each)
    if (auto good = check(module, pass, *changed, text_before); !good) return good.diagnostics();
  const auto verified = Clock::now();
  if (options.dump.after || (options.dump.changed && *changed)) dump(options, pass, "after", module);
  return PassRun{&pass, *changed, end - start, verified - end};
}

Properties properties_of(const Module& module) {
  Properties held;
  for (unsigned i = 0; i < kNumProperties; ++i)
    if (verify_property(module, static_cast<Property>(i))) held = held.with({static_cast<Property>(i)});
  return held;
}

/// What the pipeline needs may be there from the start: a reproducer begins in the middle.
Result<void> check_module_order(const Module& module, const Pipeline& pipeline) {
  if (check_order(pipeline)) return {};
  return check_order(pipeline, properties_of(module));
}

std::string milliseconds(std::chrono::nanoseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%10.3f", static_cast<double>(time.count()) / 1e6);
  return text;
}

}  // namespace

Result<DumpOptions> parse_dump_options(std::string_view text, const PassRegistry& registry) {
  DumpOptions options;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    if (word == "before")
      options.before = true;
    else if (word == "after")
      options.after = true;
    else if (word == "changed")
      options.changed = true;
    else if (registry.find_pass(word) != nullptr)
      options.passes.emplace_back(word);
    else
      return Diagnostic::error("'" + std::string(word) +
                               "' is not a pass, and none of 'before', 'after', 'changed'");
  }
  if (!options.before && !options.changed) options.after = true;
  return options;
}

Result<RunReport> run(Module& module, const Pipeline& pipeline, const RunOptions& options) {
  RunReport report;
  if (auto ordered = check_module_order(module, pipeline); !ordered) return ordered.diagnostics();
  for (std::size_t i = 0; i < pipeline.size(); ++i) {
    if (!options.reproducer.empty()) {
      const Pipeline rest(pipeline.begin() + static_cast<std::ptrdiff_t>(i), pipeline.end());
      if (auto written = write_reproducer(options.reproducer, module, rest); !written)
        return written.diagnostics();
    }
    auto one = run_one(module, *pipeline[i], options);
    if (!one) return one.diagnostics();
    report.changed |= one->changed;
    report.runs.push_back(*one);
  }
  if (!options.reproducer.empty()) std::remove(options.reproducer.c_str());
  return report;
}

std::string time_table(const RunReport& report) {
  std::string out = "   pass ms  verify ms  changed  pass\n";
  std::chrono::nanoseconds pass{}, check{};
  for (const PassRun& run : report.runs) {
    out += milliseconds(run.time) + " " + milliseconds(run.verify_time) +
           (run.changed ? "      yes  " : "       no  ") + std::string(run.pass->name) + "\n";
    pass += run.time;
    check += run.verify_time;
  }
  return out + milliseconds(pass) + " " + milliseconds(check) + "           total\n";
}

std::string reproducer_text(const Module& module, const Pipeline& pipeline) {
  return std::string(kReproducerPrefix) + to_string(pipeline) + "\n" + print(module);
}

std::string_view reproducer_passes(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with(kReproducerPrefix) ? line.substr(kReproducerPrefix.size()) : std::string_view();
}

}  // namespace spirea::kir
