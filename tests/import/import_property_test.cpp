// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs as LLVM functions with phis and values that live across blocks, through the same passes as a kernel,
// imported and run by the interpreter: the trace must be that of the graph. Irreducible graphs go through
// FixIrreducible.
#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "frontend/import/import.h"
#include "frontend/passes.h"
#include "ir/interp/interp.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"
#include "tests/import/graphs.h"

namespace import_test {
namespace {

using namespace spirea;
using structurize::Cfg;

constexpr std::uint32_t kSteps = 20;
constexpr std::uint32_t kWords = 1 + 3 * kSteps + 16;  // count, records of three words, visits of each block

/// The decision as 32-bit arithmetic that the generated function repeats.
std::uint32_t decide32(std::uint32_t seed, std::uint32_t block, std::uint32_t visit, std::uint32_t n) {
  std::uint32_t x = seed * 1000003u + block * 8191u + visit * 131u;
  x ^= x >> 15;
  x *= 0x2c1b3c6du;
  x ^= x >> 12;
  return x % n;
}

/// `void f(ptr out, i32 seed)`: block b appends (b, predecessor by phi, value of its dominator) and ends
/// after kSteps.
class FunctionBuilder {
 public:
  FunctionBuilder(llvm::Module& module, const Cfg& cfg, const std::string& name)
      : cfg_(cfg), builder_(module.getContext()) {
    llvm::Type *i32 = builder_.getInt32Ty(), *ptr = builder_.getPtrTy();
    function_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), {ptr, i32}, false),
                                       llvm::GlobalValue::ExternalLinkage, name, module);
    function_->addParamAttr(0, llvm::Attribute::NoAlias);
  }

  llvm::Function* build() {
    auto& context = function_->getContext();
    auto* entry = llvm::BasicBlock::Create(context, "entry", function_);
    for (std::size_t b = 0; b < cfg_.size(); ++b) {
      blocks_.push_back(llvm::BasicBlock::Create(context, "b" + std::to_string(b), function_));
      records_.push_back(llvm::BasicBlock::Create(context, "r" + std::to_string(b), function_));
    }
    end_ = llvm::BasicBlock::Create(context, "end", function_);
    builder_.SetInsertPoint(entry);
    builder_.CreateBr(blocks_[0]);
    builder_.SetInsertPoint(end_);
    builder_.CreateRetVoid();
    for (std::size_t b = 0; b < cfg_.size(); ++b) block(b);
    predecessors(entry);
    dominator_values();
    return function_;
  }

 private:
  llvm::Value* at(llvm::Value* index) {
    return builder_.CreateGEP(builder_.getInt32Ty(), function_->getArg(0), index);
  }
  llvm::Value* number(std::uint64_t v) { return builder_.getInt32(static_cast<std::uint32_t>(v)); }
  llvm::Value* load(llvm::Value* pointer) { return builder_.CreateLoad(builder_.getInt32Ty(), pointer); }

  void block(std::size_t b) {
    builder_.SetInsertPoint(blocks_[b]);
    phis_.push_back(builder_.CreatePHI(builder_.getInt32Ty(), 4));
    llvm::Value* count = load(at(number(0)));
    builder_.CreateCondBr(builder_.CreateICmpUGE(count, number(kSteps)), end_, records_[b]);
    builder_.SetInsertPoint(records_[b]);
    llvm::Value* base = builder_.CreateMul(count, number(3));
    builder_.CreateStore(number(b), at(builder_.CreateAdd(base, number(1))));
    builder_.CreateStore(phis_.back(), at(builder_.CreateAdd(base, number(2))));
    thirds_.push_back(builder_.CreateStore(number(0), at(builder_.CreateAdd(base, number(3)))));
    builder_.CreateStore(builder_.CreateAdd(count, number(1)), at(number(0)));
    values_.push_back(builder_.CreateAdd(builder_.CreateMul(phis_.back(), number(7)), number(b + 1)));
    terminator(b);
  }

  void terminator(std::size_t b) {
    const auto& successors = cfg_[b].successors;
    if (successors.empty()) {
      builder_.CreateBr(end_);
      return;
    }
    if (successors.size() == 1) {
      builder_.CreateBr(blocks_[static_cast<std::size_t>(successors[0])]);
      return;
    }
    llvm::Value* visits = at(number(1 + 3 * kSteps + b));
    llvm::Value* visit = load(visits);
    builder_.CreateStore(builder_.CreateAdd(visit, number(1)), visits);
    llvm::Value* x = builder_.CreateMul(function_->getArg(1), number(1000003));
    x = builder_.CreateAdd(x, number(b * 8191));
    x = builder_.CreateAdd(x, builder_.CreateMul(visit, number(131)));
    x = builder_.CreateXor(x, builder_.CreateLShr(x, number(15)));
    x = builder_.CreateMul(x, number(0x2c1b3c6d));
    x = builder_.CreateXor(x, builder_.CreateLShr(x, number(12)));
    x = builder_.CreateURem(x, number(successors.size()));
    if (successors.size() == 2) {
      builder_.CreateCondBr(builder_.CreateICmpEQ(x, number(0)),
                            blocks_[static_cast<std::size_t>(successors[0])],
                            blocks_[static_cast<std::size_t>(successors[1])]);
      return;
    }
    auto* choice = builder_.CreateSwitch(x, blocks_[static_cast<std::size_t>(successors.back())]);
    for (std::uint32_t i = 0; i + 1 < successors.size(); ++i)
      choice->addCase(builder_.getInt32(i), blocks_[static_cast<std::size_t>(successors[i])]);
  }

  void predecessors(llvm::BasicBlock* entry) {
    phis_[0]->addIncoming(number(99), entry);
    for (std::size_t b = 0; b < cfg_.size(); ++b)
      for (const int next : cfg_[b].successors)
        phis_[static_cast<std::size_t>(next)]->addIncoming(number(b), records_[b]);
  }

  /// The third word of a record: the value that the nearest dominating record computed.
  void dominator_values() {
    const llvm::DominatorTree tree(*function_);
    for (std::size_t b = 0; b < cfg_.size(); ++b)
      for (std::size_t d = 0; d < cfg_.size(); ++d)
        if (d != b && tree.properlyDominates(records_[d], blocks_[b]) &&
            std::none_of(blocks_.begin(), blocks_.end(), [&](llvm::BasicBlock* other) {
              return other != blocks_[b] && other != blocks_[d] &&
                     tree.properlyDominates(records_[d], other) && tree.properlyDominates(other, blocks_[b]);
            }))
          thirds_[b]->setOperand(0, values_[d]);
  }

  const Cfg& cfg_;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_;
  llvm::BasicBlock* end_ = nullptr;
  std::vector<llvm::BasicBlock*> blocks_, records_;
  std::vector<llvm::PHINode*> phis_;
  std::vector<llvm::StoreInst*> thirds_;
  std::vector<llvm::Value*> values_;
};

