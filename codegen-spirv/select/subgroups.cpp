// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-uniform group instructions (SPIR-V specification 3.52.24), all of the scope of the subgroup.
#include <spirv/unified1/GLSL.std.450.h>

#include "codegen-spirv/select/selector.h"

namespace spirea::spirv {

using kir::Opcode;
using kir::Type;

namespace {

template <class Inst>
Id emit_group(ModuleWriter& w, Id type, Id execution, spv::GroupOperation operation, Id value) {
  return w.define(
      Section::Function,
      Inst{.type = type, .result = {}, .execution = execution, .operation = operation, .value = value});
}
using EmitGroup = Id (*)(ModuleWriter&, Id, Id, spv::GroupOperation, Id);

/// Of booleans: addition is modulo 2, and a signed true is -1.
EmitGroup boolean_group(Opcode opcode) {
  switch (opcode) {
    case Opcode::GroupMul:
    case Opcode::GroupUMin:
    case Opcode::GroupSMax:
    case Opcode::GroupAnd: return emit_group<OpGroupNonUniformLogicalAnd>;
    case Opcode::GroupSMin:
    case Opcode::GroupUMax:
    case Opcode::GroupOr: return emit_group<OpGroupNonUniformLogicalOr>;
    case Opcode::GroupAdd:
    case Opcode::GroupXor: return emit_group<OpGroupNonUniformLogicalXor>;
    default: return nullptr;
  }
}

EmitGroup number_group(Opcode opcode) {
  switch (opcode) {
    case Opcode::GroupAdd: return emit_group<OpGroupNonUniformIAdd>;
    case Opcode::GroupMul: return emit_group<OpGroupNonUniformIMul>;
    case Opcode::GroupSMin: return emit_group<OpGroupNonUniformSMin>;
    case Opcode::GroupSMax: return emit_group<OpGroupNonUniformSMax>;
    case Opcode::GroupUMin: return emit_group<OpGroupNonUniformUMin>;
    case Opcode::GroupUMax: return emit_group<OpGroupNonUniformUMax>;
    case Opcode::GroupAnd: return emit_group<OpGroupNonUniformBitwiseAnd>;
    case Opcode::GroupOr: return emit_group<OpGroupNonUniformBitwiseOr>;
    case Opcode::GroupXor: return emit_group<OpGroupNonUniformBitwiseXor>;
    case Opcode::GroupFAdd: return emit_group<OpGroupNonUniformFAdd>;
    case Opcode::GroupFMul: return emit_group<OpGroupNonUniformFMul>;
    case Opcode::GroupFMin: return emit_group<OpGroupNonUniformFMin>;
    case Opcode::GroupFMax: return emit_group<OpGroupNonUniformFMax>;
    default: return nullptr;
  }
}

/// Two operands: a value, and the lane, mask or distance.
template <class Inst>
Id emit_exchange(ModuleWriter& w, Id t, Id group, Id first, Id second) {
  Inst inst{};
  auto& [type, result, execution, value, number] = inst;
  (void)result;
  type = t;
  execution = group;
  value = first;
  number = second;
  return w.define(Section::Function, inst);
}
using EmitExchange = Id (*)(ModuleWriter&, Id, Id, Id, Id);

EmitExchange exchange_of(Opcode opcode) {
  switch (opcode) {
    case Opcode::SubgroupBroadcast: return emit_exchange<OpGroupNonUniformBroadcast>;
    case Opcode::SubgroupShuffle: return emit_exchange<OpGroupNonUniformShuffle>;
    case Opcode::SubgroupXor: return emit_exchange<OpGroupNonUniformShuffleXor>;
    case Opcode::SubgroupUp: return emit_exchange<OpGroupNonUniformShuffleUp>;
    case Opcode::SubgroupDown: return emit_exchange<OpGroupNonUniformShuffleDown>;
    case Opcode::QuadBroadcast: return emit_exchange<OpGroupNonUniformQuadBroadcast>;
    case Opcode::QuadSwapHorizontal:
    case Opcode::QuadSwapVertical:
    case Opcode::QuadSwapDiagonal: return emit_exchange<OpGroupNonUniformQuadSwap>;
    default: return nullptr;
  }
}

}  // namespace

Id Selector::subgroup_query(const kir::Op& op) {
  w_.require(spv::Capability::GroupNonUniform);
  switch (op.opcode()) {
    case Opcode::SubgroupLane: return built_in(spv::BuiltIn::SubgroupLocalInvocationId, "subgroup_lane", 1);
    case Opcode::SubgroupId: return built_in(spv::BuiltIn::SubgroupId, "subgroup_id", 1);
    case Opcode::NumSubgroups: return num_subgroups();
    default: return built_in(spv::BuiltIn::SubgroupSize, "subgroup_size", 1);
  }
}

/// At least as many as it takes: Mesa's CPU driver (22.3) does not count a last one that is not full.
Id Selector::num_subgroups() {
  const Id u32 = w_.type_int(32);
  const Id counted = built_in(spv::BuiltIn::NumSubgroups, "num_subgroups", 1);
  const Id size = built_in(spv::BuiltIn::SubgroupSize, "subgroup_size", 1);
  Id all;
  for (const kir::Dim dim : {kir::Dim::X, kir::Dim::Y, kir::Dim::Z}) {
    const Id extent = component(workgroup_size_, dim);
    all = dim == kir::Dim::X ? extent : add(OpIMul{.type = u32, .operand_1 = all, .operand_2 = extent});
  }
  all = add(OpIAdd{.type = u32, .operand_1 = all, .operand_2 = size});
  all = add(OpISub{.type = u32, .operand_1 = all, .operand_2 = w_.constant_u32(1)});
  const Id least = add(OpUDiv{.type = u32, .operand_1 = all, .operand_2 = size});
  return add(
      OpExtInst{.type = u32, .set = w_.glsl(), .instruction = GLSLstd450UMax, .operand_1 = {counted, least}});
}

Id Selector::subgroup_op(const kir::Op& op) {
  const Id subgroup = scope(kir::Scope::Subgroup), t = result_type(op);
  switch (op.opcode()) {
    case Opcode::SubgroupElect: return add(OpGroupNonUniformElect{.type = t, .execution = subgroup});
    case Opcode::SubgroupAll:
      return add(OpGroupNonUniformAll{.type = t, .execution = subgroup, .predicate = get(op.operand(0))});
    case Opcode::SubgroupAny:
      return add(OpGroupNonUniformAny{.type = t, .execution = subgroup, .predicate = get(op.operand(0))});
    case Opcode::SubgroupAllEqual:
      return add(OpGroupNonUniformAllEqual{.type = t, .execution = subgroup, .value = get(op.operand(0))});
    case Opcode::SubgroupBallot: return ballot(op);
    case Opcode::SubgroupFirst:
      return add(
          OpGroupNonUniformBroadcastFirst{.type = t, .execution = subgroup, .value = get(op.operand(0))});
    default: return exchange_of(op.opcode()) != nullptr ? exchange(op) : group_arithmetic(op);
  }
}

/// The first two words of the four.
Id Selector::ballot(const kir::Op& op) {
  const Id u32 = w_.type_int(32), u64 = w_.type_int(64);
  const Id all = add(OpGroupNonUniformBallot{.type = w_.type_vector(u32, 4),
                                             .execution = scope(kir::Scope::Subgroup),
                                             .predicate = get(op.operand(0))});
  const auto word = [&](Word i) {
    const Id part = add(OpCompositeExtract{.type = u32, .composite = all, .indexes = {i}});
    return add(OpUConvert{.type = u64, .unsigned_value = part});
  };
  const Id low = word(0), high = word(1);
  const Id shifted = add(OpShiftLeftLogical{.type = u64, .base = high, .shift = w_.constant(u64, 64, 32)});
  return add(OpBitwiseOr{.type = u64, .operand_1 = low, .operand_2 = shifted});
}

Id Selector::exchange(const kir::Op& op) {
  const bool is_swap = op.num_operands() == 1;  // horizontal, vertical, diagonal: 0, 1, 2
  const Id number =
      is_swap
          ? w_.constant_u32(static_cast<Word>(op.opcode()) - static_cast<Word>(Opcode::QuadSwapHorizontal))
          : get(op.operand(1));
  return exchange_of(op.opcode())(w_, result_type(op), scope(kir::Scope::Subgroup), get(op.operand(0)),
                                  number);
}

Id Selector::group_arithmetic(const kir::Op& op) {
  using Kind = kir::GroupAttr::Kind;
  const Type t = op.result()->type();
  const auto kind = op.as<kir::GroupAttr>().kind;
  const EmitGroup emit = t.is_bool() ? boolean_group(op.opcode()) : number_group(op.opcode());
  if (emit == nullptr || kind == Kind::Clustered) {
    fail(op, "internal error: '" + std::string(mnemonic(op.opcode())) + "' reached instruction selection");
    return w_.undef(type(t));
  }
  constexpr spv::GroupOperation operations[] = {
      spv::GroupOperation::Reduce, spv::GroupOperation::InclusiveScan, spv::GroupOperation::ExclusiveScan};
  return emit(w_, type(t), scope(kir::Scope::Subgroup), operations[static_cast<std::size_t>(kind)],
              get(op.operand(0)));
}

}  // namespace spirea::spirv
