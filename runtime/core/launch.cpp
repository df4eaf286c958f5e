// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstring>

#include "runtime/core/registry.h"
#include "runtime/core/state.h"

namespace spirea {
namespace detail {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& v) {
  return std::to_string(v[0]) + "x" + std::to_string(v[1]) + "x" + std::to_string(v[2]);
}

/// "argument 2 ('out')"
std::string argument_name(const abi::Manifest& manifest, std::size_t i) {
  const std::string& name = manifest.params[i].name;
  return "argument " + std::to_string(i + 1) + (name.empty() ? "" : " ('" + name + "')");
}

class LaunchBuilder {
 public:
  LaunchBuilder(device_state& device, const KernelCode& kernel)
      : device_(device), manifest_(kernel.manifest()) {}

  [[noreturn]] void fail(const std::string& cause) const {
    throw error(cause, device_.info.name, manifest_.display);
  }

  void check_arguments(std::span<const launch_argument> arguments) const {
    if (arguments.size() != manifest_.arguments().size())
      fail("the kernel takes " + std::to_string(manifest_.arguments().size()) + " arguments, not " +
           std::to_string(arguments.size()));
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const abi::Param& param = manifest_.params[i];
      const launch_argument& argument = arguments[i];
      if (argument.size != param.size)
        fail(argument_name(manifest_, i) + " has " + std::to_string(argument.size) +
             " bytes in the program and " + std::to_string(param.size) + " in the kernel: '" + param.type +
             "' was compiled with two different layouts");
      if (param.kind != abi::ParamKind::Buffer) continue;
      if (argument.element_size == 0) fail(argument_name(manifest_, i) + " must be a buffer");
      if (argument.element_size != param.element_size && param.element != "void")
        fail(argument_name(manifest_, i) + " has elements of " + std::to_string(argument.element_size) +
             " bytes, the kernel's '" + param.element + "' has " + std::to_string(param.element_size));
      if (argument.extent != std::dynamic_extent && argument.count != argument.extent)
        fail(argument_name(manifest_, i) + " has " + std::to_string(argument.count) +
             " elements, the kernel's '" + param.type + "' has " + std::to_string(argument.extent));
      if (argument.owner != &device_ && argument.count != 0)
        fail(argument_name(manifest_, i) + " is a buffer of another device");
    }
  }

  /// A writable buffer overlaps no other argument, unless it is marked: the compiler relies on it.
  void check_overlap(std::span<const launch_argument> arguments) const {
    for (std::size_t i = 0; i < arguments.size(); ++i)
      for (std::size_t k = i + 1; k < arguments.size(); ++k) {
        const abi::Param &a = manifest_.params[i], &b = manifest_.params[k];
        if (a.kind != abi::ParamKind::Buffer || b.kind != abi::ParamKind::Buffer) continue;
        if (a.access == abi::Access::Read && b.access == abi::Access::Read) continue;
        if (a.may_alias && b.may_alias) continue;
        const launch_argument &x = arguments[i], &y = arguments[k];
        const std::uint64_t x_end = x.address + x.count * x.element_size,
                            y_end = y.address + y.count * y.element_size;
        if (x.count == 0 || y.count == 0 || x_end <= y.address || y_end <= x.address) continue;
        fail(argument_name(manifest_, i) + " and " + argument_name(manifest_, k) +
             " overlap, and the kernel writes to at least one of them; mark both parameters "
             "[[spirea::may_alias]] if that is "
             "intended");
      }
  }

  std::vector<std::byte> pack(std::span<const launch_argument> arguments) const {
    std::vector<std::byte> block(manifest_.block_size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const abi::Param& param = manifest_.params[i];
      const launch_argument& argument = arguments[i];
      const bool is_buffer = param.kind == abi::ParamKind::Buffer;
      // What a `void*` points to is counted in bytes.
      const std::uint64_t count =
          is_buffer ? argument.count * argument.element_size / param.element_size : argument.count;
      const std::uint64_t span[2] = {argument.address, count};
      for (std::size_t leaf = 0; leaf < param.leaves.size(); ++leaf) {
        const abi::Leaf& l = param.leaves[leaf];
        const void* from = is_buffer ? static_cast<const void*>(&span[leaf])
                                     : static_cast<const std::byte*>(argument.data) + l.source_offset;
        std::memcpy(block.data() + l.block_offset, from, abi::source_bytes(l.scalar));
      }
    }
    return block;
  }

