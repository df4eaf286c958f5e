// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/op.h"

#include <cassert>

namespace spirea::kir {

// ---- uses

void Use::link(Value* value) {
  value_ = value;
  if (value == nullptr) return;
  next_ = value->first_use_;
  if (next_ != nullptr) next_->previous_ = &next_;
  previous_ = &value->first_use_;
  value->first_use_ = this;
}

void Use::unlink() {
  if (value_ == nullptr) return;
  *previous_ = next_;
  if (next_ != nullptr) next_->previous_ = previous_;
  value_ = nullptr;
  next_ = nullptr;
  previous_ = nullptr;
}

bool Value::has_one_use() const { return first_use_ != nullptr && first_use_->next() == nullptr; }

void Value::replace_all_uses_with(Value* other) {
  assert(other != this && other->type() == type());
  while (first_use_ != nullptr) first_use_->set(other);
}

// ---- regions

Region::~Region() {
  for (Op* op = first_; op != nullptr; op = op->next()) op->drop_operands();
  while (first_ != nullptr) remove(first_);
}

Op* Region::terminator() const {
  return last_ != nullptr && is_terminator(last_->opcode()) ? last_ : nullptr;
}

Value* Region::add_argument(Type type, std::string name) {
  const auto index = static_cast<std::uint32_t>(arguments_.size());
  arguments_.push_back(std::make_unique<Value>(type, nullptr, this, index));
  arguments_.back()->name = std::move(name);
  return arguments_.back().get();
}

void Region::erase_argument(std::size_t i) {
  assert(!arguments_[i]->has_uses());
  arguments_.erase(arguments_.begin() + static_cast<std::ptrdiff_t>(i));
  for (; i < arguments_.size(); ++i) arguments_[i]->index_ = static_cast<std::uint32_t>(i);
}

void Region::append(std::unique_ptr<Op> op) { insert(nullptr, std::move(op)); }

void Region::insert(Op* before, std::unique_ptr<Op> owned) {
  Op* op = owned.release();
  assert(op->parent_ == nullptr && (before == nullptr || before->parent_ == this));
  op->parent_ = this;
  op->next_ = before;
  op->previous_ = before != nullptr ? before->previous_ : last_;
  (op->previous_ != nullptr ? op->previous_->next_ : first_) = op;
  (before != nullptr ? before->previous_ : last_) = op;
}

std::unique_ptr<Op> Region::remove(Op* op) {
  assert(op->parent_ == this);
  (op->previous_ != nullptr ? op->previous_->next_ : first_) = op->next_;
  (op->next_ != nullptr ? op->next_->previous_ : last_) = op->previous_;
  op->parent_ = nullptr;
  op->next_ = nullptr;
  op->previous_ = nullptr;
  return std::unique_ptr<Op>(op);
}

void Region::splice(Op* before, Region& from) {
  while (!from.empty()) insert(before, from.remove(from.first()));
}

void Region::take_from(Op* first) {
  Region* from = first->parent();
  while (first != nullptr) {
    Op* next = first->next();
    append(from->remove(first));
    first = next;
  }
}

// ---- ops

std::unique_ptr<Op> Op::create(Opcode opcode, std::span<Value* const> operands, std::span<const Type> results,
                               Attr attr, std::size_t regions, LocId location) {
  std::unique_ptr<Op> op(new Op(opcode, location));
  op->operands_.reserve(operands.size());
  for (Value* value : operands) op->operands_.emplace_back(op.get(), value);
  op->results_.reserve(results.size());
  for (Type type : results) op->add_result(type);
  op->attr = std::move(attr);
  for (std::size_t i = 0; i < regions; ++i) op->add_region();
  return op;
}

Op::~Op() { drop_operands(); }

std::vector<Value*> Op::operands() const {
  std::vector<Value*> result;
  result.reserve(operands_.size());
  for (const Use& use : operands_) result.push_back(use.value());
  return result;
}

Value* Op::add_result(Type type, std::string name) {
  const auto index = static_cast<std::uint32_t>(results_.size());
  results_.push_back(std::make_unique<Value>(type, this, nullptr, index));
  results_.back()->name = std::move(name);
  return results_.back().get();
}

void Op::erase_result(std::size_t i) {
  assert(!results_[i]->has_uses());
  results_.erase(results_.begin() + static_cast<std::ptrdiff_t>(i));
  for (; i < results_.size(); ++i) results_[i]->index_ = static_cast<std::uint32_t>(i);
}

bool Op::has_used_results() const {
  for (const auto& result : results_)
    if (result->has_uses()) return true;
  return false;
}

Region& Op::add_region() {
  regions_.push_back(std::make_unique<Region>(this));
  return *regions_.back();
}

void Op::erase() {
  assert(!has_used_results() && parent_ != nullptr);
  parent_->remove(this);
}

void Op::drop_operands() {
  operands_.clear();
  for (const auto& region : regions_)
    for (Op* op = region->first(); op != nullptr; op = op->next()) op->drop_operands();
}

Kernel* kernel_of(const Region* region) {
  while (region != nullptr && region->parent() != nullptr) region = region->parent()->parent();
  return region == nullptr ? nullptr : region->kernel();
}

std::optional<std::uint64_t> literal(const Value* value) {
  if (value->def() == nullptr || !value->def()->is(Opcode::Const)) return std::nullopt;
  return value->def()->as<LiteralAttr>().bits;
}

}  // namespace spirea::kir