using Words = std::array<std::uint32_t, kWords>;

/// What the function must write.
Words expected(const Cfg& cfg, std::uint32_t seed) {
  Words out{};
  std::vector<std::uint32_t> values(cfg.size(), 0);
  // Immediate dominators among the graph's blocks, by the definition: removing one cuts the other off.
  const auto reaches = [&](int without, int target) {
    std::vector<char> seen(cfg.size(), 0);
    std::vector<int> work;
    if (without != 0) work.push_back(0), seen[0] = 1;
    while (!work.empty()) {
      const int b = work.back();
      work.pop_back();
      for (const int next : cfg[static_cast<std::size_t>(b)].successors)
        if (next != without && !seen[static_cast<std::size_t>(next)])
          seen[static_cast<std::size_t>(next)] = 1, work.push_back(next);
    }
    return seen[static_cast<std::size_t>(target)] != 0;
  };
  const int n = static_cast<int>(cfg.size());
  std::vector<int> idom(cfg.size(), -1);
  for (int b = 0; b < n; ++b)
    for (int d = 0; d < n; ++d) {
      if (d == b || reaches(d, b)) continue;
      bool nearest = true;
      for (int other = 0; other < n; ++other)
        if (other != b && other != d && !reaches(other, b) && !reaches(d, other)) nearest = false;
      if (nearest) idom[static_cast<std::size_t>(b)] = d;
    }
  std::uint32_t from = 99;
  for (std::uint32_t b = 0; out[0] < kSteps;) {
    const std::uint32_t base = out[0]++ * 3;
    out[base + 1] = b;
    out[base + 2] = from;
    out[base + 3] = idom[b] == -1 ? 0 : values[static_cast<std::size_t>(idom[b])];
    values[b] = from * 7 + b + 1;
    const auto& successors = cfg[b].successors;
    if (successors.empty()) break;
    std::uint32_t choice = 0;
    if (successors.size() > 1)
      choice = decide32(seed, b, out[1 + 3 * kSteps + b]++, static_cast<std::uint32_t>(successors.size()));
    from = b;
    b = static_cast<std::uint32_t>(successors[choice]);
  }
  return out;
}

