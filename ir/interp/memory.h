// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/core/diagnostic.h"

namespace spirea::interp {

// Virtual addresses: each memory object begins in the middle of a range of 2^40 addresses of its own, so that
// an access that misses it by less than 512 GiB hits nothing else, and still says which object it missed.
inline constexpr unsigned kSlotBits = 40;
inline constexpr std::uint64_t kSlotBase = std::uint64_t{1} << (kSlotBits - 1);
inline constexpr std::uint64_t kMaxAllocation = std::uint64_t{1} << 38;

// Numbers of ranges. The first holds the null pointer.
inline constexpr std::uint64_t kFirstAllocation = 1;
inline constexpr std::uint64_t kFirstConstant = 0x400000;
inline constexpr std::uint64_t kFirstObject = 0x500000;
inline constexpr std::uint64_t kLastSlot = 0x7fffff;

constexpr std::uint64_t slot_address(std::uint64_t slot) { return (slot << kSlotBits) + kSlotBase; }
constexpr std::uint64_t slot_of(std::uint64_t address) { return address >> kSlotBits; }

/// Bytes, and for each one which of its bits are uninitialized.
struct Bytes {
  struct Free {
    void operator()(std::uint8_t* data) const { std::free(data); }
  };
  std::unique_ptr<std::uint8_t, Free> data;
  std::unique_ptr<std::uint8_t, Free> undefined;
};

struct Allocation {
  std::uint64_t size = 0;
  Bytes bytes;
  bool released = false;
};

/// Device memory. Addresses of released memory are never given out again.
class Memory {
 public:
  /// Uninitialized memory; its address is a multiple of `align`, a power of two.
  kir::Result<std::uint64_t> allocate(std::uint64_t size, std::uint64_t align = 1);
  kir::Result<void> release(std::uint64_t address);
  kir::Result<void> write(std::uint64_t address, const void* data, std::uint64_t size);
  /// Uninitialized bits read as those of 0xCD.
  kir::Result<void> read(std::uint64_t address, void* data, std::uint64_t size) const;
  /// True if all bits of the range are initialized; false too if it is not in one allocation.
  bool is_initialized(std::uint64_t address, std::uint64_t size) const;

  std::span<Allocation> allocations() { return allocations_; }
  std::span<const Allocation> allocations() const { return allocations_; }
  /// The allocation whose range of addresses this is in, released or not; null if there is none.
  const Allocation* find(std::uint64_t address) const;

 private:
  kir::Result<std::uint64_t> offset_of(std::uint64_t address, std::uint64_t size, const char* what) const;

  std::vector<Allocation> allocations_;
};

}  // namespace spirea::interp
