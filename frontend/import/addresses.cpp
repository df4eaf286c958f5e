// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "frontend/import/importer.h"
#include "frontend/synchronization.h"

namespace spirea::frontend {

using kir::Opcode;
using kir::Type;

namespace {

constexpr std::uint64_t kMaxConstantSize = std::uint64_t{1} << 26;  // the verifier's limit
constexpr std::uint64_t kMaxConstantAlign = 4096;
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{1} << 26;
constexpr std::uint64_t kMaxTableSize = 4096;  // each invocation fills a table in

/// Variables that stand for something that kernels have not.
constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> kUnsupportedVariables[] = {
#define UNSUPPORTED_VARIABLE(symbol, text) {symbol, text},
#include "frontend/import/intrinsics.def"
};

}  // namespace

kir::Value* Importer::offset(kir::Value* base, std::int64_t bytes) {
  return bytes == 0 ? base : builder_.offset(base, zero(Type::i32()), 1, bytes);
}

/// An index as a signed i32 or i64.
kir::Value* Importer::index(const llvm::Value* value) {
  const auto is_i32 = [](const llvm::Value* v) { return v->getType()->isIntegerTy(32); };
  if (const auto* extend = llvm::dyn_cast<llvm::CastInst>(value);
      extend != nullptr && is_i32(extend->getOperand(0))) {
    if (llvm::isa<llvm::SExtInst>(extend)) return scalar(extend->getOperand(0));
    const auto* zext = llvm::dyn_cast<llvm::ZExtInst>(extend);
    if (zext != nullptr && zext->hasNonNeg()) return scalar(extend->getOperand(0));
  }
  kir::Value* result = scalar(value);
  const unsigned bits = value->getType()->getIntegerBitWidth();
  if (bits == 32 || bits >= 64) return result;  // of a wide integer, the low half
  if (bits == 1) return builder_.convert(Opcode::SExt, result, Type::i32());
  return resize(Opcode::SExt, sign_extended(result, bits), Type::i64());
}

kir::Value* Importer::gep(const llvm::GEPOperator& inst, kir::Value* base) {
  const llvm::DataLayout& layout = state_.source.getDataLayout();
  std::int64_t displacement = 0;
  llvm::SmallVector<std::pair<const llvm::Value*, std::int64_t>, 2> terms;
  for (auto it = llvm::gep_type_begin(inst), end = llvm::gep_type_end(inst); it != end; ++it) {
    const llvm::Value* operand = it.getOperand();
    if (llvm::StructType* record = it.getStructTypeOrNull()) {
      const auto field = llvm::cast<llvm::ConstantInt>(operand)->getZExtValue();
      displacement += static_cast<std::int64_t>(
          layout.getStructLayout(record)->getElementOffset(static_cast<unsigned>(field)));
      continue;
    }
    const auto stride = static_cast<std::int64_t>(it.getSequentialElementStride(layout).getFixedValue());
    if (const auto* fixed = llvm::dyn_cast<llvm::ConstantInt>(operand))
      displacement += fixed->getValue().sextOrTrunc(64).getSExtValue() * stride;
    else if (stride != 0)
      terms.emplace_back(operand, stride);
  }
  if (terms.empty()) return offset(base, displacement);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    kir::Value* by = index(terms[i].first);
    base = builder_.offset(base, by, terms[i].second, i + 1 == terms.size() ? displacement : 0);
  }
  return base;
}

void Importer::gep(const llvm::GetElementPtrInst& inst) {
  set(&inst, gep(llvm::cast<llvm::GEPOperator>(inst), scalar(inst.getPointerOperand())));
}

kir::Value* Importer::address_of(const llvm::GlobalVariable& global) {
  if (const auto known = globals_.find(&global); known != globals_.end()) return known->second;
  if (is_shared(global)) return globals_[&global] = add_shared(global);
  if (holds_addresses(global)) return globals_[&global] = add_table(global);
  auto [entry, is_new] = state_.globals.try_emplace(&global);
  if (is_new) entry->second = add_global(global);
  if (!entry->second.problem.empty()) {
    error(entry->second.problem, entry->second.notes);
    return zero(Type::ptr(kir::Space::Constant));
  }
  return globals_[&global] = constants_.address_of(kir::Space::Constant, entry->second.name);
}

