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
#include <tuple>
#include <vector>

#include "frontend/import/import.h"
#include "frontend/import/spaces.h"
#include "frontend/structurize/structurize.h"
#include "ir/core/builder.h"
#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::frontend {

/// The scalars of an LLVM value: one for a scalar, one for each element of a vector or aggregate, in order.
/// An integer of 65 to 128 bits is two i64, low first; one of another width that KIR has no type for is held
/// in the next wider type, with zero upper bits.
using Components = llvm::SmallVector<kir::Value*, 2>;

/// A global variable that kernels use: a constant of the module, or why it cannot be one.
struct GlobalData {
  std::string name;
  std::string problem;
  std::vector<kir::Diagnostic> notes{};  ///< of the problem
};

/// What the kernels of a module share.
struct ImportState {
  llvm::Module& source;
  kir::Module& module;
  const Program& program;
  std::vector<kir::Diagnostic> errors;
  std::set<std::tuple<std::string, std::uint32_t, std::string>> reported;
  std::map<const llvm::GlobalVariable*, GlobalData> globals;
  std::map<const llvm::DILocation*, kir::LocId> locations;
};

/// A scalar of an LLVM type, and its offset in memory.
struct ScalarPlace {
  llvm::Type* type;
  std::uint64_t offset;
};

/// A function that becomes an op, and how many of its arguments are the op's operands.
struct NamedOp {
  llvm::StringLiteral name;
  kir::Opcode opcode;
  unsigned operands;
};

/// The name of a built-in function, of which there is one for each type: __spirea_atomic_add.i32.
inline llvm::StringRef without_type(llvm::StringRef name) {
  return name.take_until([](char c) { return c == '.'; });
}

class Importer {
 public:
  Importer(ImportState& state, llvm::Function& entry, kir::Kernel& kernel);
  void run();

 private:
  // import.cpp
  void arguments();

  // structure.cpp: structured items to regions
  structurize::Cfg build_cfg();
  void collect_blocks();
  void sequence(const structurize::Sequence&);
  void item(const structurize::Item&);
  void code(const llvm::BasicBlock&);
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
  void constant_integer(const llvm::ConstantInt&, Components&);
  void constant_expression(const llvm::ConstantExpr*, Components&);
  kir::Value* literal(kir::Type, std::uint64_t bits);
  kir::Value* zero(kir::Type type) { return literal(type, 0); }
  /// The types of a value's components; an error and i32 for what KIR has no type for.
  void types(llvm::Type*, const llvm::Value* pointer_source, std::vector<kir::Type>&);
  kir::Type scalar_type(llvm::Type*, const llvm::Value* pointer_source);
  /// The value where `wanted` is its type. A null or undefined pointer becomes one of the wanted space, any
  /// pointer a generic one; others are an error.
  kir::Value* coerce(kir::Value*, kir::Type wanted);

  // integers.cpp: arithmetic of any width up to 64; wide.cpp: up to 128
  /// The width of the KIR type that holds an integer of LLVM's; 0 for those above 64.
  static unsigned held_bits(unsigned bits);
  static bool is_wide(const llvm::Type* type);
  kir::Value* mask(kir::Value*, unsigned bits);
  kir::Value* sign_extended(kir::Value*, unsigned bits);
  kir::Value* logical_not(kir::Value*);
  kir::Value* integer_binary(unsigned opcode, kir::Value*, kir::Value*, unsigned bits);
  kir::Value* integer_compare(llvm::CmpInst::Predicate, kir::Value*, kir::Value*, unsigned bits);
  kir::Value* bool_binary(unsigned opcode, kir::Value*, kir::Value*);
  kir::Value* bool_compare(llvm::CmpInst::Predicate, kir::Value*, kir::Value*);
  Components wide_sign_extended(const Components&, unsigned bits);
  Components wide_masked(Components, unsigned bits);
  bool wide_binary(const llvm::BinaryOperator&);
  Components wide_shift(unsigned opcode, const Components&, kir::Value* by);
  kir::Value* wide_compare(llvm::CmpInst::Predicate, Components, Components, unsigned bits);
  bool wide_cast(const llvm::CastInst&);
  kir::Value* wide_to_float(const Components&, kir::Type to);
  Components float_to_wide(kir::Value*);
  // wide_intrinsics.cpp
  bool wide_intrinsic(const llvm::IntrinsicInst&);
  Components wide_select(kir::Value* condition, const Components&, const Components&);
  kir::Value* wide_count(llvm::Intrinsic::ID, Components, unsigned bits);
  Components wide_reversed(kir::Opcode, const Components&, unsigned bits);
  Components wide_negated(const Components&);
  Components wide_funnel_shift(bool left, const Components&, const Components&, kir::Value* by,
                               unsigned bits);

