// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels tell the host: printf, and checks that fail (ir/abi/messages.h).
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "runtime/core/backend.h"

namespace spirea::detail {

/// How a launch with messages has ended, once they are read.
struct MessageOutcome {
  std::string failure;  ///< of its first failed check; empty if none has failed
  bool is_reported = false;
};

/// The message buffers of a device: one for each launch on its way, kept for later ones. Functions are called
/// with the device locked.
class MessageBuffers {
 public:
  /// A cleared buffer, whose address the launch passes to the kernel.
  std::uint64_t acquire(BackendDevice&);
  /// The launch is on its way: its messages are read once it is complete.
  std::shared_ptr<MessageOutcome> launched(std::uint64_t address, const KernelCode&,
                                           std::shared_ptr<Completion>);
  /// The launch has failed: reads what it has said until then. Null if no check has failed, but something
  /// else.
  std::shared_ptr<MessageOutcome> failed(BackendDevice&, std::uint64_t address, const KernelCode&);
  /// Reads the messages of all launches so far, in their order; waits for them.
  void drain(BackendDevice&);
  /// Throws the first failure of launches that nobody has waited for, once.
  void report();
  void set_handler(std::function<void(const kernel_message&)> handler) { handler_ = std::move(handler); }
  /// Gives the buffers back.
  void release(BackendDevice&) noexcept;

 private:
  struct Pending {
    std::uint64_t address;
    const KernelCode* kernel;
    std::shared_ptr<Completion> completion;
    std::shared_ptr<MessageOutcome> outcome;
  };

  /// Prints what the launch has left, and says in its outcome what failed.
  void read(BackendDevice&, std::uint64_t address, const KernelCode&, const std::shared_ptr<MessageOutcome>&);
  void print(const abi::Manifest&, std::span<const std::uint32_t> records) const;

  std::function<void(const kernel_message&)> handler_;
  std::uint32_t capacity_ = 0;  ///< words for records of each; 0: not known yet
  std::vector<std::uint64_t> free_;
  std::deque<Pending> pending_;
  std::vector<std::pair<std::string, std::shared_ptr<MessageOutcome>>> failures_;  ///< with the kernel's name
};

/// What a record prints, its arguments as the message says. Any words are safe.
std::string format_message(const abi::Message&, std::span<const std::uint32_t> arguments);

}  // namespace spirea::detail
