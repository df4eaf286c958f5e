// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/core/location.h"
#include "ir/core/opcode.h"
#include "ir/core/type.h"

namespace spirea::kir {

class Op;
class Region;
class Use;
struct Kernel;

/// An SSA value: a result of an op, or an argument of a region (of the kernel's body or a loop's).
class Value {
 public:
  Value(Type type, Op* op, Region* region, std::uint32_t index)
      : type_(type), index_(index), op_(op), region_(region) {}
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;

  Type type() const { return type_; }
  void set_type(Type type) { type_ = type; }
  /// The op whose result this is; null for a region's argument.
  Op* def() const { return op_; }
  /// The region whose argument this is; null for a result.
  Region* argument_of() const { return region_; }
  /// Position among the results or arguments.
  std::uint32_t index() const { return index_; }

  bool has_uses() const { return first_use_ != nullptr; }
  bool has_one_use() const;
  Use* first_use() const { return first_use_; }
  /// Makes every use a use of `other`, which has the same type.
  void replace_all_uses_with(Value* other);

  std::string name;  ///< a hint for printing and for OpName; need not be unique

 private:
  friend class Use;
  friend class Region;
  friend class Op;
  Type type_;
  std::uint32_t index_;
  Op* op_;
  Region* region_;
  Use* first_use_ = nullptr;
};

/// An operand: a link in the list of its value's uses.
class Use {
 public:
  Use(Op* user, Value* value) : user_(user) { link(value); }
  Use(Use&& other) noexcept : user_(other.user_) {
    link(other.value_);
    other.unlink();
  }
  Use& operator=(Use&& other) noexcept {
    if (this == &other) return *this;
    set(other.value_);
    user_ = other.user_;
    other.unlink();
    return *this;
  }
  ~Use() { unlink(); }

  Value* value() const { return value_; }
  Op* user() const { return user_; }
  Use* next() const { return next_; }
  void set(Value* value) {
    unlink();
    link(value);
  }

 private:
  void link(Value*);
  void unlink();

