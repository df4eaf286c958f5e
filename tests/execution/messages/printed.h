// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels print and how launches end, for the tests of messages. For the host's compiler alone.
#pragma once

#include <gmock/gmock.h>
#include <string>
#include <vector>

#include "tests/execution/harness.h"

namespace execution {

/// Keeps what the kernels of a device print, as long as it lives.
class Printed {
 public:
  struct Message {
    std::string kernel, file, text;
    spirea::uint3 invocation;
    unsigned line;
  };

  explicit Printed(spirea::device& device) : device_(device) {
    device.on_message([this](const spirea::kernel_message& m) {
      all.push_back({std::string(m.kernel), std::string(m.file), std::string(m.text), m.invocation, m.line});
    });
  }
  ~Printed() { device_.on_message({}); }
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  /// What the invocation has printed, in its order.
  std::string of(unsigned x, unsigned y = 0, unsigned z = 0) const {
    std::string text;
    for (const Message& m : all)
      if (m.invocation.x == x && m.invocation.y == y && m.invocation.z == z) text += m.text;
    return text;
  }

  std::vector<Message> all;

 private:
  spirea::device& device_;
};

/// The cause of the error that the call throws; empty if it throws none.
template <class F>
std::string cause_of(F&& call) {
  try {
    call();
    return {};
  } catch (const spirea::error& e) {
    return e.cause();
  }
}

/// Why the launch fails; empty if it does not.
template <auto Kernel, class... Args>
std::string failure(spirea::device& device, spirea::grid grid, Args&&... args) {
  return cause_of([&] { spirea::launch<Kernel>(device, grid, std::forward<Args>(args)...).wait(); });
}

}  // namespace execution
