// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <mutex>

#include "runtime/core/messages.h"

namespace spirea::detail {

/// An opened device, shared by all that use it. Its mutex makes the back end's calls come one at a time; it
/// is recursive, since handlers of messages may use the device.
class device_state {
 public:
  device_state(device_info info, std::unique_ptr<BackendDevice> backend)
      : info(std::move(info)), backend(std::move(backend)) {}
  /// Reports what nobody has waited for.
  ~device_state();
  device_state(const device_state&) = delete;
  device_state& operator=(const device_state&) = delete;
  const device_info info;
  const std::unique_ptr<BackendDevice> backend;
  std::recursive_mutex mutex;
  MessageBuffers messages;
};

class event_state {
 public:
  event_state(std::shared_ptr<device_state> device, std::shared_ptr<Completion> completion,
              std::string kernel, std::shared_ptr<MessageOutcome> messages = nullptr)
      : device(std::move(device)),
        completion(std::move(completion)),
        kernel(std::move(kernel)),
        messages(std::move(messages)) {}
  std::shared_ptr<device_state> device;
  std::shared_ptr<Completion> completion;  ///< null for an empty grid
  std::string kernel;
  std::shared_ptr<MessageOutcome> messages;  ///< null for a kernel that has none
};

/// Calls a back end function with the device locked; adds the device's and the kernel's name to its errors.
template <class F>
auto guarded(device_state& state, const std::string& kernel, F&& f) {
  const std::lock_guard lock(state.mutex);
  try {
    return f(*state.backend);
  } catch (const error& e) {
    if (!e.device().empty()) throw;
    throw error(e.cause(), state.info.name, kernel.empty() ? e.kernel() : kernel);
  }
}

/// Checks and packs the arguments of a launch; runtime/core/launch.cpp. For tools that have no kernel
/// function.
std::shared_ptr<event_state> launch_kernel(const std::shared_ptr<device_state>&, const KernelCode&,
                                           const launch_shape&, std::span<const launch_argument>);

}  // namespace spirea::detail
