// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mesa's CPU driver (llvmpipe, seen in 22.3) takes everything that orders memory for a barrier of the
// workgroup: fences, barriers of the subgroup, and atomic operations that acquire or release. Each subgroup
// of a workgroup is a coroutine there, which a barrier suspends, and the workgroup ends with its first one:
// where subgroups pass different numbers of such operations, real barriers no longer match and some subgroups
// never finish.
//
// The driver needs none of them: the invocations of a subgroup are the lanes of a vector, its atomic
// operations are sequentially consistent ones of LLVM, and the processor is one that keeps the order of loads
// and stores, or is made to by these. So fences and subgroup barriers are left out, atomic operations lose
// their order, and what others may write is loaded as volatile, so that the driver's compiler keeps no old
// value.
#include "runtime/vulkan/llvmpipe.h"

#include <algorithm>
#include <cstddef>

#include "runtime/vulkan/words.h"

namespace spirea::vulkan {
namespace {

constexpr std::uint32_t kTypeInt = 21, kConstant = 43, kLoad = 61, kControlBarrier = 224,
                        kMemoryBarrier = 225, kAtomicStore = 228, kAtomicCompareExchange = 230;
constexpr std::uint32_t kSubgroupScope = 3, kVolatile = 0x1, kNonPrivate = 0x20;

class Adapter {
 public:
  explicit Adapter(const Words& words) : words_(words) {}

  Words run() {
    if (words_.size() < kHeaderWords) return words_;
    result_.assign(words_.begin(), words_.begin() + kHeaderWords);
    none_ = result_[kBoundIndex]++;
    const bool is_whole = for_each_instruction(words_, [&](const Instruction& instruction) {
      instruction_.assign(instruction.words.begin(), instruction.words.end());
      adapt();
    });
    return is_whole && is_changed_ ? result_ : words_;
  }

 private:
  void adapt() {
    const std::uint32_t opcode = instruction_[0] & 0xffff;
    const bool is_subgroup_barrier =
        opcode == kControlBarrier && std::ranges::count(subgroup_scopes_, instruction_[1]) != 0;
    if (opcode == kMemoryBarrier || is_subgroup_barrier) {
      is_changed_ = true;
      return;
    }
    if (is_atomic(opcode)) relax(opcode);
    if (opcode == kLoad && instruction_.size() > 4 && (instruction_[4] & kNonPrivate) != 0)
      instruction_[4] |= kVolatile;
    result_.insert(result_.end(), instruction_.begin(), instruction_.end());
    if (opcode == kTypeInt && instruction_[2] == 32) {
      result_.insert(result_.end(), {4u << 16 | kConstant, instruction_[1], none_, 0u});
      type_ = instruction_[1];
    }
    if (opcode == kConstant && instruction_[1] == type_ && instruction_[3] == kSubgroupScope)
      subgroup_scopes_.push_back(instruction_[2]);
  }

  /// Pointer, scope, semantics; a compare-exchange has two of the latter.
  void relax(std::uint32_t opcode) {
    const std::size_t at = opcode == kAtomicStore ? 3 : 5;
    const std::size_t n = opcode == kAtomicCompareExchange ? 2 : 1;
    for (std::size_t i = at; i < at + n && i < instruction_.size(); ++i) instruction_[i] = none_;
    is_changed_ = true;
  }

  const Words& words_;
  Words result_, instruction_, subgroup_scopes_;
  std::uint32_t none_ = 0, type_ = 0;
  bool is_changed_ = false;
};

}  // namespace

bool is_llvmpipe(const VkPhysicalDeviceVulkan12Properties& properties) {
  return properties.driverID == VK_DRIVER_ID_MESA_LLVMPIPE;
}

Words adapt_to_llvmpipe(const Words& words) { return Adapter(words).run(); }

}  // namespace spirea::vulkan
