// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>

#include "runtime/vulkan/device.h"

namespace spirea::vulkan {
namespace {

constexpr std::uint64_t kStagingBytes = 4 << 20;
constexpr VkMemoryPropertyFlags kVisible =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

}  // namespace

/// The first type with the best properties: for the device its own memory, best such that the host sees too
/// where that is all of it (integrated and software devices); for transfers memory that the host sees.
std::uint32_t VulkanDevice::memory_type(std::uint32_t allowed, bool host_visible) {
  const bool unified = physical_.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  std::uint32_t best = ~0u;
  int best_score = -1;
  for (std::uint32_t i = 0; i < physical_.memory.memoryTypeCount; ++i) {
    if ((allowed >> i & 1) == 0) continue;
    const VkMemoryPropertyFlags flags = physical_.memory.memoryTypes[i].propertyFlags;
    const bool local = (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0,
               visible = (flags & kVisible) == kVisible;
    const bool cached = (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0;
    if (host_visible && !visible) continue;
    int score = 0;
    if (host_visible)
      score = (cached ? 2 : 0) + (local ? 0 : 1);
    else
      score = (local ? 4 : 0) + (visible == unified ? 2 : 0) + (unified && cached ? 1 : 0);
    if (score <= best_score) continue;
    best = i;
    best_score = score;
  }
  if (best == ~0u) throw error("the device has no suitable memory");
  return best;
}

std::string VulkanDevice::allocation_failure(std::uint64_t bytes, VkResult status, std::uint32_t type) const {
  std::string text =
      "allocating " + std::to_string(bytes) + " bytes of device memory failed: " + name(status);
  if (const auto free = free_memory(physical_, type))
    text += "; " + std::to_string(*free) + " bytes are free";
  return text;
}

Buffer VulkanDevice::create_buffer(std::uint64_t bytes, bool host_visible) {
  Buffer buffer;
  buffer.size = bytes;
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = (bytes + 3) / 4 * 4;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  check(vk_.vkCreateBuffer(device_, &info, nullptr, &buffer.handle), "creating a buffer");
  try {
    VkMemoryRequirements requirements;
    vk_.vkGetBufferMemoryRequirements(device_, buffer.handle, &requirements);
    VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags};
    allocate.allocationSize = requirements.size;
    allocate.memoryTypeIndex = memory_type(requirements.memoryTypeBits, host_visible);
    const VkResult status = vk_.vkAllocateMemory(device_, &allocate, nullptr, &buffer.memory);
    if (status != VK_SUCCESS) throw error(allocation_failure(bytes, status, allocate.memoryTypeIndex));
    check(vk_.vkBindBufferMemory(device_, buffer.handle, buffer.memory, 0), "binding buffer memory");
    const auto properties = physical_.memory.memoryTypes[allocate.memoryTypeIndex].propertyFlags;
    if ((properties & kVisible) == kVisible)
      check(vk_.vkMapMemory(device_, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped),
            "mapping buffer memory");
    VkBufferDeviceAddressInfo address{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
    address.buffer = buffer.handle;
    buffer.address = vk_.vkGetBufferDeviceAddress(device_, &address);
  } catch (...) {
    destroy(buffer);
    throw;
  }
  return buffer;
}

void VulkanDevice::destroy(Buffer& buffer) noexcept {
  if (buffer.handle != VK_NULL_HANDLE) vk_.vkDestroyBuffer(device_, buffer.handle, nullptr);
  if (buffer.memory != VK_NULL_HANDLE) vk_.vkFreeMemory(device_, buffer.memory, nullptr);
  buffer = {};
}

std::uint64_t VulkanDevice::allocate(std::uint64_t bytes, std::uint64_t align) {
  Buffer buffer = create_buffer(bytes, false);
  const std::uint64_t address = buffer.address;
  if (align != 0 && address % align != 0) {
    destroy(buffer);
    throw error("the device gave memory at an address that is no multiple of " + std::to_string(align) +
                ", the elements' alignment");
  }
  buffers_.emplace(address, buffer);
  return address;
}

void VulkanDevice::release(std::uint64_t address) noexcept {
  const auto it = buffers_.find(address);
  if (it == buffers_.end()) return;
  vk_.vkDeviceWaitIdle(device_);
  destroy(it->second);
  buffers_.erase(it);
}

std::pair<Buffer*, std::uint64_t> VulkanDevice::find(std::uint64_t address) {
  auto it = buffers_.upper_bound(address);
  if (it == buffers_.begin()) throw error("internal error: an address of no buffer");
  --it;
  return {&it->second, address - it->first};
}

Buffer& VulkanDevice::staging() {
  if (staging_.handle == VK_NULL_HANDLE) staging_ = create_buffer(kStagingBytes, true);
  return staging_;
}

void VulkanDevice::write(std::uint64_t address, const void* data, std::uint64_t bytes) {
  const auto [buffer, offset] = find(address);
  wait();
  if (buffer->mapped != nullptr) {
    std::memcpy(static_cast<std::byte*>(buffer->mapped) + offset, data, bytes);
    return;
  }
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t n = std::min(bytes - done, kStagingBytes);
    std::memcpy(staging().mapped, static_cast<const std::byte*>(data) + done, n);
    copy(staging().handle, 0, buffer->handle, offset + done, n);
    done += n;
  }
}

void VulkanDevice::read(std::uint64_t address, void* data, std::uint64_t bytes) {
  const auto [buffer, offset] = find(address);
  wait();
  if (buffer->mapped != nullptr) {
    std::memcpy(data, static_cast<const std::byte*>(buffer->mapped) + offset, bytes);
    return;
  }
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t n = std::min(bytes - done, kStagingBytes);
    copy(buffer->handle, offset + done, staging().handle, 0, n);
    std::memcpy(static_cast<std::byte*>(data) + done, staging().mapped, n);
    done += n;
  }
}

void VulkanDevice::copy(VkBuffer from, std::uint64_t from_offset, VkBuffer to, std::uint64_t to_offset,
                        std::uint64_t bytes) {
  Submission& submission = acquire();
  begin(submission);
  const VkBufferCopy region{from_offset, to_offset, bytes};
  vk_.vkCmdCopyBuffer(submission.commands, from, to, 1, &region);
  barrier(submission, true);
  submit(submission);
  complete(submission);
}

}  // namespace spirea::vulkan
