// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/ops/handlers.h"

namespace spirea::interp {

using kir::Opcode;

Handler select_handler(const kir::Op& op, Subnormals subnormals) {
  switch (op.opcode()) {
    case Opcode::Freeze: return freeze_value;
    case Opcode::Select: return select_value;

    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::UDiv:
    case Opcode::SDiv:
    case Opcode::URem:
    case Opcode::SRem:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Shl:
    case Opcode::LShr:
    case Opcode::AShr:
    case Opcode::SMin:
    case Opcode::SMax:
    case Opcode::UMin:
    case Opcode::UMax:
    case Opcode::UMulHi:
    case Opcode::SMulHi:
    case Opcode::IAbs:
    case Opcode::Clz:
    case Opcode::Ctz:
    case Opcode::Popcount:
    case Opcode::BitReverse:
    case Opcode::ByteSwap: return integer_handler(op);

    case Opcode::IEq:
    case Opcode::INe:
    case Opcode::ULt:
    case Opcode::ULe:
    case Opcode::UGt:
    case Opcode::UGe:
    case Opcode::SLt:
    case Opcode::SLe:
    case Opcode::SGt:
    case Opcode::SGe: return comparison_handler(op);

    case Opcode::FAdd:
    case Opcode::FSub:
    case Opcode::FMul:
    case Opcode::FDiv:
    case Opcode::FRem:
    case Opcode::FNeg:
    case Opcode::FAbs:
    case Opcode::FMin:
    case Opcode::FMax:
    case Opcode::CopySign:
    case Opcode::Fma:
    case Opcode::Sqrt:
    case Opcode::Floor:
    case Opcode::Ceil:
    case Opcode::FTrunc:
    case Opcode::Round:
    case Opcode::RoundEven: return float_handler(op, subnormals);

    case Opcode::Sin:
    case Opcode::Cos:
    case Opcode::Tan:
    case Opcode::Asin:
    case Opcode::Acos:
    case Opcode::Atan:
    case Opcode::Atan2:
    case Opcode::Sinh:
    case Opcode::Cosh:
    case Opcode::Tanh:
    case Opcode::Asinh:
    case Opcode::Acosh:
    case Opcode::Atanh:
    case Opcode::Exp:
    case Opcode::Exp2:
    case Opcode::Exp10:
    case Opcode::Expm1:
    case Opcode::Log:
    case Opcode::Log2:
    case Opcode::Log10:
    case Opcode::Log1p:
    case Opcode::Pow:
    case Opcode::Cbrt:
    case Opcode::Hypot:
    case Opcode::Erf:
    case Opcode::Erfc:
    case Opcode::Tgamma:
    case Opcode::Lgamma: return elementary_handler(op, subnormals);

    case Opcode::FOEq:
    case Opcode::FONe:
    case Opcode::FOLt:
    case Opcode::FOLe:
    case Opcode::FOGt:
    case Opcode::FOGe:
    case Opcode::FOrd:
    case Opcode::FUno:
    case Opcode::FUEq:
    case Opcode::FUNe:
    case Opcode::FULt:
    case Opcode::FULe:
    case Opcode::FUGt:
    case Opcode::FUGe:
    case Opcode::IsNan:
    case Opcode::IsInf: return float_test_handler(op, subnormals);

    case Opcode::Trunc:
    case Opcode::ZExt:
    case Opcode::SExt:
    case Opcode::FpTrunc:
    case Opcode::FpExt:
    case Opcode::FpToSi:
    case Opcode::FpToUi:
    case Opcode::SiToFp:
    case Opcode::UiToFp:
    case Opcode::Bitcast:
    case Opcode::PtrToInt:
    case Opcode::IntToPtr:
    case Opcode::ToGeneric: return conversion_handler(op, subnormals);

    case Opcode::Offset: return offset_pointer;
    case Opcode::Load: return load_handler(op);
    case Opcode::Store: return store_handler(op);

    case Opcode::AtomicGet:
    case Opcode::AtomicSet:
    case Opcode::AtomicSwap:
    case Opcode::AtomicCas:
    case Opcode::AtomicAdd:
    case Opcode::AtomicSub:
    case Opcode::AtomicAnd:
    case Opcode::AtomicOr:
    case Opcode::AtomicXor:
    case Opcode::AtomicSMin:
    case Opcode::AtomicSMax:
    case Opcode::AtomicUMin:
    case Opcode::AtomicUMax:
    case Opcode::AtomicFAdd:
    case Opcode::AtomicFMin:
    case Opcode::AtomicFMax: return atomic_handler(op);
    case Opcode::Fence: return fence;

    case Opcode::SubgroupSize:
    case Opcode::SubgroupLane:
    case Opcode::SubgroupId:
    case Opcode::NumSubgroups: return query_subgroup;

    case Opcode::Barrier:
    case Opcode::SubgroupElect:
    case Opcode::SubgroupAll:
    case Opcode::SubgroupAny:
    case Opcode::SubgroupAllEqual:
    case Opcode::SubgroupBallot:
    case Opcode::SubgroupFirst:
    case Opcode::SubgroupBroadcast:
    case Opcode::SubgroupShuffle:
    case Opcode::SubgroupXor:
    case Opcode::SubgroupUp:
    case Opcode::SubgroupDown:
    case Opcode::SubgroupRotate:
    case Opcode::QuadBroadcast:
    case Opcode::QuadSwapHorizontal:
    case Opcode::QuadSwapVertical:
    case Opcode::QuadSwapDiagonal:
    case Opcode::GroupAdd:
    case Opcode::GroupMul:
    case Opcode::GroupSMin:
    case Opcode::GroupSMax:
    case Opcode::GroupUMin:
    case Opcode::GroupUMax:
    case Opcode::GroupAnd:
    case Opcode::GroupOr:
    case Opcode::GroupXor:
    case Opcode::GroupFAdd:
    case Opcode::GroupFMul:
    case Opcode::GroupFMin:
    case Opcode::GroupFMax: return wait_for_others;

    case Opcode::GlobalId:
    case Opcode::LocalId:
    case Opcode::WorkgroupId:
    case Opcode::NumWorkgroups:
    case Opcode::WorkgroupSize:
    case Opcode::GlobalSize: return query_position;

    case Opcode::Return: return end_invocation;
    case Opcode::Trap: return report_trap;
    case Opcode::Unreachable: return report_unreachable;

    case Opcode::Const:
    case Opcode::Undef:
    case Opcode::Object:
    case Opcode::DynamicShared:
    case Opcode::AddressOf:
    case Opcode::If:
    case Opcode::Loop:
    case Opcode::Switch:
    case Opcode::Block:
    case Opcode::Break:
    case Opcode::Continue: return nullptr;
  }
  return nullptr;
}

}  // namespace spirea::interp
