// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects SPIR-V instructions for a legalized kernel. The member functions are spread over the files of this
// folder by chapter of the specification.
#pragma once

#include <unordered_map>

#include "codegen-spirv/module_writer.h"
#include "ir/core/module.h"

namespace spirea::spirv {

class Selector {
 public:
  Selector(ModuleWriter& writer, const kir::Module& module, const kir::Kernel& kernel, const Options& options)
      : w_(writer), module_(module), kernel_(kernel), options_(options) {}
  void run();
  /// What legalization should have removed; empty if all is well.
  const std::vector<kir::Diagnostic>& errors() const { return errors_; }

 private:
  /// An exit that reaches a merge or continue block: the block it comes from, and the values it carries.
  struct Exit {
    Id from;
    std::vector<Id> values;
  };
  struct Construct {
    Id merge, next;  ///< `next`: a loop's continue target
    std::vector<Exit> breaks, continues;
  };

  // interface.cpp: entry point, workgroup size, built-in variables, arguments
  void declare_workgroup_size();
  Id built_in(spv::BuiltIn, const char* name, unsigned components = 3);
  void arguments();
  void push_constants(const std::vector<std::pair<Id, Word>>& members, Id& variable);
  Id leaf_value(Id loaded, abi::Scalar);
  void entry_point(Id function);
  Id dim_query(const kir::Op&);
  Id component(Id vector, kir::Dim);

  // control.cpp
  void region(const kir::Region&);
  void op(const kir::Op&);
  void structured(const kir::Op&);
  void selection(const kir::Op&);
  void loop(const kir::Op&);
  void merge(const kir::Op&, Construct&);
  void exit(const kir::Op&);
  void label(Id);
  void branch(Id target);
  Id phi(Id type, const std::vector<Exit>&, std::size_t index);

  // exit_guard.cpp
  void declare_exit_guards();
  std::size_t guarded_loops_around(const kir::Op& loop) const;
  void guard_exits(const kir::Op& loop, Construct&);
  Id zero(kir::Type);

  // arithmetic.cpp, conversion.cpp
  Id value_op(const kir::Op&);
  Id binary(const kir::Op&);
  Id boolean_binary(const kir::Op&);
  Id compare(const kir::Op&);
  Id glsl_op(const kir::Op&);
  Id convert(const kir::Op&);
  Id to_width(Id value, unsigned from, unsigned to, bool is_signed);

  // exact.cpp
  bool needs_exact_function(const kir::Op&) const;
  Id exact_call(const kir::Op&);
  void define_exact_functions();
  void define_exact_function(Id function, const kir::Op&);

  // memory.cpp
  void declare_objects();
  void declare_object(const kir::Op&);
  void declare_constant(const kir::ConstantObject&);
  Id declare_workgroup(const kir::Op&, Id array);
  Id dynamic_array(const kir::Op&);
  Id address(const kir::Op&);
  Id element_pointer(const kir::Value* pointer, kir::Type type);
  Id load(const kir::Op&);
  void store(const kir::Op&);
  Id pointer_to(const kir::Value* pointer, kir::Type);
  Id global_pointer(const kir::Value* pointer, kir::Type type);
  Id global_pointer(Id address, kir::Type type);
  std::pair<spv::MemoryAccessMask, std::vector<Word>> access(const kir::MemoryAttr&, kir::Space);

  // synchronization.cpp: atomic accesses, barriers, fences
  void find_synchronization();
  Id scope(kir::Scope);
  Id semantics(kir::Order, kir::Scope, bool is_volatile = false);
  void require_atomic(const kir::Op&);
  Id atomic(const kir::Op&);
  void atomic_store(const kir::Op&);
  void synchronize(const kir::Op&);

  // subgroups.cpp
  Id subgroup_query(const kir::Op&);
  Id num_subgroups();
  Id subgroup_op(const kir::Op&);
  Id ballot(const kir::Op&);
  Id exchange(const kir::Op&);
  Id group_arithmetic(const kir::Op&);

  Id type(kir::Type);
  Id get(const kir::Value* value) { return ids_.at(value); }
  Id result_type(const kir::Op& op) { return type(op.result()->type()); }
  void set(const kir::Value* value, Id id) { ids_[value] = id; }
  void fail(const kir::Op&, const std::string& message);
  void location(kir::LocId);
  template <class Inst>
  Id add(Inst inst) {
    return w_.define(Section::Function, std::move(inst));
  }

  ModuleWriter& w_;
  const kir::Module& module_;
  const kir::Kernel& kernel_;
  const Options& options_;
  std::vector<kir::Diagnostic> errors_;
  std::unordered_map<const kir::Value*, Id> ids_;
  std::unordered_map<const kir::Op*, Construct> constructs_;
  std::map<spv::BuiltIn, Id> built_ins_;
  std::vector<Id> interface_;
  std::map<std::string, Id> files_;
  struct Variable {
    Id id;
    spv::StorageClass storage;
  };
  std::map<const kir::Value*, Variable> objects_;
  std::map<std::string, Id> constants_;                            ///< variables of constant objects
  std::vector<std::pair<Id, Id>> local_variables_;                 ///< (pointer type, id)
  std::unordered_map<const kir::Op*, std::size_t> guarded_loops_;  ///< and how many of them each lies in
  std::vector<Id> exit_guards_;                                    ///< the guard of each such depth
  /// Functions for operations that must be exact, by op and width: their ids, and an op of each.
  std::map<std::pair<kir::Opcode, unsigned>, std::pair<Id, const kir::Op*>> exact_functions_;
  bool in_exact_function_ = false;
  Id workgroup_size_, current_block_;
  bool is_synchronized_ = false;  ///< the kernel has ops that order its accesses with others'
};

}  // namespace spirea::spirv
