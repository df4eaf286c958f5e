// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of importing one kernel. Its member functions are spread over the files of this folder by topic.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/structurize/structurize.h"
#include "ir/core/builder.h"
#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::frontend {

/// The scalars of an LLVM value: one for a scalar, one for each element of a vector or aggregate, in order.
using Components = llvm::SmallVector<kir::Value*, 2>;

/// What the kernels of a module share.
struct ImportState {
  llvm::Module& source;
  kir::Module& module;
  std::vector<kir::Diagnostic> errors;
  std::set<std::pair<kir::LocId, std::string>> reported;
  std::map<const llvm::GlobalVariable*, std::string> constants;
  std::map<const llvm::DILocation*, kir::LocId> locations;
};

class Importer {
 public:
  Importer(ImportState& state, llvm::Function& entry, kir::Kernel& kernel);
  void run();

 private:
  // structure.cpp: structured items to regions
  structurize::Cfg build_cfg();
  void sequence(const structurize::Sequence&);
  void item(const structurize::Item&);
  void construct(const structurize::Item&);
  void leave(const structurize::Item&);
  kir::Op* create_construct(const structurize::Item&, std::vector<kir::Type> results);
  kir::CasesAttr cases(const structurize::Item&, const llvm::SwitchInst&);
  void end_block(const structurize::Item&);
  std::vector<kir::Type> phi_types(const llvm::BasicBlock&);
  std::vector<kir::Value*> phi_values(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void bind_phis(const llvm::BasicBlock&, llvm::ArrayRef<kir::Value*>);
  bool is_loop_header(int block) const { return loop_headers_.contains(block); }
  void find_headers(const structurize::Sequence&);

  // values.cpp: values, constants, types
  Components get(const llvm::Value*);
  kir::Value* scalar(const llvm::Value* value) { return get(value)[0]; }
  void set(const llvm::Value* value, Components components) { values_[value] = std::move(components); }
  void set(const llvm::Value* value, kir::Value* component) { values_[value] = Components{component}; }
  void constant(const llvm::Constant*, Components&);
  void constant_expression(const llvm::ConstantExpr*, Components&);
  kir::Value* literal(kir::Type, std::uint64_t bits);
  kir::Value* zero(kir::Type type) { return literal(type, 0); }
  /// The types of a value's components; an error and i32 for what KIR has no type for.
  void types(llvm::Type*, const llvm::Value* pointer_source, std::vector<kir::Type>&);
  kir::Type scalar_type(llvm::Type*, const llvm::Value* pointer_source);
  /// The width of an integer type in LLVM, and of the KIR type that holds it with zero upper bits.
  static unsigned held_bits(unsigned bits);
  kir::Value* mask(kir::Value*, unsigned bits);
  kir::Value* sign_extended(kir::Value*, unsigned bits);

  // spaces.cpp: which memory a pointer points to
  kir::Space space(const llvm::Value*);
  std::optional<kir::Space> find_space(const llvm::Value*, std::set<const llvm::Value*>& visited,
                                       bool& mixed);

  // instructions.cpp
  void instruction(const llvm::Instruction&);
  void binary(const llvm::BinaryOperator&);
  void compare(const llvm::CmpInst&);
  void cast(const llvm::CastInst&);
  void select(const llvm::SelectInst&);
  void bitcast(const llvm::CastInst&);
  void elements(const llvm::Instruction&);
  void aggregates(const llvm::Instruction&);
  kir::Value* integer_binary(unsigned opcode, kir::Value*, kir::Value*, unsigned bits);
  static kir::FastAttr fast(const llvm::Instruction&);

  // memory.cpp
  void alloca(const llvm::AllocaInst&);
  void load(const llvm::LoadInst&);
  void store(const llvm::StoreInst&);
  void gep(const llvm::GetElementPtrInst&);
  kir::Value* gep(const llvm::GEPOperator&, kir::Value* base);
  kir::Value* offset(kir::Value* base, std::int64_t bytes);
  kir::Value* index(const llvm::Value*);
  kir::Value* address_of(const llvm::GlobalVariable&);

  // calls.cpp
  void call(const llvm::CallBase&);
  bool intrinsic(const llvm::IntrinsicInst&);
  bool expanded_intrinsic(const llvm::IntrinsicInst&);
  bool library_call(const llvm::CallBase&, llvm::StringRef name);
  bool query(const llvm::CallBase&, llvm::StringRef name);
  void overflow(const llvm::IntrinsicInst&);
  void saturating(const llvm::IntrinsicInst&);
  void funnel_shift(const llvm::IntrinsicInst&);
  void float_class(const llvm::IntrinsicInst&);
  void unsupported_call(const llvm::CallBase&, llvm::StringRef name);

  // locations.cpp
  kir::LocId location(const llvm::DILocation*);
  void error(const std::string& message);
  /// An error, and a value of the type to go on with.
  void unsupported(const llvm::Instruction&, const std::string& message);

  ImportState& state_;
  llvm::Function& entry_;
  kir::Kernel& kernel_;
  kir::Builder builder_;
  kir::Builder constants_;  // at the start of the body
  llvm::DenseMap<const llvm::Value*, Components> values_;
  std::map<std::pair<std::string, std::uint64_t>, kir::Value*> literals_;
  std::map<const llvm::GlobalVariable*, kir::Value*> globals_;
  std::vector<const llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, int> block_index_;
  std::map<const structurize::Item*, kir::Op*> constructs_;
  std::map<int, std::vector<kir::Value*>> entering_;  // values of a loop header's phis on entry
  std::set<int> loop_headers_;
  bool trapped_ = false;  // the current block has called trap
};

/// Sets the element type of objects whose accesses are all of one type at multiples of its size.
void find_element_types(kir::Kernel&);

/// The bytes of a constant initializer; nothing if it holds addresses.
std::optional<std::vector<std::uint8_t>> constant_bytes(const llvm::Constant&, const llvm::DataLayout&);

}  // namespace spirea::frontend
