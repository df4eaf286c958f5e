// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workgroup memory, barriers, atomics and subgroup operations on their way to KIR, and what the compiler says
// of barriers that not all invocations reach.
#include <gmock/gmock.h>

#include "ir/text/printer.h"
#include "tests/frontend/compile.h"

namespace frontend_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string kir_of(const std::string& text) {
  const auto output = compile(text);
  EXPECT_EQ(output.errors, 0u) << output.messages;
  return output.module == nullptr ? "" : spirea::kir::print(*output.module);
}

constexpr char kFixed[] = "[[spirea::kernel, spirea::workgroup_size(64)]] void k(int* out) {\n";

std::string messages(const std::string& body) { return compile(kFixed + body + "\n}").messages; }

TEST(Shared, is_an_object_in_workgroup_memory_and_counted) {
  const std::string kir =
      kir_of(std::string(kFixed) +
             "[[spirea::shared]] static int tile[64]; [[spirea::shared]] static double d;\n"
             "tile[spirea::local_index()] = out[0]; d = 1; spirea::workgroup_barrier();\n"
             "out[0] = tile[3] + int(d); }");
  EXPECT_THAT(kir, HasSubstr("object size 256 align 16 element i32 : ptr<workgroup>"));
  EXPECT_THAT(kir, HasSubstr("element f64 : ptr<workgroup>"));
  EXPECT_THAT(kir, HasSubstr("barrier scope workgroup order acq_rel"));
  EXPECT_THAT(kir, HasSubstr("264"));
}

/// The barrier is between the store and the load: neither moves over it.
TEST(Barrier, keeps_loads_of_writable_buffers_behind_it) {
  const std::string kir =
      kir_of(std::string(kFixed) +
             "const auto l = spirea::local_index(); out[l] = 1; spirea::workgroup_barrier();\n"
             "out[64 + l] = out[l]; }");
  const std::size_t barrier = kir.find("barrier scope"), load = kir.find("= load");
  ASSERT_NE(barrier, std::string::npos);
  ASSERT_NE(load, std::string::npos);
  EXPECT_LT(barrier, load);
}

TEST(Atomics, become_ops_with_scope_and_order) {
  const std::string kir = kir_of(
      "#include <atomic>\n#include <spirea/atomic.hpp>\n"
      "[[spirea::kernel]] void k(int* a, float* f, unsigned char* b) {\n"
      "std::atomic_ref<int>(a[0]).fetch_add(1, std::memory_order_relaxed);\n"
      "std::atomic_ref<float>(f[0]).fetch_add(1.0f);\n"
      "spirea::atomic_ref<unsigned char, spirea::memory_scope::workgroup>(b[0]).fetch_max(3, "
      "std::memory_order_acquire);\n"
      "a[1] = std::atomic_ref<int>(a[2]).load(); }");
  EXPECT_THAT(kir, HasSubstr("atomic_add"));
  EXPECT_THAT(kir, HasSubstr("atomic_fadd"));
  EXPECT_THAT(kir, Not(HasSubstr("atomic_compare_exchange")));
  EXPECT_THAT(kir, HasSubstr("atomic_umax"));
  EXPECT_THAT(kir, HasSubstr("scope workgroup order acquire"));
  EXPECT_THAT(kir, HasSubstr("order relaxed"));
}

TEST(SubgroupSize, is_in_the_manifest) {
  const auto output =
      compile("[[spirea::kernel, spirea::subgroup_size(32)]] void k(int* out) { out[0] = 1; }");
  ASSERT_NE(output.module, nullptr) << output.messages;
  EXPECT_EQ(output.module->kernels[0]->manifest.subgroup_size, 32u);
}

TEST(DivergentBarrier, is_an_error_where_the_condition_can_be_computed) {
  const std::string text = messages("if (spirea::local_id().x < 10)\n  spirea::workgroup_barrier();");
  EXPECT_THAT(text, HasSubstr("error: barrier in divergent control flow"));
  EXPECT_THAT(text, HasSubstr("note: this condition differs between them"));
}

TEST(DivergentBarrier, behind_an_exit_is_an_error) {
  EXPECT_THAT(messages("if (spirea::local_id().x == 3) return;\nspirea::workgroup_barrier(); out[0] = 1;"),
              HasSubstr("error: barrier in divergent control flow"));
}

