// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/host/workgroup_memory.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace spirea::host {
namespace {

/// Pages, so that threads share no cache line, and objects of any alignment fit.
constexpr std::uint64_t kAlign = 4096;
/// What a thread keeps: more than the largest workgroup memory, and kilobytes for each of 1024 invocations.
constexpr std::uint64_t kMaxKept = std::uint64_t{4} << 20;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 40;

struct Block {
  void* memory = nullptr;
  std::uint64_t size = 0;
  std::uint64_t missing = 0;
  void release() { std::free(std::exchange(memory, nullptr)); }
};
// Trivial, since destructors of the program's global objects may still launch when the thread's are gone.
constinit thread_local Block t_block;
struct ReleaseAtExit {
  ~ReleaseAtExit() { t_block.release(); }
};

}  // namespace

void* WorkgroupMemory::of_this_thread(std::uint64_t bytes) {
  thread_local const ReleaseAtExit release_at_exit;
  Block& block = t_block;
  if (block.memory != nullptr && bytes <= block.size) return block.memory;
  block.release();
  block.size = (std::max(bytes, kAlign) + kAlign - 1) / kAlign * kAlign;
  if (bytes <= kMaxBytes) block.memory = std::aligned_alloc(kAlign, block.size);
  if (block.memory == nullptr) block.missing = bytes;
  return block.memory;
}

std::uint64_t WorkgroupMemory::end_of_call() {
  Block& block = t_block;
  if (block.size > kMaxKept) block.release();
  return std::exchange(block.missing, 0);
}

}  // namespace spirea::host