  // instructions.cpp
  void instruction(const llvm::Instruction&);
  void binary(const llvm::BinaryOperator&);
  void compare(const llvm::CmpInst&);
  void select(const llvm::SelectInst&);
  void elements(const llvm::Instruction&);
  void shuffle(const llvm::ShuffleVectorInst&);
  void aggregates(const llvm::Instruction&);
  static kir::FastAttr fast(const llvm::Instruction&);

  // casts.cpp
  void cast(const llvm::CastInst&);
  kir::Value* cast(const llvm::CastInst&, kir::Value*, kir::Type to);
  kir::Value* address_as_number(kir::Value* pointer);
  kir::Value* int_to_float(kir::Value*, kir::Type to, unsigned bits, bool is_signed);
  kir::Value* resize(kir::Opcode widen, kir::Value*, kir::Type to);
  void bitcast(const llvm::CastInst&);
  kir::Value* reinterpret(kir::Value*, kir::Type to);

  // memory.cpp
  void alloca(const llvm::AllocaInst&);
  void load(const llvm::LoadInst&);
  void store(const llvm::StoreInst&);
  Components load(const ScalarPlace&, const llvm::Value* source, kir::Value* pointer, std::uint64_t align,
                  bool is_volatile);
  void store(const ScalarPlace&, const Components&, kir::Value* pointer, std::uint64_t align,
             bool is_volatile);
  /// False, and an error, if the layout of some part is not whole bytes.
  bool places(llvm::Type*, std::uint64_t at, std::vector<ScalarPlace>&);

  // addresses.cpp
  void gep(const llvm::GetElementPtrInst&);
  kir::Value* gep(const llvm::GEPOperator&, kir::Value* base);
  kir::Value* offset(kir::Value* base, std::int64_t bytes);
  kir::Value* index(const llvm::Value*);
  kir::Value* address_of(const llvm::GlobalVariable&);
  GlobalData add_global(const llvm::GlobalVariable&);
  std::string why_not_used(const llvm::GlobalVariable&) const;
  kir::Value* add_table(const llvm::GlobalVariable&);
  kir::Value* add_shared(const llvm::GlobalVariable&);

  // transfer.cpp: memcpy, memmove, memset
  void transfer(const llvm::MemIntrinsic&);
  void copy(const llvm::MemTransferInst&, std::uint64_t bytes);
  void fill(const llvm::MemSetInst&, std::uint64_t bytes);
  kir::Value* splat(kir::Value* byte, kir::Type);
  template <class Body>
  void repeat(std::uint64_t count, Body&&);

  // calls.cpp
  void call(const llvm::CallBase&);
  bool intrinsic(const llvm::IntrinsicInst&);
  bool library_call(const llvm::CallBase&, llvm::StringRef name);
  bool query(const llvm::CallBase&, llvm::StringRef name);

  // synchronization.cpp: barriers, fences, subgroup operations, dynamic workgroup memory
  bool synchronization(const llvm::CallBase&, llvm::StringRef name);
  void barrier(const llvm::CallBase&, kir::Opcode);
  void subgroup(const llvm::CallBase&, kir::Opcode, unsigned operands);
  void dynamic_shared(const llvm::CallBase&);

  // atomics.cpp
  struct AtomicPlace {
    kir::Value* pointer;
    kir::AtomicAttr attr;
  };
  bool atomic_call(const llvm::CallBase&, llvm::StringRef name);
  void atomic_load(const llvm::LoadInst&);
  void atomic_store(const llvm::StoreInst&);
  void atomic_update(const llvm::AtomicRMWInst&);
  void atomic_exchange(const llvm::AtomicCmpXchgInst&);
  void fence(const llvm::FenceInst&);
  template <class Inst>
  AtomicPlace place_of(const Inst&, llvm::AtomicOrdering);
  /// The value before.
  kir::Value* atomic(kir::Opcode, const AtomicPlace&, llvm::ArrayRef<kir::Value*> operands, kir::Type);
  kir::Value* as_number(kir::Value*);

