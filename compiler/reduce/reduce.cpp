// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/reduce/reduce.h"

#include <algorithm>
#include <ostream>
#include <unordered_set>

#include "compiler/reduce/edits.h"
#include "ir/core/clone.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"

namespace spirea::reduce {

using kir::Diagnostic;
using kir::Module;
using kir::Result;

namespace {

/// Delta debugging: of the edits that a strategy offers, all at once, then halves, quarters, down to single
/// ones; then the next strategy; and all strategies again until none helps.
class Search {
 public:
  Search(std::unique_ptr<Module> module, const Options& options)
      : options_(options), best_(std::move(module)), best_cost_(cost(*best_)) {}

  Result<void> run() {
    for (bool smaller = true; smaller && !stopped();) {
      smaller = false;
      for (const Strategy& strategy : strategies()) {
        auto result = run(strategy);
        if (!result) return result.diagnostics();
        smaller |= *result;
      }
    }
    return {};
  }

  std::unique_ptr<Module> take() { return std::move(best_); }

 private:
  bool stopped() const { return options_.max_tests != 0 && tests_ >= options_.max_tests; }

  std::size_t offered(const Strategy& strategy) { return strategy.collect(*best_).size(); }

  Result<bool> run(const Strategy& strategy) {
    const std::size_t ops_before = count_ops(*best_);
    const unsigned tests_before = tests_;
    bool smaller = false;
    for (std::size_t chunk = offered(strategy); chunk != 0 && !stopped(); chunk /= 2) {
      // From the end, so that what is removed does not move what is still to be tried.
      for (std::size_t end = offered(strategy); end != 0 && !stopped();) {
        const std::size_t begin = end - std::min(chunk, end);
        auto accepted = attempt(strategy, begin, end);
        if (!accepted) return accepted;
        smaller |= *accepted;
        end = *accepted ? std::min(begin, offered(strategy)) : begin;
      }
    }
    if (smaller && options_.progress != nullptr)
      *options_.progress << strategy.name << ": " << ops_before << " to " << count_ops(*best_) << " ops, "
                         << tests_ - tests_before << " tests" << std::endl;
    return smaller;
  }

  /// Tries the edits [begin, end) together on a copy, which takes the module's place if it is accepted.
  Result<bool> attempt(const Strategy& strategy, std::size_t begin, std::size_t end) {
    std::unique_ptr<Module> candidate = kir::clone(*best_);
    const std::vector<Edit> edits = strategy.collect(*candidate);
    for (std::size_t i = std::min(end, edits.size()); i-- > begin;) edits[i]();
    const std::uint64_t candidate_cost = cost(*candidate);
    if (candidate_cost >= best_cost_ || !kir::verify(*candidate)) return false;
    if (!tried_.insert(std::hash<std::string>()(kir::print(*candidate))).second) return false;
    ++tests_;
    auto interesting = options_.interesting(*candidate);
    if (!interesting || !*interesting) return interesting;
    best_ = std::move(candidate);
    best_cost_ = candidate_cost;
    if (options_.keep)
      if (auto kept = options_.keep(*best_); !kept) return kept.diagnostics();
    return true;
  }

  const Options& options_;
  std::unique_ptr<Module> best_;
  std::uint64_t best_cost_;
  unsigned tests_ = 0;
  std::unordered_set<std::size_t> tried_;
};

}  // namespace

Result<std::unique_ptr<Module>> reduce(std::unique_ptr<Module> module, const Options& options) {
  if (auto valid = kir::verify(*module); !valid) return valid.diagnostics();
  auto interesting = options.interesting(*module);
  if (!interesting) return interesting.diagnostics();
  if (!*interesting)
    return Diagnostic::error(
        "the test does not accept the input: it must exit with 0 for a module that shows the failure");
  Search search(std::move(module), options);
  if (auto done = search.run(); !done) return done.diagnostics();
  return search.take();
}

}  // namespace spirea::reduce