/// A variable in workgroup memory, behind those that the kernel has already.
kir::Value* Importer::add_shared(const llvm::GlobalVariable& global) {
  const std::uint64_t size =
      state_.source.getDataLayout().getTypeAllocSize(global.getValueType()).getFixedValue();
  kir::ObjectAttr attr;
  attr.size = std::max<std::uint64_t>(size, 1);
  attr.align = static_cast<std::uint32_t>(global.getAlign().valueOrOne().value());
  const std::uint64_t end = llvm::alignTo(kernel_.manifest.shared_bytes, attr.align) + attr.size;
  if (end > kMaxSharedBytes || attr.align > kMaxConstantAlign) {
    error("variable '" + readable_name(global) + "' of " + std::to_string(size) +
          " bytes is too large for workgroup memory");
    return zero(Type::ptr(kir::Space::Workgroup));
  }
  kernel_.manifest.shared_bytes = static_cast<std::uint32_t>(end);
  const Type type = Type::ptr(kir::Space::Workgroup);
  kir::Value* object = constants_.create(Opcode::Object, {}, {&type, 1}, attr)->result();
  object->name = readable_name(global);
  return object;
}

/// A constant that holds addresses, as an object that is filled in at the kernel's start.
kir::Value* Importer::add_table(const llvm::GlobalVariable& global) {
  const llvm::DataLayout& layout = state_.source.getDataLayout();
  kir::ObjectAttr attr;
  attr.size = layout.getTypeAllocSize(global.getValueType()).getFixedValue();
  attr.align = static_cast<std::uint32_t>(global.getAlign().valueOrOne().value());
  std::vector<ScalarPlace> scalars;
  if (attr.size > kMaxTableSize || !places(global.getValueType(), 0, scalars)) {
    error("constant '" + readable_name(global) + "' of " + std::to_string(attr.size) +
          " bytes holds addresses, and is too large for that");
    return zero(Type::ptr(kir::Space::Private));
  }
  const kir::Builder saved = builder_;
  const kir::LocId here = builder_.location();
  builder_ = constants_;
  kir::Value* object = constants_.object(attr, readable_name(global));
  Components parts;
  constant(global.getInitializer(), parts);
  std::size_t at = 0;
  for (const ScalarPlace& place : scalars) {
    Components value = {parts[at++]};
    if (is_wide(place.type)) value.push_back(parts[at++]);
    store(place, value, object, attr.align, false);
  }
  builder_ = saved;
  builder_.set_location(here);
  return object;
}

/// Empty for a constant whose value is known.
std::string Importer::why_not_used(const llvm::GlobalVariable& global) const {
  const std::string readable = "'" + readable_name(global) + "'";
  for (const auto& [symbol, reason] : kUnsupportedVariables)
    if (global.getName() == symbol) return reason.str();
  if (global.isThreadLocal()) return "thread-local variable " + readable + " cannot be used in a kernel";
  if (state_.program.is_initialized_at_run_time(global.getName().str()))
    return "constant " + readable +
           " cannot be used in a kernel: its value is computed when the host's program starts; constexpr "
           "makes it known here";
  if (!global.isConstant())
    return "variable " + readable +
           " cannot be used in a kernel: it is not constant, and lives in the host's memory";
  if (!global.hasInitializer())
    return "constant " + readable + " has no initializer in this translation unit";
  return "";
}

GlobalData Importer::add_global(const llvm::GlobalVariable& global) {
  const std::string readable = "'" + readable_name(global) + "'";
  const llvm::DataLayout& layout = state_.source.getDataLayout();
  const std::uint64_t size = layout.getTypeAllocSize(global.getValueType()).getFixedValue();
  const std::uint64_t align = global.getAlign().valueOrOne().value();
  if (const std::string problem = why_not_used(global); !problem.empty())
    return {"", problem, state_.program.where_declared(global.getName().str())};
  if (size > kMaxConstantSize || align > kMaxConstantAlign)
    return {"", "constant " + readable + " of " + std::to_string(size) + " bytes is too large"};
  auto bytes = constant_bytes(*global.getInitializer(), layout);
  // Of a table of virtual functions no more than its address is used: a call through it is an error.
  if (!bytes) bytes.emplace(std::max<std::uint64_t>(size, 1), 0);

  auto constant = std::make_unique<kir::ConstantObject>();
  constant->name = "c" + std::to_string(state_.module.constants.size()) + "." +
                   (global.hasName() ? global.getName().str() : std::string("data"));
  constant->attr.size = bytes->size();
  constant->attr.align = static_cast<std::uint32_t>(align);
  constant->bytes = std::move(*bytes);
  state_.module.constants.push_back(std::move(constant));
  return {state_.module.constants.back()->name, ""};
}

}  // namespace spirea::frontend
