// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace spirea::interp {
namespace {

constexpr std::uint8_t kUninitialized = 0xcd;

kir::Diagnostic error(std::string message) { return kir::Diagnostic::error(std::move(message)); }

std::uint8_t* new_bytes(std::uint64_t size) {
  return static_cast<std::uint8_t*>(std::malloc(std::max<std::uint64_t>(size, 1)));
}

}  // namespace

kir::Result<std::uint64_t> Memory::allocate(std::uint64_t size, std::uint64_t align) {
  if (!std::has_single_bit(align) || align > kSlotBase)
    return error("alignment " + std::to_string(align) + " of an allocation is not a power of two below 2^39");
  if (size > kMaxAllocation)
    return error("allocation of " + std::to_string(size) + " bytes is larger than the largest possible, " +
                 std::to_string(kMaxAllocation) + " bytes");
  if (kFirstAllocation + allocations_.size() >= kFirstConstant) return error("too many allocations");
  Allocation allocation;
  allocation.size = size;
  allocation.bytes.data.reset(new_bytes(size));
  allocation.bytes.undefined.reset(new_bytes(size));
  if (!allocation.bytes.data || !allocation.bytes.undefined)
    return error("out of memory: no " + std::to_string(size) + " bytes for an allocation");
  std::memset(allocation.bytes.data.get(), kUninitialized, size);
  std::memset(allocation.bytes.undefined.get(), 0xff, size);
  allocations_.push_back(std::move(allocation));
  return slot_address(kFirstAllocation + allocations_.size() - 1);
}

const Allocation* Memory::find(std::uint64_t address) const {
  const std::uint64_t index = slot_of(address) - kFirstAllocation;
  return index < allocations_.size() ? &allocations_[index] : nullptr;
}

kir::Result<void> Memory::release(std::uint64_t address) {
  const auto* found = find(address);
  if (found == nullptr || address != slot_address(slot_of(address)))
    return error("release of an address that is not the start of an allocation");
  auto& allocation = allocations_[slot_of(address) - kFirstAllocation];
  if (allocation.released) return error("release of memory that is released already");
  allocation.bytes = {};
  allocation.released = true;
  return {};
}

kir::Result<std::uint64_t> Memory::offset_of(std::uint64_t address, std::uint64_t size,
                                             const char* what) const {
  const Allocation* allocation = find(address);
  if (allocation == nullptr) return error(std::string(what) + " at an address that is no device memory");
  if (allocation->released) return error(std::string(what) + " of released memory");
  const std::uint64_t offset = address - slot_address(slot_of(address));
  if (offset > allocation->size || allocation->size - offset < size)
    return error(std::string(what) + " of " + std::to_string(size) + " bytes outside of an allocation of " +
                 std::to_string(allocation->size) + " bytes");
  return offset;
}

kir::Result<void> Memory::write(std::uint64_t address, const void* data, std::uint64_t size) {
  if (size == 0) return {};
  const auto offset = offset_of(address, size, "write");
  if (!offset) return offset.diagnostics();
  const Bytes& bytes = find(address)->bytes;
  std::memcpy(bytes.data.get() + *offset, data, size);
  std::memset(bytes.undefined.get() + *offset, 0, size);
  return {};
}

kir::Result<void> Memory::read(std::uint64_t address, void* data, std::uint64_t size) const {
  if (size == 0) return {};
  const auto offset = offset_of(address, size, "read");
  if (!offset) return offset.diagnostics();
  const Bytes& bytes = find(address)->bytes;
  const std::uint8_t* from = bytes.data.get() + *offset;
  const std::uint8_t* undefined = bytes.undefined.get() + *offset;
  auto* to = static_cast<std::uint8_t*>(data);
  for (std::uint64_t i = 0; i < size; ++i)
    to[i] = static_cast<std::uint8_t>((from[i] & ~undefined[i]) | (kUninitialized & undefined[i]));
  return {};
}

bool Memory::is_initialized(std::uint64_t address, std::uint64_t size) const {
  const auto offset = offset_of(address, size, "read");
  if (!offset) return false;
  const std::uint8_t* undefined = find(address)->bytes.undefined.get() + *offset;
  return std::all_of(undefined, undefined + size, [](std::uint8_t mask) { return mask == 0; });
}

}  // namespace spirea::interp