TEST(DivergentBarrier, is_a_warning_where_the_position_decides) {
  const std::string text = messages(
      "if (spirea::global_id().x >= unsigned(out[-1] & 0) + spirea::global_size().x - 5) return;\n"
      "spirea::workgroup_barrier(); out[0] = 1;");
  EXPECT_THAT(text, HasSubstr("warning: barrier in control flow that may diverge"));
  EXPECT_THAT(text, Not(HasSubstr("error")));
}

TEST(DivergentBarrier, is_a_warning_where_an_atomic_access_decides) {
  const auto output = compile("#include <atomic>\n" + std::string(kFixed) +
                              "if (std::atomic_ref<int>(out[0]).fetch_add(1) == 3) "
                              "return;\nspirea::workgroup_barrier(); out[1] = 1;\n}");
  EXPECT_THAT(output.messages, HasSubstr("invocations of a workgroup may differ in whether they reach it"));
  EXPECT_THAT(output.messages, HasSubstr("this condition may differ between them"));
  EXPECT_THAT(output.messages, Not(HasSubstr("position")));
}

/// Not in the header that has the function, nor with its line as a note.
TEST(DivergentBarrier, is_reported_at_the_users_line) {
  const std::string text = messages(
      "const auto wait = [] {\n  spirea::workgroup_barrier();\n};\nif (spirea::local_id().x < 10)\n  "
      "wait();");
  EXPECT_THAT(text, HasSubstr(":4:3: error: barrier in divergent control flow"));
  EXPECT_THAT(text, HasSubstr(":7:3: note: called from"));
  EXPECT_THAT(text, Not(HasSubstr("subgroup.hpp")));
}

TEST(DivergentBarrier, in_a_loop_that_some_leave_early_is_seen) {
  EXPECT_THAT(
      messages(
          "for (unsigned i = 0; i < spirea::local_id().x; ++i) { out[i] = 1; spirea::workgroup_barrier(); }"),
      HasSubstr("warning: barrier in control flow that may diverge"));
}

TEST(DivergentBarrier, is_none_where_all_invocations_take_the_branch) {
  EXPECT_EQ(messages("if (spirea::local_id().x < 64) spirea::workgroup_barrier();\nout[0] = 1;"), "");
}

/// Who has failed a check misses every barrier.
TEST(DivergentBarrier, is_none_behind_a_check_that_some_fail) {
  const char* check = "if (spirea::local_id().x >= unsigned(out[0])) __builtin_trap();\n";
  const std::string barrier = "spirea::workgroup_barrier(); out[1] = 1;\n";
  EXPECT_EQ(messages(check + barrier), "");
  EXPECT_EQ(messages(check + barrier + check + barrier), "");
  EXPECT_EQ(messages("for (int i = 0; i < 5; ++i) {\n" + (check + barrier) + "}"), "");
  EXPECT_EQ(messages("switch (spirea::local_id().x & unsigned(out[2])) {\n case 0: case 3: break;\n"
                     " case 1: out[4] = 1; __builtin_trap();\n default: __builtin_trap();\n}\n" +
                     barrier),
            "");
  EXPECT_THAT(
      messages("if (spirea::local_id().x == 3) {\n if (out[3] == 4) __builtin_trap();\n return;\n}\n" +
               barrier),
      HasSubstr("error: barrier in divergent control flow"));
}

TEST(DivergentBarrier, is_none_in_uniform_control_flow) {
  EXPECT_EQ(messages("if (spirea::workgroup_id().x % 2 == 0) return;\n"
                     "for (int i = 0; i < 5; ++i) { if (spirea::local_id().x < 3) out[i] = i;\n"
                     "spirea::workgroup_barrier(); }"),
            "");
}

TEST(Shared, address_of_a_local_variable_cannot_be_stored_there) {
  EXPECT_THAT(messages("[[spirea::shared]] static int* p; int x = out[0]; p = &x;\n"
                       "spirea::workgroup_barrier(); out[1] = *p;"),
              HasSubstr("the address of local data is stored in workgroup memory"));
}

}  // namespace
}  // namespace frontend_test