  /// The attribute, else what the launch says, else a default for the grid's rank.
  std::array<std::uint32_t, 3> workgroup_size(const launch_shape& shape) const {
    constexpr std::array<std::uint32_t, 3> defaults[] = {{64, 1, 1}, {8, 8, 1}, {4, 4, 4}};
    const bool given = shape.workgroup.x != 0 || shape.workgroup.y != 0 || shape.workgroup.z != 0;
    const std::array<std::uint32_t, 3> asked = {shape.workgroup.x, shape.workgroup.y, shape.workgroup.z};
    std::array<std::uint32_t, 3> size = given ? asked : defaults[shape.rank - 1];
    if (!given && !shape.in_workgroups) widen(shape, size);
    if (const auto& attribute = manifest_.workgroup_size) {
      if (given && asked != *attribute)
        fail("the launch asks for a workgroup of " + triple(asked) +
             ", the kernel has [[spirea::workgroup_size]] " + triple(*attribute));
      size = *attribute;
    }
    const Limits& limits = device_.backend->limits();
    std::uint64_t product = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      if (size[d] == 0) fail("a workgroup has no invocations: " + triple(size));
      if (size[d] > limits.max_workgroup_size[d])
        fail("a workgroup of " + triple(size) + " is too large: the device allows " +
             triple(limits.max_workgroup_size));
      product *= size[d];
    }
    if (product > limits.max_workgroup_invocations)
      fail("a workgroup of " + triple(size) + " has " + std::to_string(product) +
           " invocations; the device allows " + std::to_string(limits.max_workgroup_invocations));
    return size;
  }

  /// A default workgroup grows along x while the grid has more of them than the device allows (65535 on
  /// some).
  void widen(const launch_shape& shape, std::array<std::uint32_t, 3>& size) const {
    const Limits& limits = device_.backend->limits();
    const auto fits = [&](std::uint32_t x) {
      return x <= limits.max_workgroup_size[0] &&
             std::uint64_t{x} * size[1] * size[2] <= limits.max_workgroup_invocations;
    };
    while ((std::uint64_t{shape.extent.x} + size[0] - 1) / size[0] > limits.max_num_workgroups[0] &&
           fits(size[0] * 2))
      size[0] *= 2;
  }

  std::array<std::uint32_t, 3> num_workgroups(const launch_shape& shape,
                                              const std::array<std::uint32_t, 3>& size) const {
    const std::uint32_t extent[3] = {shape.extent.x, shape.extent.y, shape.extent.z};
    std::array<std::uint32_t, 3> result;
    const Limits& limits = device_.backend->limits();
    for (std::size_t d = 0; d < 3; ++d) {
      result[d] = shape.in_workgroups
                      ? extent[d]
                      : static_cast<std::uint32_t>((std::uint64_t{extent[d]} + size[d] - 1) / size[d]);
      if (result[d] > limits.max_num_workgroups[d])
        fail("the grid needs " + std::to_string(result[d]) + " workgroups in dimension " + std::to_string(d) +
             "; the device allows " + std::to_string(limits.max_num_workgroups[d]) +
             ": use larger workgroups or more dimensions");
      if (std::uint64_t{result[d]} * size[d] > 0xffffffffu)
        fail("the grid has more than 2^32 - 1 invocations in one dimension");
    }
    return result;
  }

  /// Bytes of workgroup memory that the launch adds.
  std::uint32_t dynamic_shared(const launch_shape& shape) const {
    if (shape.dynamic_shared != 0 && !manifest_.uses_dynamic_shared)
      fail("the launch asks for " + std::to_string(shape.dynamic_shared) +
           " bytes of dynamic workgroup memory, which the kernel does not use");
    if (shape.dynamic_shared == 0 && manifest_.uses_dynamic_shared)
      fail(
          "the kernel uses dynamic workgroup memory, and the launch gives none: add "
          ".dynamic_shared(bytes) to its grid");
    const Limits& limits = device_.backend->limits();
    const std::uint64_t limit = limits.max_shared_bytes, granularity = limits.shared_granularity;
    const auto taken = [&] { return (shape.dynamic_shared + granularity - 1) / granularity * granularity; };
    if (shape.dynamic_shared > limit || manifest_.shared_bytes + taken() > limit)
      fail("the kernel needs " + std::to_string(manifest_.shared_bytes) + " bytes of workgroup memory" +
           (shape.dynamic_shared == 0 ? std::string()
                                      : " and the launch " + std::to_string(shape.dynamic_shared) + " more") +
           "; the device has " + std::to_string(limit));
    return static_cast<std::uint32_t>(shape.dynamic_shared);
  }

  void check_subgroup_size() const {
    const auto demanded = manifest_.subgroup_size;
    const Limits& limits = device_.backend->limits();
    if (!demanded || (*demanded >= limits.min_subgroup_size && *demanded <= limits.max_subgroup_size)) return;
    const std::string least = std::to_string(limits.min_subgroup_size),
                      most = std::to_string(limits.max_subgroup_size);
    fail("the kernel has [[spirea::subgroup_size(" + std::to_string(*demanded) +
         ")]]; subgroups of the device have " + least + (least == most ? "" : " to " + most) +
         (most == "1" ? " invocation" : " invocations"));
  }

 private:
  device_state& device_;
  const abi::Manifest& manifest_;
};

