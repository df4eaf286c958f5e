// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <CLI/CLI.hpp>
#include <iostream>

#include "compiler/files.h"
#include "compiler/reduce/command.h"
#include "compiler/reduce/edits.h"
#include "compiler/reduce/reduce.h"
#include "ir/pass/opt.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"

namespace {

using namespace spirea;
using kir::Result;

constexpr const char* kExamples = R"(
The test is a shell command that exits with 0 for a module that shows the failure. {} in it is the module's
file; without {}, the file is its last word.

examples:
  the compiler crashes, or says that something is internal:
    spirea-reduce bug.kir -o small.kir --test 'spireac {} -c -o /dev/null 2>&1 | grep -q "internal error"'
  a pass makes an invalid module:
    spirea-reduce bug.kir --test '! spirea-opt --passes=canonicalize {} -o /dev/null'
  two devices disagree:
    spirea-reduce bug.kir --test ./differs.sh
  a saved reproducer, which names its passes in its first line:
    spirea-reduce bug.kir --test '! spirea-opt --run-reproducer {} -o /dev/null'

exit codes: 0 success, 1 errors in the input, a test that does not accept it, or an internal error, 2 wrong usage)";

struct Request {
  std::string input;
  std::string output = "-";
  std::string test;
  unsigned time_limit = 60;
  unsigned max_tests = 0;
  bool quiet = false;
};

/// The comment lines at the start: a reproducer's passes are there.
std::string leading_comments(const std::string& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] == ';') {
    const std::size_t line_end = text.find('\n', end);
    end = line_end == text.npos ? text.size() : line_end + 1;
  }
  return text.substr(0, end);
}

Result<void> run(const Request& request) {
  auto text = compiler::read_file(request.input);
  if (!text) return text.diagnostics();
  auto module = kir::parse(*text, request.input);
  if (!module) return module.diagnostics();
  const std::string comments = leading_comments(*text);
  const reduce::Command command(request.test, std::chrono::seconds(request.time_limit));
  unsigned tests = 0;

  reduce::Options options;
  options.max_tests = request.max_tests;
  options.progress = request.quiet ? nullptr : &std::cerr;
  options.interesting = [&](const kir::Module& candidate) {
    ++tests;
    return command.accepts(comments + kir::print(candidate));
  };
  if (request.output != "-")
    options.keep = [&](const kir::Module& smaller) {
      return compiler::write_file(request.output, comments + kir::print(smaller));
    };
  const std::size_t before = reduce::count_ops(**module);
  auto reduced = reduce::reduce(module.take(), options);
  if (!reduced) return reduced.diagnostics();
  if (!request.quiet)
    std::cerr << before << " to " << reduce::count_ops(**reduced) << " ops in " << tests << " tests\n";
  return compiler::write_file(request.output, comments + kir::print(**reduced));
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  CLI::App app("Makes a KIR module small while a command still accepts it.", "spirea-reduce");
  app.footer(kExamples);
  app.add_option("input", request.input, "KIR file; - is the standard input")->required();
  app.add_option("-o", request.output,
                 "output file, kept up to date; - is the standard output, and the default");
  app.add_option("--test", request.test, "the command")->required();
  app.add_option("--time-limit", request.time_limit,
                 "seconds for one run of the command, which then counts as failed (default: 60)")
      ->check(CLI::PositiveNumber);
  app.add_option("--max-tests", request.max_tests, "stop after this many runs (default: no limit)");
  app.add_flag("--quiet", request.quiet, "no progress on the standard error");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kir::kExitSuccess : kir::kExitUsage;
  }
  auto done = run(request);
  if (done) return kir::kExitSuccess;
  std::cerr << kir::to_string(done.diagnostics());
  return kir::kExitErrors;
}
