// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <string_view>
#include <vector>

#include "ir/core/module.h"

namespace spirea::host {

class DebugInfo;

/// What an invocation knows of its place in the launch: i32 values, by PositionKind and dimension.
enum PositionKind : unsigned { kLocalId, kWorkgroupId, kNumWorkgroups, kWorkgroupSize };
using Position = std::array<std::array<llvm::Value*, 3>, 4>;

/// A barrier in the code of one invocation: it stops at the end of `suspend`, and goes on in `resume`.
struct Cut {
  llvm::BasicBlock* suspend;
  llvm::BasicBlock* resume;
};

/// Selects LLVM instructions for the ops of one kernel: one op to one or few instructions, by the table in
/// selectors.def. Regions become basic blocks, results of structured ops become phis.
class Selector {
 public:
  struct Environment {
    llvm::Module* module;
    const kir::Module* source;
    Position position;
    llvm::BasicBlock* entry;           ///< of the function: where objects are allocated
    llvm::BasicBlock* invocation_end;  ///< where `return` goes
    DebugInfo* debug_info;             ///< null: no line information
    llvm::DenseMap<const kir::Op*, llvm::Value*> workgroup_objects{};  ///< addresses, dynamic memory's too
    std::vector<Cut>* cuts = nullptr;  ///< where barriers are noted; null: the kernel has none
  };

  /// Appends at the builder's insertion point, which is where an invocation starts.
  Selector(llvm::IRBuilder<>& builder, const Environment& environment)
      : builder(builder), environment_(environment) {}

  /// The ops of a region, nested ones included.
  void select(const kir::Region&);

  llvm::Value* get(const kir::Value* value) const { return values_.at(value); }
  void set(const kir::Value* value, llvm::Value* translated) { values_[value] = translated; }
  llvm::Value* operand(const kir::Op& op, unsigned index) const { return get(op.operand(index)); }
  llvm::Type* type(kir::Type) const;
  llvm::Type* result_type(const kir::Op& op) const { return type(op.result()->type()); }
  llvm::Function* function() const { return environment_.entry->getParent(); }
  const Environment& environment() const { return environment_; }

  llvm::BasicBlock* new_block(const llvm::Twine& name);
  /// `freeze`, unless the value cannot be poison.
  llvm::Value* frozen(llvm::Value*);
  /// A call of a function of the C library that neither sets errno nor throws.
  llvm::CallInst* call_library(std::string_view name, llvm::Type* result,
                               llvm::ArrayRef<llvm::Value*> arguments, bool touches_memory = false);
  /// A stack slot in the entry block, whose contents are undefined from here on.
  llvm::AllocaInst* stack_slot(llvm::Type*, llvm::Align, const llvm::Twine& name);

  /// The places where jumps to an enclosing structured op go.
  struct Target {
    struct Jump {
      llvm::BasicBlock* from;
      llvm::SmallVector<llvm::Value*, 4> values;
    };
    llvm::BasicBlock* exit = nullptr;
    std::vector<Jump> breaks;
    llvm::BasicBlock* header = nullptr;  ///< loops
    llvm::SmallVector<llvm::PHINode*, 4> arguments;
  };
  Target& target(const kir::Op* op) { return targets_[op]; }
  /// Continues after the op, whose regions have been selected.
  void close(const kir::Op&);

  llvm::IRBuilder<>& builder;

 private:
  void select(const kir::Op&);

  Environment environment_;
  llvm::DenseMap<const kir::Value*, llvm::Value*> values_;
  llvm::DenseMap<const kir::Op*, Target> targets_;
};

/// Selects one op; returns its result, null if it has none or has set them itself. `parameter` is the
/// table's.
using Select = llvm::Value* (*)(Selector&, const kir::Op&, unsigned parameter);

#define HOST_SELECTOR(name) llvm::Value* name(Selector&, const kir::Op&, unsigned parameter)
namespace selectors {
// values.cpp
HOST_SELECTOR(constant);
HOST_SELECTOR(undef);
HOST_SELECTOR(freeze);
HOST_SELECTOR(choose);
// integers.cpp
HOST_SELECTOR(integer);
HOST_SELECTOR(shift);
HOST_SELECTOR(division);
HOST_SELECTOR(multiply_high);
HOST_SELECTOR(absolute);
HOST_SELECTOR(count_zeros);
HOST_SELECTOR(bit_reverse);
HOST_SELECTOR(compare_integers);
// floats.cpp
HOST_SELECTOR(floating);
HOST_SELECTOR(negate);
HOST_SELECTOR(fused_multiply_add);
HOST_SELECTOR(compare_floats);
HOST_SELECTOR(is_nan);
HOST_SELECTOR(is_infinite);
HOST_SELECTOR(intrinsic);
HOST_SELECTOR(elementary);
HOST_SELECTOR(log_gamma);
// conversions.cpp
HOST_SELECTOR(cast);
HOST_SELECTOR(same);
HOST_SELECTOR(to_integer);
HOST_SELECTOR(to_float);
// memory.cpp
HOST_SELECTOR(object);
HOST_SELECTOR(address_of);
HOST_SELECTOR(offset);
HOST_SELECTOR(load);
HOST_SELECTOR(store);
HOST_SELECTOR(workgroup_object);
// atomics.cpp
HOST_SELECTOR(atomic_load);
HOST_SELECTOR(atomic_store);
HOST_SELECTOR(atomic_update);
HOST_SELECTOR(compare_exchange);
HOST_SELECTOR(fence);
// subgroups.cpp
HOST_SELECTOR(subgroup_size);
HOST_SELECTOR(subgroup_lane);
HOST_SELECTOR(subgroup_id);
HOST_SELECTOR(num_subgroups);
HOST_SELECTOR(elect);
HOST_SELECTOR(all_equal);
HOST_SELECTOR(ballot);
HOST_SELECTOR(combine);
// positions.cpp
HOST_SELECTOR(position);
HOST_SELECTOR(global_position);
// control_flow.cpp
HOST_SELECTOR(barrier);
HOST_SELECTOR(branch_if);
HOST_SELECTOR(loop);
HOST_SELECTOR(branch_switch);
HOST_SELECTOR(block);
HOST_SELECTOR(jump_break);
HOST_SELECTOR(jump_continue);
HOST_SELECTOR(jump_return);
HOST_SELECTOR(trap);
HOST_SELECTOR(unreachable);
}  // namespace selectors
#undef HOST_SELECTOR

}  // namespace spirea::host
