// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sstream>

#include "ir/core/builder.h"
#include "ir/pass/opt.h"
#include "ir/pass/reference.h"
#include "ir/pass/runner.h"
#include "tests/ir/support.h"

namespace spirea::kir::test {
namespace {

// Passes that misbehave, for the runner to notice.

Result<bool> lies(Module& module) {
  Builder(module.kernels[0]->body.first()).i32(1);
  return false;
}
Result<bool> breaks(Module& module) {
  module.kernels[0]->body.last()->erase();
  return true;
}
Result<bool> fails(Module&) { return Diagnostic::error("cannot do it"); }
Result<bool> does_nothing(Module&) { return false; }
Result<bool> makes_dead_op(Module& module) {
  Builder(module.kernels[0]->body.first()).i32(1);
  return true;
}

constexpr PassInfo kTestPasses[] = {
    {"lies", "changes without saying so", {}, {}, {}, lies},
    {"breaks", "leaves no terminator", {}, {}, {}, breaks},
    {"fails", "returns an error", {}, {}, {}, fails},
    {"needs-canonical", "", {Property::Canonical}, {}, {}, does_nothing},
    {"needs-both", "", {Property::Canonical, Property::NoDeadOps}, {}, {}, does_nothing},
    {"makes-dead", "says the opposite of what it does", {}, {Property::NoDeadOps}, {}, makes_dead_op},
};
constexpr PipelineInfo kTestPipelines[] = {
    {"twice", "", "optimize, optimize"},
    {"endless", "", "endless"},
};

PassRegistry test_registry() {
  PassRegistry registry = ir_registry();
  registry.add(kTestPasses, kTestPipelines);
  return registry;
}

Pipeline pipeline(const std::string& text) {
  auto result = parse_pipeline(text, test_registry());
  EXPECT_TRUE(result) << to_string(result.diagnostics());
  return result ? result.take() : Pipeline();
}

std::string first_error(const Result<RunReport>& result) {
  return result ? "" : result.diagnostics()[0].message;
}

std::unique_ptr<Module> example() {
  return parse_or_fail(kernel_text("  %0 = add %n, %n : i32\n  store %p, %n align 4\n  return"));
}

TEST(Pipeline, ParsesNamesOfPassesAndPipelines) {
  EXPECT_EQ(to_string(pipeline("dce")), "dce");
  EXPECT_EQ(to_string(pipeline("optimize")), "canonicalize,cse,canonicalize,dce");
  EXPECT_EQ(to_string(pipeline(" cse , twice,dce")),
            "cse," + to_string(pipeline("optimize")) + "," + to_string(pipeline("optimize")) + ",dce");
  EXPECT_TRUE(pipeline("").empty());
}

TEST(Pipeline, RefusesUnknownNamesAndEndlessPipelines) {
  const auto unknown = parse_pipeline("dce,frob", ir_registry());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.diagnostics()[0].message,
            "no pass is named 'frob'; there are: canonicalize, cse, dce, optimize");
  EXPECT_FALSE(parse_pipeline("endless", test_registry()));
}

TEST(Pipeline, NamedPipelinesAreInOrder) {
  const PassRegistry registry = ir_registry();
  EXPECT_FALSE(registry.pipelines().empty());
  for (const PipelineInfo* info : registry.pipelines()) {
    auto passes = parse_pipeline(info->passes, registry);
    ASSERT_TRUE(passes) << info->name;
    const auto ordered = check_order(*passes);
    EXPECT_TRUE(ordered) << info->name << ": " << to_string(ordered.diagnostics());
  }
}

TEST(Pipeline, OrderFollowsProperties) {
  EXPECT_FALSE(check_order(pipeline("needs-canonical")));
  EXPECT_TRUE(check_order(pipeline("needs-canonical"), {Property::Canonical}));
  EXPECT_TRUE(check_order(pipeline("canonicalize,cse,needs-canonical")));
  EXPECT_TRUE(check_order(pipeline("canonicalize,dce,needs-both")));
  const auto wrong = check_order(pipeline("dce,canonicalize,needs-both"));
  ASSERT_FALSE(wrong) << "canonicalize leaves dead ops";
  EXPECT_EQ(wrong.diagnostics()[0].message,
            "pass 'needs-both' needs 'no-dead-ops', which no pass before it establishes and keeps");
}

TEST(Runner, RunsAndReports) {
  auto module = example();
  const auto report = run(*module, pipeline("optimize,dce"));
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->changed);
  ASSERT_EQ(report->runs.size(), 5u);
  EXPECT_TRUE(report->runs[3].changed);
  EXPECT_FALSE(report->runs[4].changed);
  const std::string table = time_table(*report);
  EXPECT_NE(table.find("yes  dce\n"), std::string::npos) << table;
  EXPECT_NE(table.find("no  dce\n"), std::string::npos) << table;
}

