// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/pass/opt.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "ir/pass/reference.h"
#include "ir/pass/runner.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"

namespace spirea::kir {
namespace {

class Tool {
 public:
  Tool(const OptOptions& options, const PassRegistry& registry, OptStreams streams)
      : options_(options), registry_(registry), streams_(streams) {}

  int run() {
    if (options_.list_passes) return list();
    if (!options_.reference.empty()) return reference();
    if (options_.check_round_trip) return round_trips();
    if (options_.inputs.size() != 1) return usage("expected one input file");
    return transform(options_.inputs[0]);
  }

 private:
  int usage(const std::string& message) {
    streams_.err << "error: " << message << "; see --help\n";
    return kExitUsage;
  }
  int fail(const std::vector<Diagnostic>& diagnostics) {
    streams_.err << to_string(diagnostics);
    return kExitErrors;
  }

  int list() {
    for (const PassInfo* pass : registry_.passes())
      streams_.out << pass->name << "\n    " << pass->summary << '\n';
    for (const PipelineInfo* pipeline : registry_.pipelines())
      streams_.out << pipeline->name << " = " << pipeline->passes << "\n    " << pipeline->summary << '\n';
    return kExitSuccess;
  }

  int reference() {
    if (options_.reference == "ops") return write(ops_reference());
    if (options_.reference == "passes") return write(passes_reference(registry_));
    return usage("there is no reference of '" + options_.reference + "', only of 'ops' and 'passes'");
  }

  Result<std::string> read(const std::string& path) {
    if (path == "-") return std::string(std::istreambuf_iterator<char>(streams_.in), {});
    std::ifstream file(path, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(file), {});
    if (!file) return Diagnostic::error("cannot read '" + path + "'");
    return text;
  }

  int write(const std::string& text) {
    if (options_.output == "-") {
      streams_.out << text << std::flush;
      return streams_.out ? kExitSuccess : fail({Diagnostic::error("cannot write to the standard output")});
    }
    if (write_file(text)) return kExitSuccess;
    return fail({Diagnostic::error("cannot write '" + options_.output + "'")});
  }

  /// Writes beside the file and renames, so that a failure leaves no half of a file. What is not a regular
  /// file, such as /dev/null, must not be replaced.
  bool write_file(const std::string& text) {
    std::error_code ignored;
    const auto status = std::filesystem::status(options_.output, ignored);
    const bool in_place = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    const std::string path = in_place ? options_.output : options_.output + ".tmp";
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (in_place) return static_cast<bool>(file);
    if (file && std::rename(path.c_str(), options_.output.c_str()) == 0) return true;
    std::remove(path.c_str());
    return false;
  }

  int round_trips() {
    if (options_.inputs.empty()) return usage("expected input files");
    int code = kExitSuccess;
    for (const std::string& path : options_.inputs)
      if (auto same = round_trip(path); !same) code = fail(same.diagnostics());
    return code;
  }

  Result<void> round_trip(const std::string& path) {
    auto text = read(path);
    if (!text) return text.diagnostics();
    auto module = parse(*text, path);
    if (!module) return module.diagnostics();
    const std::string first = print(**module);
    auto again = parse(first, "<printed " + path + ">");
    if (!again) return again.diagnostics();
    if (print(**again) != first) return Diagnostic::error(path + ": print, parse, print is not the identity");
    return {};
  }

  int transform(const std::string& path) {
    auto text = read(path);
    if (!text) return fail(text.diagnostics());
    auto module = parse(*text, path);
    if (!module) return fail(module.diagnostics());
    if (auto valid = verify(**module); !valid) return fail(valid.diagnostics());

    std::string passes = options_.passes;
    if (options_.run_reproducer) passes = reproducer_passes(*text);
    if (options_.run_reproducer && passes.empty())
      return fail({Diagnostic::error("'" + path + "' does not start with the passes of a reproducer")});
    auto pipeline = parse_pipeline(passes, registry_);
    if (!pipeline) return usage(pipeline.diagnostics()[0].message);
    return run_passes(**module, *pipeline);
  }

  int run_passes(Module& module, const Pipeline& pipeline) {
    RunOptions run_options;
    run_options.verify_each = options_.verify_each;
    run_options.reproducer = options_.reproducer;
    if (!options_.dump.empty()) {
      auto dump = parse_dump_options(options_.dump, registry_);
      if (!dump) return usage(dump.diagnostics()[0].message);
      run_options.dump = dump.take();
      run_options.dump_to = &streams_.err;
    }
    auto report = kir::run(module, pipeline, run_options);
    if (!report) return fail(report.diagnostics());
    if (options_.time) streams_.err << time_table(*report);
    return write(print(module));
  }

  const OptOptions& options_;
  const PassRegistry& registry_;
  OptStreams streams_;
};

}  // namespace

int run_opt(const OptOptions& options, const PassRegistry& registry, OptStreams streams) {
  return Tool(options, registry, streams).run();
}

}  // namespace spirea::kir
