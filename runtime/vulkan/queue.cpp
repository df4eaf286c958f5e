// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>

#include "runtime/vulkan/device.h"
#include "runtime/vulkan/push_constants.h"

namespace spirea::vulkan {
namespace {

constexpr std::size_t kSubmissions = 64;  // launches on their way before the host waits for the oldest

}  // namespace

void VulkanDevice::create_queue() {
  VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = physical_.queue_family;
  check(vk_.vkCreateCommandPool(device_, &pool, nullptr, &pool_), "creating the command pool");
  VkQueryPoolCreateInfo queries{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = kSubmissions * 2;
  check(vk_.vkCreateQueryPool(device_, &queries, nullptr, &queries_), "creating the query pool");
}

/// A submission that is not on its way; the oldest one, waited for, if all are.
Submission& VulkanDevice::acquire() {
  if (submissions_.size() < kSubmissions) {
    Submission submission;
    submission.first_query = static_cast<std::uint32_t>(submissions_.size() * 2);
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    check(vk_.vkAllocateCommandBuffers(device_, &info, &submission.commands), "allocating a command buffer");
    const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    check(vk_.vkCreateFence(device_, &fence, nullptr, &submission.fence), "creating a fence");
    submissions_.push_back(std::move(submission));
    return submissions_.back();
  }
  Submission& submission = submissions_[next_submission_];
  next_submission_ = (next_submission_ + 1) % kSubmissions;
  complete(submission);
  return submission;
}

void VulkanDevice::begin(Submission& submission) {
  VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vk_.vkBeginCommandBuffer(submission.commands, &info), "recording commands");
  barrier(submission, false);
}

/// Between what was submitted before and these commands, or between them and the host.
void VulkanDevice::barrier(Submission& submission, bool to_host) {
  constexpr VkPipelineStageFlags to_the_host = VK_PIPELINE_STAGE_HOST_BIT;
  constexpr VkPipelineStageFlags device =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  memory.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  memory.dstAccessMask = to_host ? VK_ACCESS_HOST_READ_BIT
                                 : VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  vk_.vkCmdPipelineBarrier(submission.commands, device, to_host ? to_the_host : device, 0, 1, &memory, 0,
                           nullptr, 0, nullptr);
}

void VulkanDevice::submit(Submission& submission) {
  check(vk_.vkEndCommandBuffer(submission.commands), "recording commands");
  check(vk_.vkResetFences(device_, 1, &submission.fence), "resetting a fence");
  VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
  info.commandBufferCount = 1;
  info.pCommandBuffers = &submission.commands;
  check(vk_.vkQueueSubmit(queue_, 1, &info, submission.fence), "submitting commands");
  submission.is_pending = true;
}

std::shared_ptr<detail::Completion> VulkanDevice::launch(const detail::LaunchParameters& launch) {
  const Pipeline& code = pipeline(launch);
  Submission& submission = acquire();
  const abi::Manifest& manifest = launch.kernel->manifest();
  std::uint64_t block_address = 0;
  if (!in_push_constants(manifest)) {
    if (submission.arguments.size < launch.argument_block.size()) {
      destroy(submission.arguments);
      submission.arguments = create_buffer(launch.argument_block.size(), true);
    }
    std::memcpy(submission.arguments.mapped, launch.argument_block.data(), launch.argument_block.size());
    block_address = submission.arguments.address;
  }
  begin(submission);
  vk_.vkCmdBindPipeline(submission.commands, VK_PIPELINE_BIND_POINT_COMPUTE, code.handle);
  if (const std::uint32_t bytes = push_constant_bytes(manifest); bytes != 0)
    vk_.vkCmdPushConstants(
        submission.commands, code.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, bytes,
        block_address != 0 ? static_cast<const void*>(&block_address) : launch.argument_block.data());
  const bool timed = physical_.timestamp_bits != 0;
  if (timed) {
    vk_.vkCmdResetQueryPool(submission.commands, queries_, submission.first_query, 2);
    vk_.vkCmdWriteTimestamp(submission.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, queries_,
                            submission.first_query);
  }
  vk_.vkCmdDispatch(submission.commands, launch.num_workgroups[0], launch.num_workgroups[1],
                    launch.num_workgroups[2]);
  if (timed)
    vk_.vkCmdWriteTimestamp(submission.commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, queries_,
                            submission.first_query + 1);
  barrier(submission, true);
  submit(submission);
  auto completion = std::make_shared<VulkanCompletion>(*this, submission);
  submission.completion = completion;
  return completion;
}

bool VulkanDevice::is_complete(Submission& submission) {
  return !submission.is_pending || vk_.vkGetFenceStatus(device_, submission.fence) != VK_NOT_READY;
}

void VulkanDevice::complete(Submission& submission) {
  if (!submission.is_pending) return;
  const VkResult status = vk_.vkWaitForFences(device_, 1, &submission.fence, VK_TRUE, ~std::uint64_t{0});
  submission.is_pending = false;
  const auto completion = submission.completion.lock();
  submission.completion.reset();
  if (completion != nullptr) {
    completion->submission_ = nullptr;
    if (status != VK_SUCCESS) completion->failure_ = std::string("the launch failed: ") + name(status);
    std::uint64_t ticks[2] = {0, 0};
    if (status == VK_SUCCESS && physical_.timestamp_bits != 0 &&
        vk_.vkGetQueryPoolResults(device_, queries_, submission.first_query, 2, sizeof(ticks), ticks, 8,
                                  VK_QUERY_RESULT_64_BIT) == VK_SUCCESS) {
      const std::uint64_t mask = physical_.timestamp_bits >= 64
                                     ? ~std::uint64_t{0}
                                     : (std::uint64_t{1} << physical_.timestamp_bits) - 1;
      const double ns =
          static_cast<double>((ticks[1] - ticks[0]) & mask) * physical_.properties.limits.timestampPeriod;
      completion->duration_ = std::chrono::nanoseconds(static_cast<std::int64_t>(ns));
    }
  }
  check(status, "waiting for the device");
}

void VulkanDevice::wait() {
  for (Submission& submission : submissions_) complete(submission);
}

void VulkanCompletion::wait() {
  if (submission_ != nullptr) device_.complete(*submission_);
  if (!failure_.empty()) throw error(failure_);
}

bool VulkanCompletion::done() { return submission_ == nullptr || device_.is_complete(*submission_); }

std::chrono::nanoseconds VulkanCompletion::duration() {
  wait();
  return duration_;
}

}  // namespace spirea::vulkan