spirea::abi::Manifest manifest(const std::string& name) {
  spirea::abi::Manifest m;
  m.name = m.display = name;
  spirea::abi::Param out{
      .name = "out", .kind = spirea::abi::ParamKind::Buffer, .type = "unsigned *", .size = 8, .align = 8};
  out.element = "unsigned";
  out.element_size = out.element_align = 4;
  out.leaves = {{spirea::abi::Scalar::Ptr, 0, 0}};
  spirea::abi::Param seed{.name = "seed", .type = "unsigned", .size = 4, .align = 4};
  seed.leaves = {{spirea::abi::Scalar::I32, 0, 0}};
  m.params = {out, seed};
  return m;
}

/// Imports a batch of graphs as one module and runs each with some seeds.
void check(const std::vector<Cfg>& graphs) {
  llvm::LLVMContext context;
  llvm::Module source("graphs", context);
  std::vector<frontend::KernelSource> kernels;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const std::string name = "g" + std::to_string(i);
    kernels.push_back({FunctionBuilder(source, graphs[i], name).build(), manifest(name)});
  }
  const frontend::Program program;
  frontend::run_passes(source, kernels, {0}, program);
  auto module = frontend::import_module(source, kernels, program);
  ASSERT_TRUE(module) << kir::to_string(module.diagnostics());
  const auto valid = kir::verify(**module);
  ASSERT_TRUE(valid) << kir::to_string(valid.diagnostics());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const kir::Kernel& kernel = *(*module)->kernels[i];
    const interp::Executable executable(**module, kernel);
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      interp::Memory memory;
      const std::uint64_t address = *memory.allocate(sizeof(Words), 4);
      Words got{};
      ASSERT_TRUE(memory.write(address, got.data(), sizeof(got)));
      std::array<std::byte, 16> block{};
      std::memcpy(block.data(), &address, 8);
      std::memcpy(block.data() + 8, &seed, 4);
      const auto status = executable.launch(memory, block, {});
      ASSERT_TRUE(status) << kir::to_string(status.diagnostics()) << kir::print(**module, kernel);
      ASSERT_TRUE(memory.read(address, got.data(), sizeof(got)));
      ASSERT_EQ(got, expected(graphs[i], seed)) << "graph " << i << " seed " << seed << "\n"
                                                << kir::print(**module, kernel);
    }
  }
}

class Batch {
 public:
  void add(const Cfg& cfg) {
    graphs_.push_back(cfg);
    ++total;
    if (graphs_.size() == 200) flush();
  }
  void flush() {
    if (!graphs_.empty() && !::testing::Test::HasFatalFailure()) check(graphs_);
    graphs_.clear();
  }
  long total = 0;

 private:
  std::vector<Cfg> graphs_;
};

TEST(Import, every_graph_of_up_to_4_blocks) {
  Batch batch;
  for (int n = 1; n <= 4; ++n) enumerate_graphs(n, [&](const Cfg& cfg) { batch.add(cfg); });
  batch.flush();
  std::printf("%ld graphs\n", batch.total);
}

TEST(Import, random_graphs_of_5_to_12_blocks) {
  Batch reducible, irreducible;
  std::uint64_t state = 777;
  for (int i = 0; reducible.total < 20000 && !::testing::Test::HasFatalFailure(); ++i) {
    const Cfg cfg = random_graph(5 + i % 8, state);
    structurize::Sequence items;
    const bool simple = structurize::structurize(cfg, items) == structurize::Status::Done;
    if (simple)
      reducible.add(cfg);
    else if (irreducible.total < 5000)
      irreducible.add(cfg);
  }
  reducible.flush();
  irreducible.flush();
  std::printf("%ld reducible and %ld irreducible graphs\n", reducible.total, irreducible.total);
}

}  // namespace
}  // namespace import_test