  Op* user_;
  Value* value_ = nullptr;
  Use* next_ = nullptr;
  Use** previous_ = nullptr;
};

/// The value of a `const`, as bits in the low end; a float's are its IEEE encoding.
struct LiteralAttr {
  std::uint64_t bits = 0;
  friend bool operator==(const LiteralAttr&, const LiteralAttr&) = default;
};

/// What a floating-point op may do beyond IEEE 754; LLVM's fast-math flags. The text form lists the names.
struct FastAttr {
  enum Flag : std::uint8_t {
    Contract = 1,  ///< may be fused with the op that uses it
    Reassoc = 2,   ///< may be reassociated
    NoNan = 4,     ///< operands and result are not NaN
    NoInf = 8,     ///< operands and result are not infinite
    NoSignedZero = 16,
    Reciprocal = 32,  ///< x / y may become x * (1 / y)
    Approx = 64,      ///< an approximation of the function will do
  };
  std::uint8_t flags = 0;
  bool has(Flag flag) const { return (flags & flag) != 0; }
  friend bool operator==(const FastAttr&, const FastAttr&) = default;
};

/// A memory object: `size` bytes; `element` is set when every access is to an element of that type.
struct ObjectAttr {
  std::uint64_t size = 0;
  std::uint32_t align = 1;  ///< bytes, a power of two
  std::optional<Type> element;
  friend bool operator==(const ObjectAttr&, const ObjectAttr&) = default;
};

/// The name of a module-level object, without the '@'.
struct SymbolAttr {
  std::string name;
  friend bool operator==(const SymbolAttr&, const SymbolAttr&) = default;
};

/// `offset`: address = pointer + index * scale + displacement, in bytes.
struct ScaleAttr {
  std::int64_t scale = 1;
  std::int64_t displacement = 0;
  friend bool operator==(const ScaleAttr&, const ScaleAttr&) = default;
};

struct MemoryAttr {
  std::uint32_t align = 1;  ///< bytes, a power of two
  bool is_volatile = false;
  friend bool operator==(const MemoryAttr&, const MemoryAttr&) = default;
};

enum class Dim : std::uint8_t { X, Y, Z };

/// `switch`: the values of each region but the last, which is the default. Values are distinct and fit the
/// operand.
struct CasesAttr {
  std::vector<std::vector<std::uint64_t>> values;
  friend bool operator==(const CasesAttr&, const CasesAttr&) = default;
};

/// `break` and `continue`: the enclosing structured op.
struct TargetAttr {
  Op* op = nullptr;
  friend bool operator==(const TargetAttr&, const TargetAttr&) = default;
};

/// Who takes part, narrowest first (SPIR-V's scopes).
enum class Scope : std::uint8_t { Invocation, Subgroup, Workgroup, Device, System };

/// LLVM's atomic orderings, weakest first.
enum class Order : std::uint8_t { Relaxed, Acquire, Release, AcqRel, SeqCst };

/// An atomic access. A compare-exchange that fails is ordered as the load in it.
struct AtomicAttr {
  std::uint32_t align = 1;  ///< bytes, a power of two
  Scope scope = Scope::Device;
  Order order = Order::SeqCst;
  bool is_volatile = false;
  friend bool operator==(const AtomicAttr&, const AtomicAttr&) = default;
};

/// A barrier's scope of execution and memory, or a fence's of memory.
struct SyncAttr {
  Scope scope = Scope::Workgroup;
  Order order = Order::AcqRel;
  friend bool operator==(const SyncAttr&, const SyncAttr&) = default;
};

/// Over which of a subgroup's active invocations an op goes.
struct GroupAttr {
  enum class Kind : std::uint8_t {
    Reduce,     ///< all
    Inclusive,  ///< those up to this one
    Exclusive,  ///< those before this one; the operation's identity in the first
    Clustered,  ///< those of this one's cluster: `size` lanes, a power of two, from a multiple of it on
  };
  Kind kind = Kind::Reduce;
  std::uint32_t size = 0;
  friend bool operator==(const GroupAttr&, const GroupAttr&) = default;
};

std::string_view to_string(Scope);
std::string_view to_string(Order);
std::string_view to_string(GroupAttr::Kind);
std::optional<Scope> parse_scope(std::string_view);
std::optional<Order> parse_order(std::string_view);
std::optional<GroupAttr::Kind> parse_group_kind(std::string_view);

using Attr = std::variant<std::monostate, LiteralAttr, FastAttr, ObjectAttr, SymbolAttr, ScaleAttr,
                          MemoryAttr, Dim, CasesAttr, TargetAttr, AtomicAttr, SyncAttr, GroupAttr>;

/// A list of ops that ends with a terminator. Owns its ops.
class Region {
 public:
  explicit Region(Op* parent, Kernel* kernel = nullptr) : parent_(parent), kernel_(kernel) {}
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region();

  /// The op that has this region; null for a kernel's body.
  Op* parent() const { return parent_; }
  /// The kernel whose body this is; null for other regions. See kernel_of().
  Kernel* kernel() const { return kernel_; }

  bool empty() const { return first_ == nullptr; }
  Op* first() const { return first_; }
  Op* last() const { return last_; }
  /// The last op if it is a terminator, else null (which only an unfinished region has).
  Op* terminator() const;

  std::span<const std::unique_ptr<Value>> arguments() const { return arguments_; }
  Value* argument(std::size_t i) const { return arguments_[i].get(); }
  Value* add_argument(Type, std::string name = {});
  /// The argument must have no uses.
  void erase_argument(std::size_t);

  void append(std::unique_ptr<Op>);
  /// `before` null appends.
  void insert(Op* before, std::unique_ptr<Op>);
  /// Takes the op out of its region.
  std::unique_ptr<Op> remove(Op*);
  /// Moves [first op of `from`, end) to the place before `before` (null: the end) of this region.
  void splice(Op* before, Region& from);
  /// Moves the ops from `first` to the end of its region to the end of this one.
  void take_from(Op* first);

  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Op;
    using difference_type = std::ptrdiff_t;
    using pointer = Op*;
    using reference = Op&;
    iterator() = default;
    explicit iterator(Op* op) : op_(op) {}
    Op& operator*() const { return *op_; }
    Op* operator->() const { return op_; }
    inline iterator& operator++();
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(iterator, iterator) = default;

