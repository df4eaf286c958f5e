// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/backend.h"
#include "runtime/vulkan/exactness.h"
#include "runtime/vulkan/library.h"

namespace spirea::vulkan {

/// What was asked of a physical device.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  VkPhysicalDeviceVulkan11Properties properties11{};
  VkPhysicalDeviceVulkan12Properties properties12{};
  VkPhysicalDeviceFeatures features{};  ///< of these, what kernels may use
  VkPhysicalDeviceVulkan11Features features11{};
  VkPhysicalDeviceVulkan12Features features12{};
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroup_control{};  ///< all false where the device lacks it
  VkPhysicalDeviceSubgroupSizeControlProperties subgroup_sizes{};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT float_atomics{};  ///< all false where the device lacks it
  VkPhysicalDeviceMemoryProperties memory{};
  std::uint64_t max_buffer_size = ~std::uint64_t{0};  ///< where Vulkan 1.3 states one
  bool has_memory_budget = false;
  std::uint32_t queue_family = 0;
  std::uint32_t timestamp_bits = 0;
  std::string missing;  ///< why it cannot be used
};

/// Reads everything; `missing` says what Spirea's kernels need and the device lacks.
PhysicalDevice describe(VkPhysicalDevice);

/// The device adds floats atomically in some memory.
bool has_float_atomics(const PhysicalDevice&);
/// Bytes of the largest buffer that the device can have, were all of its memory free.
std::uint64_t largest_buffer(const PhysicalDevice&);
/// Bytes that are free in the heap of a memory type, where the driver tells (VK_EXT_memory_budget).
std::optional<std::uint64_t> free_memory(const PhysicalDevice&, std::uint32_t memory_type);

/// Which instructions of the device round once, to nearest even (exactness.h).
struct Exactness {
  VkBool32 fused_f32, fused_f64, divide_f32, divide_f64, sqrt_f32, sqrt_f64;
};

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  std::uint64_t address = 0, size = 0;
  void* mapped = nullptr;  ///< null for memory that the host cannot see
};

/// The result of a launch; filled in when its submission is known to be complete.
struct Submission;
class VulkanDevice;
class VulkanCompletion : public detail::Completion {
 public:
  VulkanCompletion(VulkanDevice& device, Submission& submission)
      : device_(device), submission_(&submission) {}
  void wait() override;
  bool done() override;
  std::chrono::nanoseconds duration() override;

 private:
  friend class VulkanDevice;
  VulkanDevice& device_;
  Submission* submission_;  ///< null once complete
  std::chrono::nanoseconds duration_{0};
  std::string failure_;
};

/// A command buffer with what belongs to it. Reused when its launch is complete.
struct Submission {
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkFence fence = VK_NULL_HANDLE;
  std::uint32_t first_query = 0;
  Buffer arguments;  ///< for argument blocks larger than push constants
  std::weak_ptr<VulkanCompletion> completion;
  bool is_pending = false;
};

class VulkanDevice : public detail::BackendDevice {
 public:
  explicit VulkanDevice(PhysicalDevice);
  ~VulkanDevice() override;

  const detail::Limits& limits() const override { return limits_; }
  std::uint64_t allocate(std::uint64_t bytes, std::uint64_t align) override;
  void release(std::uint64_t address) noexcept override;
  void write(std::uint64_t address, const void* data, std::uint64_t bytes) override;
  void read(std::uint64_t address, void* data, std::uint64_t bytes) override;
  std::shared_ptr<detail::Completion> launch(const detail::LaunchParameters&) override;
  void wait() override;

  /// Measured at the first call; nothing is exact where that fails.
  const Exactness& exactness();

  /// Waits for one submission and hands its result to its completion.
  void complete(Submission&);
  bool is_complete(Submission&);

 private:
  struct Pipeline {
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline handle = VK_NULL_HANDLE;
  };
  /// Kernel, workgroup size, bytes of dynamic workgroup memory.
  using PipelineKey = std::tuple<std::uint64_t, std::array<std::uint32_t, 3>, std::uint32_t>;

  // device.cpp
  void create_device();
  void set_limits();

  // memory.cpp
  Buffer create_buffer(std::uint64_t bytes, bool host_visible);
  void destroy(Buffer&) noexcept;
  std::string allocation_failure(std::uint64_t bytes, VkResult, std::uint32_t memory_type) const;
  std::uint32_t memory_type(std::uint32_t allowed, bool host_visible);
  std::pair<Buffer*, std::uint64_t> find(std::uint64_t address);
  void copy(VkBuffer from, std::uint64_t from_offset, VkBuffer to, std::uint64_t to_offset,
            std::uint64_t bytes);
  Buffer& staging();

  // pipeline.cpp
  const Pipeline& pipeline(const detail::LaunchParameters&);
  void create_layout(const abi::Manifest&, Pipeline&);
  void create_pipeline(const detail::LaunchParameters&, const std::vector<std::uint32_t>& words, Pipeline&);
  Exactness measure_exactness();
  template <class T>
  ExactResults measure_exactness();
  void check_nesting(const std::vector<std::uint32_t>& words) const;

  // queue.cpp
  void create_queue();
  Submission& acquire();
  void begin(Submission&);
  void submit(Submission&);
  void barrier(Submission&, bool to_host);

  PhysicalDevice physical_;
  detail::Limits limits_;
  VolkDeviceTable vk_{};
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  std::deque<Submission> submissions_;
  std::size_t next_submission_ = 0;
  std::map<std::uint64_t, Buffer> buffers_;  ///< by address
  std::map<PipelineKey, Pipeline> pipelines_;
  Buffer staging_;
  std::optional<Exactness> exactness_;  ///< measured when the first kernel asks for it
};

}  // namespace spirea::vulkan
