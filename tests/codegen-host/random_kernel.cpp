// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/codegen-host/random_kernel.h"

#include <random>
#include <vector>

#include "ir/core/builder.h"

namespace codegen_host {
namespace {

using namespace spirea;
using kir::Op;
using kir::Opcode;
using kir::Region;
using kir::Type;
using kir::Value;

constexpr unsigned kMaxDepth = 5;
constexpr unsigned kMaxStructured = 40;

class Generator {
 public:
  Generator(kir::Kernel& kernel, std::uint64_t seed) : builder_(kernel.body), random_(seed) {
    const auto element = [&](std::size_t parameter, Value* index) {
      return builder_.offset(kernel.body.argument(2 * parameter), index, 4);
    };
    Value* id = builder_.dim(Opcode::GlobalId, kir::Dim::X);
    Value* input = element(0, id);
    trace_ = element(1, id);
    fuel_ = element(2, id);
    scope_.push_back(load(input));
    for (const std::uint32_t constant : {0u, 1u, 3u, 0x9e3779b9u}) scope_.push_back(builder_.i32(constant));
    fill(kernel.body, 0);
  }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  Value* any() { return scope_[below(static_cast<unsigned>(scope_.size()))]; }
  Value* load(Value* pointer) { return builder_.load(Type::i32(), pointer, {4, false}); }

  Value* condition() {
    constexpr Opcode kinds[] = {Opcode::IEq, Opcode::INe, Opcode::SLt, Opcode::ULe, Opcode::SGt, Opcode::UGe};
    Value* left = any();
    Value* right = any();
    return builder_.compare(kinds[below(std::size(kinds))], left, right);
  }

  void arithmetic() {
    constexpr Opcode kinds[] = {Opcode::Add,  Opcode::Sub,  Opcode::Mul,   Opcode::Xor,
                                Opcode::SMin, Opcode::UMax, Opcode::UMulHi};
    Value* left = any();
    Value* right = any();
    scope_.push_back(builder_.binary(kinds[below(std::size(kinds))], left, right));
  }

  /// trace = trace * 31 + value + place: sensitive to the order of places.
  void record() {
    Value* old = load(trace_);
    Value* scaled = builder_.binary(Opcode::Mul, old, builder_.i32(31));
    Value* sum = builder_.binary(Opcode::Add, scaled, any());
    Value* place = builder_.i32(++places_);
    builder_.store(trace_, builder_.binary(Opcode::Add, sum, place), {4, false});
  }

  std::vector<Type> random_types() { return std::vector<Type>(below(4), Type::i32()); }

  std::vector<Value*> random_values(std::size_t count) {
    std::vector<Value*> values(count);
    for (Value*& value : values) value = any();
    return values;
  }

  /// Fills an empty region; what it defines leaves the scope at its end.
  void fill(Region& region, unsigned depth) {
    builder_.set_end(region);
    const std::size_t visible = scope_.size();
    for (const auto& argument : region.arguments())
      if (region.parent() != nullptr) scope_.push_back(argument.get());
    if (region.parent() != nullptr && region.parent()->is(Opcode::Loop)) burn_fuel();
    const unsigned count = 1 + below(4);
    for (unsigned i = 0; i < count; ++i) {
      arithmetic();
      if (below(3) == 0) record();
      if (depth < kMaxDepth && structured_ < kMaxStructured && below(5) < 3) structured(depth);
    }
    record();
    terminate();
    scope_.resize(visible);
  }

  void burn_fuel() {
    Value* left = builder_.binary(Opcode::Sub, load(fuel_), builder_.i32(1));
    builder_.store(fuel_, left, {4, false});
    Value* empty = builder_.compare(Opcode::SLe, left, builder_.i32(0));
    Op* stop = builder_.if_op(empty);
    Region& after = builder_.region();
    builder_.set_end(stop->region(0));
    builder_.ret();
    builder_.set_end(stop->region(1));
    builder_.break_to(stop);
    builder_.set_end(after);
  }

  void structured(unsigned depth) {
    ++structured_;
    Region& around = builder_.region();
    const std::vector<Type> types = random_types();
    Op* op = create(types);
    targets_.push_back(op);
    for (const auto& region : op->regions()) fill(*region, depth + 1);
    targets_.pop_back();
    builder_.set_end(around);
    for (std::size_t i = 0; i < op->num_results(); ++i) scope_.push_back(op->result(i));
  }

  Op* create(const std::vector<Type>& types) {
    switch (below(4)) {
      case 0: return builder_.if_op(condition(), types);
      case 1: return builder_.block(types);
      case 2: return builder_.loop(random_values(below(4)), types);
    }
    Value* three = builder_.i32(3);
    Value* operand = builder_.binary(Opcode::And, any(), three);
    return builder_.switch_op(operand, kir::CasesAttr{{{0, 2}, {3}}}, types);
  }

  /// Mostly to the nearest op, so that something comes after it.
  void terminate() {
    if (targets_.empty() || below(12) == 0) {
      builder_.ret();
      return;
    }
    const unsigned levels = below(3) != 0 ? 0 : below(static_cast<unsigned>(targets_.size()));
    Op* target = targets_[targets_.size() - 1 - levels];
    if (target->is(Opcode::Loop) && below(2) == 0)
      builder_.continue_to(target, random_values(target->region().arguments().size()));
    else
      builder_.break_to(target, random_values(target->num_results()));
  }

  kir::Builder builder_;
  std::mt19937_64 random_;
  std::vector<Value*> scope_;
  std::vector<Op*> targets_;
  Value* trace_ = nullptr;
  Value* fuel_ = nullptr;
  std::uint32_t places_ = 0;
  unsigned structured_ = 0;
};

abi::Param buffer(const char* name, abi::Access access) {
  abi::Param param;
  param.name = name;
  param.kind = abi::ParamKind::Buffer;
  param.type = "std::span<int>";
  param.size = 16;
  param.align = 8;
  param.element = "int";
  param.element_size = 4;
  param.element_align = 4;
  param.access = access;
  param.leaves = {{abi::Scalar::Ptr, 0, 0}, {abi::Scalar::I64, 0, 8}};
  return param;
}

}  // namespace

std::unique_ptr<kir::Module> random_kernel(std::uint64_t seed) {
  auto module = std::make_unique<kir::Module>();
  auto kernel = std::make_unique<kir::Kernel>();
  kernel->manifest.name = kernel->manifest.key = kernel->manifest.display = "random";
  kernel->manifest.file = "random.cpp";
  kernel->manifest.params = {buffer("in", abi::Access::Read), buffer("trace", abi::Access::ReadWrite),
                             buffer("fuel", abi::Access::ReadWrite)};
  abi::assign_block_offsets(kernel->manifest);
  for (const abi::Param& param : kernel->manifest.params)
    for (const abi::Leaf& leaf : param.leaves) kernel->body.add_argument(kir::type_of(leaf.scalar));
  Generator(*kernel, seed);
  module->kernels.push_back(std::move(kernel));
  return module;
}

}  // namespace codegen_host
