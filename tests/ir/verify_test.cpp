// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "ir/core/builder.h"
#include "tests/ir/support.h"

namespace spirea::kir::test {
namespace {

/// The first lines of the messages.
std::vector<std::string> messages(const Module& module) {
  std::vector<std::string> result;
  const auto valid = verify(module);
  for (const Diagnostic& d : valid.diagnostics()) result.push_back(d.message.substr(0, d.message.find('\n')));
  return result;
}

/// The messages for a body that ends with return.
std::vector<std::string> messages(const std::string& body, const std::string& module_level = "") {
  auto module = parse_or_fail(kernel_text(body + "\nreturn", module_level));
  return module == nullptr ? std::vector<std::string>{"does not parse"} : messages(*module);
}

using Messages = std::vector<std::string>;

std::string rule(Opcode opcode) {
  return "types do not follow the rule: " + std::string(rule_text(info(opcode).rule));
}

TEST(Verify, PointsIntoThePrintedModule) {
  auto module =
      parse_or_fail(kernel_text("  %0 = add %n, %x : i32 !1\n  return", "loc !1 \"k.cpp\" 7 3 \"k\"\n"));
  const auto valid = verify(*module);
  ASSERT_EQ(valid.diagnostics().size(), 1u);
  EXPECT_EQ(to_string(valid.diagnostics()),
            "<kir>:10:3: error: types do not follow the rule: iN, iN -> iN\n"
            "  %0 = add %n, %x : i32 !1\n"
            "  ^\n"
            "k.cpp:7:3: note: compiled from here\n");
}

TEST(Verify, CollectsEveryError) {
  EXPECT_EQ(messages("%0 = add %n, %x : i32\n%1 = fadd %x, %n : f32\n%2 = load %p align 3 : i32"),
            (Messages{rule(Opcode::Add), rule(Opcode::FAdd), "alignment is not a power of two"}));
}

TEST(Verify, Structure) {
  EXPECT_EQ(messages("return"), Messages{"terminator in the middle of a region"});
  EXPECT_EQ(messages("block @b {\n}"), Messages{"region does not end with a terminator"});
  EXPECT_EQ(messages("block @b {\n%0 = add %n, %n : i32\n}"),
            Messages{"region does not end with a terminator"});
  EXPECT_EQ(messages("%0 = add %n : i32"), Messages{"expected 2 operands, found 1"});
  EXPECT_EQ(messages("%0 = add : i32"), Messages{"expected 2 operands, found 0"});
  EXPECT_EQ(messages("add %n, %n"), Messages{"expected 1 results, found 0"});
  EXPECT_EQ(messages("%0 = store %p, %n align 4 : i32"), Messages{"expected 0 results, found 1"});
  EXPECT_EQ(messages("block @b {\n%0 = object size 4 align 4 : ptr<private>\nbreak @b\n}"),
            Messages{"object outside of the kernel's body"});
  EXPECT_EQ(messages("block @b {\n%0 = add %n, %n : i32\nbreak @b\n}\n%1 = add %0, %0 : i32"),
            (Messages{"operand 0 is not visible here", "operand 1 is not visible here"}));
  EXPECT_EQ(messages("block @b {\ncontinue @b\n}"), Messages{"continue of something that is not a loop"});
  EXPECT_EQ(messages("%0 = block @b : i32 {\nbreak @b\n}"), Messages{"target takes 1 values, found 0"});
  EXPECT_EQ(messages("loop @l (%i = %n : i32) {\ncontinue @l\n}"),
            Messages{"target takes 1 values, found 0"});
  EXPECT_EQ(messages("%0 = address_of @t : ptr<constant>"), Messages{"no constant is named 't'"});
}

TEST(Verify, Modules) {
  const std::string constant = "constant @c size 2 align 1 bytes \"0000\"\n";
  EXPECT_EQ(messages("", constant), Messages{});
  EXPECT_EQ(messages("", constant + constant), Messages{"two constants are named 'c'"});
  EXPECT_EQ(messages("", "constant @c size 3 align 1 bytes \"0000\"\n"),
            Messages{"constant 'c' has not as many bytes as its size"});
  EXPECT_EQ(messages("", "constant @c size 2 align 3 bytes \"0000\"\n"),
            Messages{"object alignment is not a power of two, or too large"});
  EXPECT_EQ(messages("", "constant @c size 2 align 1 element i32 bytes \"0000\"\n"),
            Messages{"object size is not a multiple of the element's"});
  EXPECT_EQ(messages("", "constant @c size 0 align 1 bytes \"\"\n"),
            Messages{"object size is zero or too large"});
  const std::string text = kernel_text("return");
  EXPECT_EQ(messages(*parse_or_fail(text + text.substr(text.find("kernel")))),
            Messages{"two kernels are named 'k'"});
}

TEST(Verify, Manifests) {
  auto module = parse_or_fail(kernel_text("return"));
  module->kernels[0]->manifest.params[1].leaves[0].scalar = abi::Scalar::F32;
  EXPECT_EQ(messages(*module), Messages{"argument 2 of kernel 'k' has not the type of its leaf"});
  module->kernels[0]->manifest.params.pop_back();
  EXPECT_EQ(messages(*module).back(), "kernel 'k' has 4 arguments for 3 leaves");
  module->kernels[0]->manifest.params[0].element_size = 0;
  EXPECT_EQ(messages(*module)[0], "manifest of kernel 'k': parameter 'p' has elements without a size");
}

struct TypeCase {
  Opcode opcode;
  const char* body;
};

/// One wrong use of each rule that has types.
constexpr TypeCase kTypeCases[] = {
    {Opcode::Freeze, "%0 = freeze %n : i64"},
    {Opcode::IAbs, "%0 = iabs %x : f32"},
    {Opcode::Add, "%0 = add %n, %p_size : i32"},
    {Opcode::FNeg, "%0 = fneg %n : i32"},
    {Opcode::FMul, "%0 = fmul %x, %x : f64"},
    {Opcode::Fma, "%0 = fma %x, %x, %n : f32"},
    {Opcode::IEq, "%0 = ieq %x, %x : i1"},
    {Opcode::ULt, "%0 = ult %n, %n : i32"},
    {Opcode::FOEq, "%0 = foeq %n, %n : i1"},
    {Opcode::IsNan, "%0 = is_nan %n : i1"},
    {Opcode::Select, "%0 = select %n, %n, %n : i32"},
    {Opcode::Trunc, "%0 = trunc %n : i32"},
    {Opcode::ZExt, "%0 = zext %n : i16"},
    {Opcode::FpTrunc, "%0 = fptrunc %x : f64"},
    {Opcode::FpExt, "%0 = fpext %x : f32"},
    {Opcode::FpToSi, "%0 = fptosi %n : i32"},
    {Opcode::UiToFp, "%0 = uitofp %x : f32"},
    {Opcode::Bitcast, "%0 = bitcast %n : f64"},
    {Opcode::Bitcast, "%0 = bitcast %n : i32"},
    {Opcode::PtrToInt, "%0 = ptr_to_int %p : i32"},
    {Opcode::IntToPtr, "%0 = int_to_ptr %n : ptr<private>"},
    {Opcode::ToGeneric, "%0 = to_generic %p : ptr<private>"},
    {Opcode::Object, "%0 = object size 4 align 4 : ptr<global>"},
    {Opcode::Offset, "%0 = offset %p, %n scale 1 disp 0 : ptr<private>"},
    {Opcode::Offset, "%0 = offset %p, %x scale 1 disp 0 : ptr<global>"},
    {Opcode::Load, "%0 = load %n align 4 : i32"},
    {Opcode::Store, "store %n, %n align 4"},
    {Opcode::GlobalId, "%0 = global_id x : i64"},
    {Opcode::DynamicShared, "%0 = dynamic_shared align 4 : ptr<private>"},
    {Opcode::AtomicGet, "%0 = atomic_load %n align 4 scope device order relaxed : i32"},
    {Opcode::AtomicSet, "atomic_store %p, %p align 8 scope device order relaxed"},
    {Opcode::AtomicAdd, "%0 = atomic_add %p, %x align 4 scope device order relaxed : f32"},
    {Opcode::AtomicFAdd, "%0 = atomic_fadd %p, %n align 4 scope device order relaxed : i32"},
    {Opcode::AtomicCas, "%0 = atomic_compare_exchange %p, %n, %x align 4 scope device order relaxed : i32"},
    {Opcode::SubgroupSize, "%0 = subgroup_size : i64"},
    {Opcode::SubgroupElect, "%0 = subgroup_elect : i32"},
    {Opcode::SubgroupAll, "%0 = subgroup_all %n : i1"},
    {Opcode::SubgroupAllEqual, "%0 = subgroup_all_equal %p : i1"},
    {Opcode::SubgroupBallot, "%0 = subgroup_ballot %n : i64"},
    {Opcode::SubgroupFirst, "%0 = subgroup_broadcast_first %n : f32"},
    {Opcode::SubgroupShuffle, "%0 = subgroup_shuffle %x, %x : f32"},
    {Opcode::GroupAdd, "%0 = subgroup_add %x reduce : f32"},
    {Opcode::GroupFAdd, "%0 = subgroup_fadd %n reduce : i32"},
    {Opcode::If, "if %n @a {\nbreak @a\n} else {\nbreak @a\n}"},
    {Opcode::Switch, "switch %x @a {\ndefault: {\nbreak @a\n}\n}"},
    {Opcode::Loop, "loop @l (%i = %n : i64) {\nbreak @l\n}"},
};

TEST(Verify, TypeRules) {
  for (const TypeCase& c : kTypeCases) EXPECT_EQ(messages(c.body), Messages{rule(c.opcode)}) << c.body;
}

TEST(Verify, EveryRuleWithTypesIsTested) {
  std::set<OpRule> tested{OpRule::Const, OpRule::Undef, OpRule::AddressOf, OpRule::Break, OpRule::Continue};
  const std::set<OpRule> without_types{OpRule::Effect, OpRule::Block, OpRule::Terminator};
  for (const TypeCase& c : kTypeCases) tested.insert(info(c.opcode).rule);
  for (std::size_t i = 0; i < kNumOpcodes; ++i) {
    const OpRule r = info(static_cast<Opcode>(i)).rule;
    EXPECT_TRUE(tested.count(r) + without_types.count(r) == 1) << rule_text(r);
  }
  EXPECT_EQ(messages("%0 = address_of @c : ptr<global>", "constant @c size 1 align 1 bytes \"00\"\n"),
            Messages{rule(Opcode::AddressOf)});
  EXPECT_EQ(messages("%0 = block @b : i32 {\nbreak @b(%x)\n}"), Messages{rule(Opcode::Break)});
  EXPECT_EQ(messages("loop @l (%i = %n : i32) {\ncontinue @l(%x)\n}"), Messages{rule(Opcode::Continue)});
}

TEST(Verify, Attributes) {
  EXPECT_EQ(messages("%0 = load %p align 3 : i32"), Messages{"alignment is not a power of two"});
  EXPECT_EQ(messages("%0 = load %p align 0 : i32"), Messages{"alignment is not a power of two"});
  EXPECT_EQ(messages("%0 = object size 0 align 4 : ptr<private>"),
            Messages{"object size is zero or too large"});
  EXPECT_EQ(messages("%0 = object size 4 align 8192 : ptr<private>"),
            Messages{"object alignment is not a power of two, or too large"});
  EXPECT_EQ(messages("%0 = object size 67108865 align 4 : ptr<private>"),
            Messages{"object size is zero or too large"});
  EXPECT_EQ(messages("%0 = object size 6 align 4 element i32 : ptr<private>"),
            Messages{"object size is not a multiple of the element's"});
  EXPECT_EQ(messages("%0 = trunc %n : i8\n%1 = byte_swap %0 : i8"),
            Messages{"operand is not of whole bytes, at least two"});
  EXPECT_EQ(messages("%0 = atomic_add %p, %n align 2 scope device order relaxed : i32"),
            Messages{"an atomic access is aligned to its size"});
  EXPECT_EQ(messages("%0 = atomic_load %p align 4 scope device order release : i32"),
            Messages{"a load does not release"});
  EXPECT_EQ(messages("atomic_store %p, %n align 4 scope device order acquire"),
            Messages{"a store does not acquire"});
  EXPECT_EQ(messages("barrier scope device order acq_rel"),
            Messages{"the scope of a barrier is the subgroup or the workgroup"});
  EXPECT_EQ(messages("fence scope device order relaxed"), Messages{"unknown order"});
  EXPECT_EQ(messages("%0 = subgroup_add %n clustered 3 : i32"),
            Messages{"cluster size is not a power of two"});
  EXPECT_EQ(messages("%0 = subgroup_rotate %n, %n inclusive : i32"),
            Messages{"a rotation is of the subgroup or of clusters"});
  const std::string end = ": {\nbreak @s\n}\ndefault: {\nbreak @s\n}\n}";
  EXPECT_EQ(messages("switch %n @s {\ncase 1, 2, 1" + end), Messages{"case value 1 appears twice"});
  EXPECT_EQ(messages("switch %n @s {\ncase 4294967296" + end),
            Messages{"case value 4294967296 does not fit the operand"});
  EXPECT_EQ(messages("%0 = address_of @c : ptr<constant>\nstore %0, %n align 1",
                     "constant @c size 1 align 1 bytes \"00\"\n"),
            Messages{rule(Opcode::Store)});
}

/// What only code can build: the verifier must survive it.
TEST(Verify, SurvivesMalformedModules) {
  auto module = parse_or_fail(kernel_text("return"));
  Region& body = module->kernels[0]->body;
  Op* end = body.first();
  Value* n = body.argument(2);

  Op* no_attribute = Builder(end).create(Opcode::Const, {}, std::array{Type::i32()});
  EXPECT_EQ(messages(*module), Messages{"operation has not the attribute of its kind"});
  no_attribute->erase();

  Op* no_operand =
      Builder(end).create(Opcode::Freeze, std::array<Value*, 1>{nullptr}, std::array{Type::i32()});
  EXPECT_EQ(messages(*module), Messages{"operand 0 is not visible here"});
  no_operand->erase();

  Op* no_regions = Builder(end).create(Opcode::If, std::array{n}, {});
  EXPECT_EQ(messages(*module), Messages{"expected 2 regions, found 0"});
  no_regions->erase();

  Op* no_arguments = Builder(end).create(Opcode::Loop, std::array{n}, {}, {}, 1);
  Builder(no_arguments->region()).ret();
  EXPECT_EQ(messages(*module), Messages{"region has the wrong number of arguments"});
  no_arguments->erase();

  Op* odd_type = Builder(end).create(Opcode::Undef, {}, std::array{Type::integer(7)});
  EXPECT_EQ(messages(*module), Messages{"result type is not legal"});
  odd_type->erase();

  Op* no_target = Builder(end).create(Opcode::Break, {}, {}, TargetAttr{});
  EXPECT_EQ(messages(*module),
            (Messages{"terminator in the middle of a region", "target does not enclose this operation"}));
  no_target->erase();

  Value* bits = Builder(end).create(Opcode::Const, {}, std::array{Type::i8()}, LiteralAttr{256})->result();
  EXPECT_EQ(messages(*module), Messages{"constant does not fit its type"});
  bits->def()->erase();

  end->erase();
  EXPECT_EQ(messages(*module), Messages{"region does not end with a terminator"});
}

}  // namespace
}  // namespace spirea::kir::test
