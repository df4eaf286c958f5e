// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/import/importer.h"
#include "ir/core/atomics.h"

namespace spirea::frontend {
namespace {

/// The one type of all accesses through a pointer and the pointers computed from it, if there is one.
class ElementFinder {
 public:
  std::optional<kir::Type> find(const kir::Value* object) {
    if (!uses(object) || !type_) return std::nullopt;
    const auto size = static_cast<std::int64_t>(type_->bytes());
    for (const kir::ScaleAttr& scale : scales_)
      if (scale.scale % size != 0 || scale.displacement % size != 0) return std::nullopt;
    return type_;
  }

 private:
  bool uses(const kir::Value* pointer) {
    for (const kir::Use* use = pointer->first_use(); use != nullptr; use = use->next()) {
      const kir::Op& op = *use->user();
      if (kir::is_access(op)) {
        if (op.operand_index(use) != 0 || !access(kir::accessed_type(op))) return false;
      } else if (op.is(kir::Opcode::Offset)) {
        kir::ScaleAttr scale = op.as<kir::ScaleAttr>();
        // An index that is constantly zero has no scale.
        const kir::Op* index = op.operand(1)->def();
        if (index != nullptr && index->is(kir::Opcode::Const) && index->as<kir::LiteralAttr>().bits == 0)
          scale.scale = 0;
        scales_.push_back(scale);
        if (!uses(op.result())) return false;
      } else {
        return false;
      }
    }
    return true;
  }

  bool access(kir::Type type) {
    if (type_ && *type_ != type) return false;
    type_ = type;
    return true;
  }

  std::optional<kir::Type> type_;
  std::vector<kir::ScaleAttr> scales_;
};

}  // namespace

void find_element_types(kir::Kernel& kernel) {
  for (kir::Op& op : kernel.body) {
    if (!op.is(kir::Opcode::Object)) continue;
    auto& attr = op.as<kir::ObjectAttr>();
    const auto type = ElementFinder().find(op.result());
    if (type && attr.size % type->bytes() == 0) attr.element = type;
  }
}

}  // namespace spirea::frontend