  // integer_intrinsics.cpp, float_intrinsics.cpp: functions that become several ops
  bool integer_intrinsic(const llvm::IntrinsicInst&);
  kir::Value* narrow_unary(kir::Opcode, kir::Value*, unsigned bits);
  kir::Value* narrow_binary(kir::Opcode, kir::Value*, kir::Value*, unsigned bits);
  void overflow(const llvm::IntrinsicInst&);
  std::pair<kir::Value*, kir::Value*> overflow(llvm::Intrinsic::ID, kir::Value*, kir::Value*, unsigned bits);
  kir::Value* saturating(llvm::Intrinsic::ID, kir::Value*, kir::Value*, unsigned bits);
  kir::Value* funnel_shift(bool left, kir::Value*, kir::Value*, kir::Value*);
  kir::Value* three_way(bool is_signed, kir::Value*, kir::Value*, unsigned bits, llvm::Type* result);
  void reduce(const llvm::IntrinsicInst&, kir::Opcode);
  bool float_intrinsic(const llvm::IntrinsicInst&);
  bool float_library_call(const llvm::CallBase&, llvm::StringRef name);
  kir::Value* float_class(unsigned classes, kir::Value*);
  kir::Value* strict_extremum(llvm::Intrinsic::ID, kir::Value*, kir::Value*);
  /// Of a number: its digits behind the first, the exponent's field as if subnormal numbers were normal ones
  /// (below 1, then), and the sign bit; integers of its width.
  struct Apart {
    kir::Value *fraction, *field, *sign;
  };
  Apart take_apart(kir::Value*);
  kir::Value* rounded_to_field(kir::Value* digits, kir::Value* field, unsigned fraction_bits);
  kir::Value* ldexp(kir::Value*, kir::Value* exponent);
  kir::Value* power(kir::Value*, kir::Value* exponent, kir::FastAttr);
  std::pair<kir::Value*, kir::Value*> frexp(kir::Value*, kir::Type exponent);
  kir::Value* rounded_to_int(kir::Opcode round, kir::Value*, llvm::Type*);
  kir::Value* float_literal(kir::Type, double);

  // locations.cpp
  kir::LocId location(const llvm::DILocation*);

  // unsupported.cpp: what kernels cannot do
  void error(const std::string& message, std::vector<kir::Diagnostic> notes = {});
  /// An error, and a value of the type to go on with.
  void unsupported(const llvm::Instruction&, const std::string& message,
                   std::vector<kir::Diagnostic> notes = {});
  void unsupported_call(const llvm::CallBase&);
  void unsupported_intrinsic(const llvm::IntrinsicInst&);
  /// Why the function cannot be called, and notes.
  std::pair<std::string, std::vector<kir::Diagnostic>> why_not_called(const llvm::Function&) const;
  /// What of the standard library, of that kernels cannot use, has the place in its code; empty if nothing.
  llvm::StringRef library_part(kir::LocId) const;
  void report(kir::Diagnostic);
  void report_consequences();

  ImportState& state_;
  llvm::Function& entry_;
  kir::Kernel& kernel_;
  const PointerSpaces spaces_;
  kir::Builder builder_;
  kir::Builder constants_;  // at the start of the body
  llvm::DenseMap<const llvm::Value*, Components> values_;
  std::map<std::tuple<kir::TypeKind, kir::Space, unsigned, std::uint64_t>, kir::Value*> literals_;
  std::map<const llvm::GlobalVariable*, kir::Value*> globals_;
  std::vector<const llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, int> block_index_;
  std::map<const structurize::Item*, kir::Op*> constructs_;
  std::map<int, std::vector<kir::Value*>> entering_;  // values of a loop header's phis on entry
  std::set<int> loop_headers_;
  bool trapped_ = false;            // the current block has called trap
  std::set<std::string> reported_;  // messages of this kernel
  /// Calls of the library that have an error already: what else is wrong in there follows from it, as from a
  /// 'throw' that its exception cannot be made.
  std::set<kir::LocId> library_calls_reported_;
  /// Errors in parts of the standard library, reported if the part itself is not.
  std::vector<std::pair<std::string, kir::Diagnostic>> consequences_;
};

/// A null pointer, or another constant zero.
inline bool is_null(const kir::Value* value) { return kir::literal(value) == std::uint64_t{0}; }

/// Sets the element type of objects whose accesses are all of one type at multiples of its size.
void find_element_types(kir::Kernel&);

/// The bytes of a constant initializer; nothing if it holds addresses.
std::optional<std::vector<std::uint8_t>> constant_bytes(const llvm::Constant&, const llvm::DataLayout&);

/// A function or variable as the programmer knows it.
std::string readable_name(const llvm::GlobalValue&);

}  // namespace spirea::frontend