/// A launch that a failed check has ended, on a back end that waits for it: waiting says so.
class Ended : public Completion {
 public:
  void wait() override {}
  bool done() override { return true; }
  std::chrono::nanoseconds duration() override { return {}; }
};

/// Passes a message buffer to the kernel; what it holds is read when somebody waits.
std::shared_ptr<event_state> launch_with_messages(const std::shared_ptr<device_state>& device,
                                                  const LaunchParameters& parameters,
                                                  std::vector<std::byte>& block) {
  const abi::Manifest& manifest = parameters.kernel->manifest();
  MessageBuffers& messages = device->messages;
  return guarded(*device, manifest.display, [&](BackendDevice& backend) {
    const std::uint64_t address = messages.acquire(backend);
    std::memcpy(block.data() + manifest.params.back().leaves[0].block_offset, &address, sizeof(address));
    std::shared_ptr<Completion> completion;
    std::shared_ptr<MessageOutcome> outcome;
    try {
      completion = backend.launch(parameters);
      outcome = messages.launched(address, *parameters.kernel, completion);
    } catch (const error&) {
      outcome = messages.failed(backend, address, *parameters.kernel);
      if (outcome == nullptr) throw;
      completion = std::make_shared<Ended>();
    }
    return std::make_shared<event_state>(device, std::move(completion), manifest.display, std::move(outcome));
  });
}

}  // namespace

std::shared_ptr<event_state> launch_kernel(const std::shared_ptr<device_state>& device,
                                           const KernelCode& kernel, const launch_shape& shape,
                                           std::span<const launch_argument> arguments) {
  const LaunchBuilder builder(*device, kernel);
  builder.check_arguments(arguments);
  builder.check_overlap(arguments);
  const auto size = builder.workgroup_size(shape);
  const auto groups = builder.num_workgroups(shape, size);
  const std::uint32_t dynamic_shared = builder.dynamic_shared(shape);
  builder.check_subgroup_size();
  const std::string& name = kernel.manifest().display;
  if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0)
    return std::make_shared<event_state>(device, nullptr, name);
  std::vector<std::byte> block = builder.pack(arguments);
  const LaunchParameters parameters{&kernel, block, groups, size, dynamic_shared};
  if (!kernel.manifest().messages.empty()) return launch_with_messages(device, parameters, block);
  auto completion =
      guarded(*device, name, [&](BackendDevice& backend) { return backend.launch(parameters); });
  return std::make_shared<event_state>(device, std::move(completion), name);
}

std::shared_ptr<event_state> launch(const std::shared_ptr<device_state>& device, const char* kernel_key,
                                    const launch_shape& shape, const launch_argument* arguments,
                                    std::size_t count) {
  const KernelCode* kernel = nullptr;
  try {
    kernel = &find_kernel_by_key(kernel_key);
  } catch (const error& e) {
    throw error(e.cause(), device->info.name, e.kernel());
  }
  return launch_kernel(device, *kernel, shape, {arguments, count});
}

}  // namespace detail

grid::grid(std::size_t x, std::size_t y, std::size_t z, unsigned rank) {
  if (x > 0xffffffffu || y > 0xffffffffu || z > 0xffffffffu)
    throw error("the grid has more than 2^32 - 1 invocations in one dimension");
  shape_.extent = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                   static_cast<std::uint32_t>(z)};
  shape_.rank = rank;
}

void event::wait() {
  if (state_ == nullptr || state_->completion == nullptr) return;
  detail::guarded(*state_->device, state_->kernel, [&](auto& backend) {
    state_->completion->wait();
    if (state_->messages == nullptr) return;
    state_->device->messages.drain(backend);
    if (state_->messages->failure.empty()) return;
    state_->messages->is_reported = true;
    throw error(state_->messages->failure);
  });
}

bool event::done() {
  if (state_ == nullptr || state_->completion == nullptr) return true;
  return detail::guarded(*state_->device, state_->kernel, [&](auto&) { return state_->completion->done(); });
}

std::chrono::nanoseconds event::duration() {
  if (state_ == nullptr || state_->completion == nullptr) return {};
  return detail::guarded(*state_->device, state_->kernel,
                         [&](auto&) { return state_->completion->duration(); });
}

}  // namespace spirea
