// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and selection.
#include "codegen-host/select/selector.h"

namespace spirea::host::selectors {

llvm::Value* constant(Selector& s, const kir::Op& op, unsigned) {
  const kir::Type type = op.result()->type();
  const std::uint64_t bits = op.as<kir::LiteralAttr>().bits;
  llvm::Type* translated = s.type(type);
  if (type.is_ptr()) return llvm::Constant::getNullValue(translated);
  const llvm::APInt value(type.bits(), bits, false, true);
  if (type.is_int()) return llvm::ConstantInt::get(translated, value);
  return llvm::ConstantFP::get(s.builder.getContext(), llvm::APFloat(translated->getFltSemantics(), value));
}

// LLVM's undef, not its poison: the front end's undef may be just part of a value, and poison would spread to
// all of it.
llvm::Value* undef(Selector& s, const kir::Op& op, unsigned) {
  return llvm::UndefValue::get(s.result_type(op));
}

llvm::Value* freeze(Selector& s, const kir::Op& op, unsigned) { return s.frozen(s.operand(op, 0)); }

llvm::Value* choose(Selector& s, const kir::Op& op, unsigned) {
  return s.builder.CreateSelect(s.operand(op, 0), s.operand(op, 1), s.operand(op, 2));
}

}  // namespace spirea::host::selectors
