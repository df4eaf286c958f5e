// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel as the plain C++ function that it is, for every invocation of a grid, on the calling thread.
// Invocations that meet at barriers are contexts of their own (POSIX ucontext), which take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <ucontext.h>
#include <vector>

#include "spirea/vec.hpp"

namespace spirea::detail {

/// Where this thread's invocation is.
struct position {
  uint3 local_id{}, workgroup_id{}, num_workgroups{1, 1, 1}, workgroup_size{1, 1, 1};
};
inline thread_local position host_position;

/// The invocations of one workgroup. The first one runs in a context; if it ends without a barrier, so will
/// the others, which then are plain calls.
class invocations {
 public:
  using function = void (*)(void*);

  invocations(function f, void* argument, std::size_t dynamic_shared)
      : function_(f), argument_(argument), dynamic_shared_((dynamic_shared + 15) / 16) {}

  void run_workgroup() {
    const uint3 size = host_position.workgroup_size;
    const std::size_t count = std::size_t{size.x} * size.y * size.z;
    invocations* const outer = current();
    current() = this;
    left_ = count;
    start(0);
    const bool has_barriers = left_ == count;
    for (std::size_t i = 1; i < count && !failure_; ++i) {
      if (has_barriers) {
        start(i);
      } else {
        running_ = nullptr;
        set_local(i);
        function_(argument_);
      }
    }
    while (has_barriers && left_ != 0 && !failure_) take_turns(count);
    current() = outer;
    if (failure_) std::rethrow_exception(failure_);
  }

  /// Called by a barrier.
  static void wait() {
    invocations* const all = current();
    if (all == nullptr || all->running_ == nullptr) {
      std::fputs(all == nullptr
                     ? "spirea: a barrier in a kernel that runs as a plain C++ function; "
                       "spirea::for_each_invocation "
                       "gives it other invocations to wait for\n"
                     : "spirea: a barrier that the first invocation of the workgroup does not reach\n",
                 stderr);
      std::abort();
    }
    const position here = host_position;
    context& self = *all->running_;
    swapcontext(&self.registers, &all->caller_);
    all->running_ = &self;
    host_position = here;
  }

  static void* dynamic_shared() { return current() == nullptr ? nullptr : current()->dynamic_shared_.data(); }

 private:
  static constexpr std::size_t kStackBytes = 256 * 1024;
  struct context {
    ucontext_t registers;
    std::unique_ptr<char[]> stack{new char[kStackBytes]};
    bool is_done = false;
  };
  struct alignas(16) chunk {
    char bytes[16];
  };

  static invocations*& current() {
    static thread_local invocations* all = nullptr;
    return all;
  }

  static void set_local(std::size_t i) {
    const uint3 size = host_position.workgroup_size;
    host_position.local_id = {static_cast<std::uint32_t>(i % size.x),
                              static_cast<std::uint32_t>(i / size.x % size.y),
                              static_cast<std::uint32_t>(i / size.x / size.y)};
  }

  void start(std::size_t i) {
    while (contexts_.size() <= i) contexts_.push_back(std::make_unique<context>());
    context& next = *contexts_[i];
    next.is_done = false;
    getcontext(&next.registers);
    next.registers.uc_stack.ss_sp = next.stack.get();
    next.registers.uc_stack.ss_size = kStackBytes;
    next.registers.uc_link = &caller_;
    makecontext(&next.registers, &invocations::enter, 0);
    set_local(i);
    resume(next);
  }

  void resume(context& next) {
    running_ = &next;
    swapcontext(&caller_, &next.registers);
    if (next.is_done) --left_;
  }

  void take_turns(std::size_t count) {
    for (std::size_t i = 0; i < count && !failure_; ++i)
      if (!contexts_[i]->is_done) resume(*contexts_[i]);
  }

  static void enter() {
    invocations& all = *current();
    context& self = *all.running_;
    try {
      all.function_(all.argument_);
    } catch (...) {
      all.failure_ = std::current_exception();
    }
    self.is_done = true;
  }

  function function_;
  void* argument_;
  std::vector<std::unique_ptr<context>> contexts_;
  std::vector<chunk> dynamic_shared_;
  context* running_ = nullptr;
  ucontext_t caller_{};
  std::size_t left_ = 0;
  std::exception_ptr failure_;
};

}  // namespace spirea::detail
