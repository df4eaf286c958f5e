// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that Vulkan does not promise to round correctly. "fma: inherited from OpFMul followed by OpFAdd"
// and "OpFDiv: 2.5 ULP" (Vulkan specification, "Precision of Individual Operations") are what devices may do;
// many do better. Where a kernel needs the exact result (Options::rounds_correctly, and always for Fma), such
// an operation is a call of a function of the module that either has the instruction or computes in integers
// (codegen-spirv/legalize/soft_float.h). A specialization constant chooses: the runtime measures which
// instructions of a device round correctly (runtime/vulkan/exactness.h), and the driver removes the other
// half.
//
//   %native = OpSpecConstantFalse                 ; abi::kFusedF32SpecId and those behind it
//   %f: OpBranchConditional %native %one %other
//   %one: OpExtInst Fma     %other: integers      ; merged by a phi
#include "codegen-spirv/legalize/legalize.h"
#include "codegen-spirv/legalize/soft_float.h"
#include "codegen-spirv/select/selector.h"
#include "ir/abi/vulkan.h"
#include "ir/core/builder.h"

namespace spirea::spirv {
namespace {

using kir::Opcode;
using kir::Type;
using kir::Value;

/// What rounds by itself on some devices: the name and number of the constant that says so.
struct ExactOp {
  Opcode opcode;
  Type type;
  Word spec_id;
  const char* name;
  bool always;  ///< also where kernels do not ask for IEEE arithmetic: C's fma() rounds once, or is of no use
};
constexpr ExactOp kExactOps[] = {
    {Opcode::Fma, Type::f32(), abi::kFusedF32SpecId, "fma_f32_rounds_once", true},
    {Opcode::Fma, Type::f64(), abi::kFusedF64SpecId, "fma_f64_rounds_once", true},
    {Opcode::FDiv, Type::f32(), abi::kExactDivideF32SpecId, "fdiv_f32_is_exact", false},
    {Opcode::FDiv, Type::f64(), abi::kExactDivideF64SpecId, "fdiv_f64_is_exact", false},
    {Opcode::Sqrt, Type::f32(), abi::kExactSqrtF32SpecId, "sqrt_f32_is_exact", false},
    {Opcode::Sqrt, Type::f64(), abi::kExactSqrtF64SpecId, "sqrt_f64_is_exact", false},
};

const ExactOp* exact_op(const kir::Op& op) {
  for (const ExactOp& row : kExactOps)
    if (row.opcode == op.opcode() && row.type == op.result()->type()) return &row;
  return nullptr;
}

Value* in_integers(kir::Builder& b, Opcode opcode, const std::vector<Value*>& operands) {
  switch (opcode) {
    case Opcode::FDiv: return soft_divide(b, operands[0], operands[1]);
    case Opcode::Sqrt: return soft_sqrt(b, operands[0]);
    default: return soft_fma(b, operands[0], operands[1], operands[2]);
  }
}

}  // namespace

bool Selector::needs_exact_function(const kir::Op& op) const {
  if (in_exact_function_) return false;
  const ExactOp* row = exact_op(op);
  if (row == nullptr) return false;
  return row->always || (options_.rounds_correctly && !op.as<kir::FastAttr>().has(kir::FastAttr::Approx));
}

Id Selector::exact_call(const kir::Op& op) {
  auto& [function, example] = exact_functions_[{op.opcode(), op.result()->type().bits()}];
  if (example == nullptr) {
    function = w_.new_id();
    example = &op;
  }
  std::vector<Id> arguments;
  for (const Value* operand : op.operands()) arguments.push_back(get(operand));
  return add(OpFunctionCall{.type = result_type(op), .function = function, .argument_0 = arguments});
}

void Selector::define_exact_functions() {
  for (const auto& [key, function] : exact_functions_)
    define_exact_function(function.first, *function.second);
}

void Selector::define_exact_function(Id function, const kir::Op& op) {
  const ExactOp& row = *exact_op(op);
  const Id t = result_type(op);
  const Id native = w_.define(Section::Global, OpSpecConstantFalse{.type = w_.type_bool()});
  w_.decorate(native, spv::Decoration::SpecId, {row.spec_id});
  w_.name(native, row.name);
  const Id function_type = w_.type_function(t, std::vector<Id>(op.num_operands(), t));
  w_.emit(Section::Function, OpFunction{.type = t, .result = function, .function_type = function_type});
  w_.name(function, std::string(kir::mnemonic(op.opcode())) + (row.type == Type::f32() ? "_f32" : "_f64"));

  // The op on parameters, and what computes the same, as a kernel of its own.
  kir::Module module;
  module.kernels.push_back(std::make_unique<kir::Kernel>());
  kir::Kernel& kernel = *module.kernels.front();
  Selector inner(w_, module, kernel, options_);
  inner.in_exact_function_ = true;
  std::vector<Value*> parameters;
  for (std::size_t i = 0; i < op.num_operands(); ++i) {
    parameters.push_back(kernel.body.add_argument(row.type, ""));
    inner.set(parameters.back(), add(OpFunctionParameter{.type = t}));
  }
  kir::Builder b(kernel.body);
  Value* soft = in_integers(b, op.opcode(), parameters);
  static_cast<void>(legalize_arithmetic(module));

  const Id one = w_.new_id(), other = w_.new_id(), merge = w_.new_id();
  label(w_.new_id());
  w_.emit(Section::Function, OpSelectionMerge{.merge_block = merge});
  w_.emit(Section::Function,
          OpBranchConditional{.condition = native, .true_label = one, .false_label = other});
  label(other);
  inner.region(kernel.body);
  const Id soft_id = inner.get(soft);
  branch(merge);
  label(one);
  kir::Op* instruction = b.create(op.opcode(), parameters, {&row.type, 1}, kir::FastAttr{});
  const Id native_id = inner.value_op(*instruction);
  branch(merge);
  label(merge);
  const Id result = add(OpPhi{.type = t, .variable = {{native_id, one}, {soft_id, other}}});
  w_.emit(Section::Function, OpReturnValue{.value = result});
  w_.emit(Section::Function, OpFunctionEnd{});
}

}  // namespace spirea::spirv