TEST(Runner, NoticesPassesThatMisbehave) {
  const auto error = [](const char* passes) { return first_error(run(*example(), pipeline(passes))); };
  EXPECT_EQ(
      error("lies"),
      "internal error: pass 'lies' changed the module without saying so; please report it with a reproducer");
  EXPECT_EQ(
      error("breaks"),
      "internal error: pass 'breaks' left a module that is not valid; please report it with a reproducer");
  EXPECT_EQ(error("makes-dead"),
            "internal error: pass 'makes-dead' did not establish 'no-dead-ops'; please report it with a "
            "reproducer");
  EXPECT_EQ(error("dce,fails"), "cannot do it");
  EXPECT_EQ(error("dce"), "");
}

TEST(Runner, LooksAtTheModuleForWhatNoPassEstablishes) {
  EXPECT_EQ(first_error(run(*example(), pipeline("needs-canonical"))), "") << "it is canonical";
  EXPECT_EQ(first_error(run(*example(), pipeline("needs-both"))),
            "pass 'needs-both' needs 'no-dead-ops', which no pass before it establishes and keeps");
}

TEST(Runner, Dumps) {
  const PassRegistry registry = ir_registry();
  const auto dumped = [&](const char* what) {
    std::ostringstream out;
    RunOptions options;
    options.dump = *parse_dump_options(what, registry);
    options.dump_to = &out;
    auto module = example();
    EXPECT_TRUE(run(*module, pipeline("cse,dce"), options));
    std::vector<std::string> headers;
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(";")) headers.push_back(line);
    return headers;
  };
  using Headers = std::vector<std::string>;
  EXPECT_EQ(dumped("before"), (Headers{"; before cse", "; before dce"}));
  EXPECT_EQ(dumped("after"), (Headers{"; after cse", "; after dce"}));
  EXPECT_EQ(dumped("changed"), (Headers{"; after dce"}));
  EXPECT_EQ(dumped("before,after,cse"), (Headers{"; before cse", "; after cse"}));
  EXPECT_EQ(dumped("dce"), (Headers{"; after dce"}));
  EXPECT_FALSE(parse_dump_options("sometimes", registry));
}

TEST(Runner, WritesAReproducerThatStaysOnFailure) {
  const std::string path = testing::TempDir() + "spirea-reproducer.kir";
  RunOptions options;
  options.reproducer = path;
  EXPECT_TRUE(run(*example(), pipeline("optimize"), options));
  EXPECT_FALSE(std::filesystem::exists(path)) << "removed on success";

  EXPECT_FALSE(run(*example(), pipeline("dce,breaks,cse"), options));
  const std::string text = read_file(path);
  EXPECT_EQ(reproducer_passes(text), "breaks,cse");
  EXPECT_EQ(text.find("add"), std::string::npos) << "it is the module after dce:\n" << text;

  OptOptions opt;
  opt.inputs = {path};
  opt.run_reproducer = true;
  std::istringstream in;
  std::ostringstream out, err;
  EXPECT_EQ(run_opt(opt, test_registry(), {in, out, err}), kExitErrors);
  EXPECT_NE(err.str().find("pass 'breaks' left a module that is not valid"), std::string::npos) << err.str();
  std::filesystem::remove(path);

  options.reproducer = "/nowhere/at/all.kir";
  EXPECT_EQ(first_error(run(*example(), pipeline("dce"), options)), "cannot write '/nowhere/at/all.kir'");
}

TEST(Reference, ListsEveryOpAndPass) {
  const std::string ops = ops_reference();
  for (std::size_t i = 0; i < kNumOpcodes; ++i)
    EXPECT_NE(ops.find("| `" + std::string(mnemonic(static_cast<Opcode>(i))) + "` |"), std::string::npos);
  const std::string passes = passes_reference(ir_registry());
  for (const PassInfo& pass : ir_passes())
    EXPECT_NE(passes.find("| `" + std::string(pass.name) + "` |"), std::string::npos);
}

TEST(Reference, OpsPageIsCurrent) {
  EXPECT_EQ(read_file(std::filesystem::path(SPIREA_SOURCE_DIR) / "docs/reference/ops.md"), ops_reference())
      << "accept with: spirea-opt --print-reference=ops -o docs/reference/ops.md";
}

}  // namespace
}  // namespace spirea::kir::test
