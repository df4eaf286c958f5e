// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/core/module.h"

namespace spirea::kir {

Type type_of(abi::Scalar scalar) {
  switch (scalar) {
    case abi::Scalar::I1: return Type::i1();
    case abi::Scalar::I8: return Type::i8();
    case abi::Scalar::I16: return Type::i16();
    case abi::Scalar::I32: return Type::i32();
    case abi::Scalar::I64: return Type::i64();
    case abi::Scalar::F16: return Type::f16();
    case abi::Scalar::F32: return Type::f32();
    case abi::Scalar::F64: return Type::f64();
    case abi::Scalar::Ptr: return Type::ptr(Space::Global);
  }
  return {};
}

const abi::Param* Kernel::buffer_of(const Value* argument) const {
  if (argument->argument_of() != &body) return nullptr;
  std::size_t index = 0;
  for (const abi::Param& param : manifest.params) {
    if (param.kind == abi::ParamKind::Buffer && index == argument->index()) return &param;
    index += param.leaves.size();
  }
  return nullptr;
}

Kernel* Module::find_kernel(std::string_view name) const {
  for (const auto& kernel : kernels)
    if (kernel->manifest.name == name) return kernel.get();
  return nullptr;
}

ConstantObject* Module::find_constant(std::string_view name) const {
  for (const auto& constant : constants)
    if (constant->name == name) return constant.get();
  return nullptr;
}

}  // namespace spirea::kir
