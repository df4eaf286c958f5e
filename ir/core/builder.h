// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "ir/core/op.h"

namespace spirea::kir {

/// Creates ops at an insertion point. Result types follow from the op table's rules; where they do not, the
/// caller gives them.
///
/// Do not call the builder twice in one argument list: the order of the two calls is unspecified.
class Builder {
 public:
  /// Appends to the region.
  explicit Builder(Region& region) : region_(&region) {}
  /// Inserts before the op.
  explicit Builder(Op* before) : region_(before->parent()), before_(before) {}

  void set_end(Region& region) {
    region_ = &region;
    before_ = nullptr;
  }
  void set_before(Op* op) {
    region_ = op->parent();
    before_ = op;
  }
  Region& region() const { return *region_; }
  void set_location(LocId location) { location_ = location; }
  LocId location() const { return location_; }

  /// Any op.
  Op* create(Opcode, std::span<Value* const> operands, std::span<const Type> results, Attr attr = {},
             std::size_t regions = 0);

  Value* constant(Type, std::uint64_t bits);
  Value* i1(bool value) { return constant(Type::i1(), value ? 1 : 0); }
  Value* i32(std::uint32_t value) { return constant(Type::i32(), value); }
  Value* i64(std::uint64_t value) { return constant(Type::i64(), value); }
  Value* f32(float value) { return constant(Type::f32(), std::bit_cast<std::uint32_t>(value)); }
  Value* f64(double value) { return constant(Type::f64(), std::bit_cast<std::uint64_t>(value)); }
  Value* undef(Type);

  /// Ops whose result has the first operand's type: arithmetic, freeze.
  Value* unary(Opcode, Value*, FastAttr fast = {});
  Value* binary(Opcode, Value*, Value*, FastAttr fast = {});
  Value* ternary(Opcode, Value*, Value*, Value*, FastAttr fast = {});
  /// Comparisons and tests.
  Value* compare(Opcode, Value*, Value*);
  Value* test(Opcode, Value*);
  Value* convert(Opcode, Value*, Type to);
  Value* select(Value* condition, Value* if_true, Value* if_false);

  Value* object(ObjectAttr, std::string name = {});
  Value* address_of(Space, std::string symbol);
  Value* offset(Value* pointer, Value* index, std::int64_t scale, std::int64_t displacement = 0);
  Value* load(Type, Value* pointer, MemoryAttr);
  void store(Value* pointer, Value* value, MemoryAttr);
  Value* dim(Opcode, Dim);

  /// The structured ops come with empty regions.
  Op* if_op(Value* condition, std::span<const Type> results = {});
  /// The region gets an argument for each initial value.
  Op* loop(std::span<Value* const> initial, std::span<const Type> results = {});
  Op* switch_op(Value* operand, CasesAttr, std::span<const Type> results = {});
  Op* block(std::span<const Type> results = {});
  Op* break_to(Op* target, std::span<Value* const> results = {});
  Op* continue_to(Op* loop, std::span<Value* const> arguments = {});
  Op* ret() { return create(Opcode::Return, {}, {}); }
  Op* trap() { return create(Opcode::Trap, {}, {}); }
  Op* unreachable() { return create(Opcode::Unreachable, {}, {}); }

 private:
  Region* region_;
  Op* before_ = nullptr;
  LocId location_ = 0;
};

}  // namespace spirea::kir