   private:
    Op* op_ = nullptr;
  };
  /// Iteration; to remove the current op, take next() first.
  iterator begin() const { return iterator(first_); }
  iterator end() const { return iterator(); }

 private:
  Op* parent_;
  Kernel* kernel_;
  Op* first_ = nullptr;
  Op* last_ = nullptr;
  std::vector<std::unique_ptr<Value>> arguments_;
};

/// An operation: opcode, operands, results, attribute, regions and location.
class Op {
 public:
  /// Regions are created empty, `regions` of them.
  static std::unique_ptr<Op> create(Opcode, std::span<Value* const> operands, std::span<const Type> results,
                                    Attr attr = {}, std::size_t regions = 0, LocId location = 0);
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;
  ~Op();

  Opcode opcode() const { return opcode_; }
  bool is(Opcode op) const { return opcode_ == op; }
  /// Changes the opcode to one with the same attribute kind and shape.
  void set_opcode(Opcode op) { opcode_ = op; }

  std::size_t num_operands() const { return operands_.size(); }
  Value* operand(std::size_t i) const { return operands_[i].value(); }
  void set_operand(std::size_t i, Value* value) { operands_[i].set(value); }
  void add_operand(Value* value) { operands_.emplace_back(this, value); }
  void erase_operand(std::size_t i) { operands_.erase(operands_.begin() + static_cast<std::ptrdiff_t>(i)); }
  std::vector<Value*> operands() const;
  /// Position of a use among this op's operands.
  std::size_t operand_index(const Use* use) const { return static_cast<std::size_t>(use - operands_.data()); }

  std::size_t num_results() const { return results_.size(); }
  Value* result(std::size_t i = 0) const { return results_[i].get(); }
  std::span<const std::unique_ptr<Value>> results() const { return results_; }
  Value* add_result(Type, std::string name = {});
  /// The result must have no uses.
  void erase_result(std::size_t);
  bool has_used_results() const;

  std::size_t num_regions() const { return regions_.size(); }
  Region& region(std::size_t i = 0) const { return *regions_[i]; }
  Region& add_region();
  std::span<const std::unique_ptr<Region>> regions() const { return regions_; }

  Attr attr;
  LocId location = 0;

  /// The attribute as the alternative that this opcode has.
  template <class A>
  A& as() {
    return std::get<A>(attr);
  }
  template <class A>
  const A& as() const {
    return std::get<A>(attr);
  }
  /// The target of a break or continue.
  Op* target() const { return as<TargetAttr>().op; }

  Region* parent() const { return parent_; }
  /// The structured op around this one; null directly in a kernel's body.
  Op* parent_op() const { return parent_ == nullptr ? nullptr : parent_->parent(); }
  Op* next() const { return next_; }
  Op* previous() const { return previous_; }

  /// Unlinks and destroys this op; its results must be unused.
  void erase();
  /// Destroys the operands here and below, so that ops may be destroyed in any order.
  void drop_operands();

 private:
  friend class Region;
  Op(Opcode opcode, LocId loc) : location(loc), opcode_(opcode) {}

  Opcode opcode_;
  Region* parent_ = nullptr;
  Op* next_ = nullptr;
  Op* previous_ = nullptr;
  std::vector<Use> operands_;
  std::vector<std::unique_ptr<Value>> results_;
  std::vector<std::unique_ptr<Region>> regions_;
};

inline Region::iterator& Region::iterator::operator++() {
  op_ = op_->next();
  return *this;
}

/// The kernel that contains a region or op; null if it is not in one.
Kernel* kernel_of(const Region*);
inline Kernel* kernel_of(const Op* op) { return kernel_of(op->parent()); }

/// The bits of a value that a `const` defines; nothing for other values.
std::optional<std::uint64_t> literal(const Value*);

/// Calls `visit(Op&)` for each op below the region, an op before the ops in its regions. The visited op may
/// be erased by the visitor if it has no regions.
template <class F>
void walk(const Region& region, F&& visit) {
  for (Op* op = region.first(); op != nullptr;) {
    Op* next = op->next();
    const bool nested = op->num_regions() != 0;
    visit(*op);
    if (nested)
      for (const auto& child : op->regions()) walk(*child, visit);
    op = next;
  }
}

}  // namespace spirea::kir
