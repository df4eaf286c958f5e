// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How local objects are kept, from best to worst: in registers (those are gone from KIR), as a typed array,
// in an array of words of their own, in an array of words together with others.
#include <algorithm>
#include <map>

#include "codegen-spirv/legalize/legalize.h"
#include "codegen-spirv/spirv.h"
#include "ir/core/atomics.h"
#include "ir/core/clone.h"

namespace spirea::spirv {
namespace {

using kir::Diagnostic;
using kir::Op;
using kir::Opcode;
using kir::Severity;

std::string name_of(const Op& object) {
  const std::string& name = object.result()->name;
  return name.empty() ? "a temporary" : "'" + name + "'";
}

/// The loads and stores of an object, and the offsets on the way, in the order of the program.
std::vector<const Op*> uses_of(const kir::Kernel& kernel, const Op& object) {
  std::vector<const Op*> result;
  kir::walk(kernel.body, [&](const Op& op) {
    if (!op.is(Opcode::Load) && !op.is(Opcode::Store) && !op.is(Opcode::Offset)) return;
    const kir::Value* pointer = op.operand(0);
    while (pointer->def() != nullptr && pointer->def()->is(Opcode::Offset))
      pointer = pointer->def()->operand(0);
    if (pointer->def() == &object) result.push_back(&op);
  });
  return result;
}

bool has_variable_index(const Op& op) { return op.is(Opcode::Offset) && !kir::literal(op.operand(1)); }

class Remarks {
 public:
  explicit Remarks(kir::Module& module) : module_(module), kernel_(*module.kernels[0]) {
    for (const Op& op : kernel_.body)
      if (op.is(Opcode::Object) && op.result()->type().space() == kir::Space::Private)
        waiting_.emplace(&op, waiting_.size());
  }

  void merged() {
    const std::vector<MergedObject> objects = merged_objects(kernel_);
    for (const MergedObject& merged : objects) {
      std::string others;
      for (const MergedObject& other : objects)
        if (other.set == merged.set && other.object != merged.object)
          others += (others.empty() ? " together with " : ", ") + name_of(*other.object);
      Diagnostic& remark =
          add(*merged.object, "an array of 32-bit words" + others + ", with offsets for pointers");
      note(remark, *merged.reason, reason(*merged.reason));
    }
    for (const MergedObject& merged : objects) waiting_.erase(merged.object);
  }

  void others() {
    const std::vector<const Op*> words = word_objects(module_, kernel_);
    for (const Op& op : kernel_.body) {
      if (!waiting_.contains(&op)) continue;
      if (std::ranges::find(words, &op) != words.end())
        in_words(op);
      else
        typed(op);
    }
  }

  std::vector<Diagnostic> take() {
    std::vector<Diagnostic> result;
    for (auto& [position, remark] : remarks_) result.push_back(std::move(remark));
    return result;
  }

 private:
  Diagnostic& add(const Op& object, const std::string& how) {
    const std::uint64_t size = object.as<kir::ObjectAttr>().size;
    Diagnostic remark = Diagnostic::error_at(module_.locations, object.location,
                                             name_of(object) + " (" + std::to_string(size) +
                                                 (size == 1 ? " byte" : " bytes") + ") is kept in " + how);
    remark.severity = Severity::Remark;
    if (remark.place.file.empty()) {
      remark.place.file = kernel_.manifest.file;
      remark.place.line = kernel_.manifest.line;
    }
    return remarks_[waiting_.at(&object)] = std::move(remark);
  }

  void note(Diagnostic& remark, const Op& at, std::string text) {
    remark.notes.push_back({Severity::Note, std::move(text), module_.locations[at.location], {}});
  }

  static std::string reason(const Op& op) {
    switch (op.opcode()) {
      case Opcode::PtrToInt:
      case Opcode::IntToPtr: return "a pointer to it is stored, or is a number, here";
      case Opcode::Select:
      case Opcode::Loop:
      case Opcode::Break:
      case Opcode::Continue: return "what a pointer points to depends on data here";
      default: return "its address is compared here";
    }
  }

  void in_words(const Op& object) {
    Diagnostic& remark = add(object, "an array of 32-bit words");
    const Op* first = nullptr;
    for (const Op* op : uses_of(kernel_, object)) {
      if (op->is(Opcode::Offset)) continue;
      if (first == nullptr) {
        first = op;
      } else if (accessed_type(*op) != accessed_type(*first)) {
        note(remark, *first, "it is accessed as " + kir::to_string(accessed_type(*first)) + " here");
        note(remark, *op, "and as " + kir::to_string(accessed_type(*op)) + " here");
        return;
      }
    }
    if (first != nullptr)
      note(remark, *first, "its accesses, such as this one, are not all at whole elements");
  }

  void typed(const Op& object) {
    const auto& attr = object.as<kir::ObjectAttr>();
    const std::string element = kir::to_string(*attr.element);
    const bool is_array = attr.size != attr.element->bytes();
    Diagnostic& remark = add(object, is_array ? "an array of " + element : "a variable of type " + element);
    for (const Op* op : uses_of(kernel_, object)) {
      if (has_variable_index(*op)) return note(remark, *op, "the element is chosen by data here");
      if (!op->is(Opcode::Offset) && op->as<kir::MemoryAttr>().is_volatile)
        return note(remark, *op, "it is volatile");
    }
  }

  kir::Module& module_;
  kir::Kernel& kernel_;
  std::map<const Op*, std::size_t> waiting_;  ///< objects without a remark, with their order in the kernel
  std::map<std::size_t, Diagnostic> remarks_;
};

}  // namespace

std::vector<Diagnostic> memory_remarks(const kir::Module& module, const kir::Kernel& kernel) {
  const auto legal = kir::extract(module, kernel);
  if (auto done = remove_unreachable(*legal); !done) return done.diagnostics();
  if (auto done = legalize_generic_pointers(*legal); !done) return done.diagnostics();
  Remarks remarks(*legal);
  remarks.merged();
  if (auto done = legalize_local_pointers(*legal); !done) return done.diagnostics();
  remarks.others();
  return remarks.take();
}

}  // namespace spirea::spirv
