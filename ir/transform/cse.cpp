// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/transform/cse.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "ir/transform/rewriter.h"

namespace spirea::kir {
namespace {

std::size_t mix(std::size_t seed, std::size_t value) {
  return (seed ^ value) * 0x9e3779b97f4a7c15u + (seed >> 29);
}

struct AttrHash {
  std::size_t operator()(const std::monostate&) const { return 0; }
  std::size_t operator()(const LiteralAttr& a) const { return a.bits; }
  std::size_t operator()(const FastAttr& a) const { return a.flags; }
  std::size_t operator()(const ObjectAttr& a) const { return a.size; }
  std::size_t operator()(const SymbolAttr& a) const { return std::hash<std::string>()(a.name); }
  std::size_t operator()(const ScaleAttr& a) const {
    return mix(static_cast<std::size_t>(a.scale), static_cast<std::size_t>(a.displacement));
  }
  std::size_t operator()(const MemoryAttr& a) const { return a.align; }
  std::size_t operator()(const Dim& a) const { return static_cast<std::size_t>(a); }
  std::size_t operator()(const AtomicAttr& a) const { return a.align; }
  std::size_t operator()(const SyncAttr& a) const { return static_cast<std::size_t>(a.scope); }
  std::size_t operator()(const GroupAttr& a) const { return static_cast<std::size_t>(a.kind); }
  std::size_t operator()(const CasesAttr& a) const { return a.values.size(); }
  std::size_t operator()(const TargetAttr& a) const { return std::hash<const Op*>()(a.op); }
};

/// What two ops that compute the same value have in common.
struct Key {
  Op* op;
  std::vector<Value*> operands;

  explicit Key(Op& from) : op(&from), operands(from.operands()) {
    if (is_commutative(from.opcode()) && std::less<>()(operands[1], operands[0]))
      std::swap(operands[0], operands[1]);
  }
  friend bool operator==(const Key& a, const Key& b) {
    return a.op->opcode() == b.op->opcode() && a.op->result()->type() == b.op->result()->type() &&
           a.operands == b.operands && a.op->attr == b.op->attr;
  }
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::size_t hash = std::visit(AttrHash(), key.op->attr);
    hash = mix(hash, static_cast<std::size_t>(key.op->opcode()));
    for (const Value* operand : key.operands) hash = mix(hash, std::hash<const Value*>()(operand));
    return hash;
  }
};

class Cse {
 public:
  bool run(Region& body) {
    region(body);
    return changed_;
  }

 private:
  static bool is_candidate(const Op& op) {
    return is_pure(op.opcode()) && op.num_results() == 1 && !op.is(Opcode::Object);
  }

  /// Ops of a region are known in it and in the regions inside, and forgotten behind it.
  void region(Region& region) {
    std::vector<Key> added;
    for (Op* op = region.first(); op != nullptr;) {
      Op* next = op->next();
      for (const auto& child : op->regions()) this->region(*child);
      if (is_candidate(*op)) visit(*op, added);
      op = next;
    }
    for (const Key& key : added) known_.erase(key);
  }

  void visit(Op& op, std::vector<Key>& added) {
    const Key key(op);
    const auto [it, is_new] = known_.try_emplace(key, op.result());
    if (is_new) {
      added.push_back(key);
      return;
    }
    if (it->second->name.empty()) it->second->name = op.result()->name;
    op.result()->replace_all_uses_with(it->second);
    op.erase();
    changed_ = true;
  }

  std::unordered_map<Key, Value*, KeyHash> known_;
  bool changed_ = false;
};

}  // namespace

Result<bool> cse(Module& module, const CseConfig&) {
  bool changed = false;
  for (const auto& kernel : module.kernels) changed |= Cse().run(kernel->body);
  return changed;
}

}  // namespace spirea::kir
