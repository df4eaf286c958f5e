// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/transform/rewriter.h"

namespace spirea::kir {

Builder Rewriter::before(Op& op) {
  Builder builder(&op);
  builder.set_location(op.location);
  return builder;
}

Value* Rewriter::constant(Op& at, Type type, std::uint64_t bits) { return before(at).constant(type, bits); }

}  // namespace spirea::kir
