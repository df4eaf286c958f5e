// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/host/thread_pool.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <unistd.h>

namespace spirea::host {
namespace {

/// Parts for each thread: enough that threads which get cheap ones do not wait for the others.
constexpr std::uint64_t kPartsPerThread = 16;
constexpr unsigned kMaxThreads = 1024;

/// New threads inherit the mask: signals are for the program's own threads.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

ThreadPool::ThreadPool(unsigned threads) : threads_(std::max(threads, 1u)) {}

// The pool itself is never destroyed, so that launches from destructors of the program's global objects still
// work.
ThreadPool& ThreadPool::instance() {
  static ThreadPool* const pool = [] {
    std::string ignored;  // with a problem there is no host device, and nobody comes here
    return new ThreadPool(default_threads(std::getenv("SPIREA_HOST_THREADS"), ignored));
  }();
  static const struct StopAtExit {
    ~StopAtExit() { pool->stop(); }
  } stop_at_exit;
  return *pool;
}

void ThreadPool::Job::work() {
  for (;;) {
    const std::uint64_t first = next.fetch_add(chunk, std::memory_order_relaxed);
    if (first >= count) return;
    body(first, std::min(first + chunk, count));
  }
}

// A worker that wakes up late finds no job: the caller waits only for those that have begun.
void ThreadPool::run(std::uint64_t count, const std::function<void(std::uint64_t, std::uint64_t)>& body) {
  if (count == 0) return;
  const std::lock_guard one_at_a_time(run_mutex_);
  if (threads_ == 1 || count == 1 || stopping_ || is_forked()) return body(0, count);
  start_workers();
  Job job{body, count, std::max<std::uint64_t>(1, count / (threads_ * kPartsPerThread))};
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
  }
  job_posted_.notify_all();
  job.work();
  std::unique_lock lock(mutex_);
  job_ = nullptr;
  worker_left_.wait(lock, [&] { return job.workers == 0; });
}

bool ThreadPool::is_forked() const { return !workers_.empty() && owner_ != getpid(); }

void ThreadPool::start_workers() {
  if (!workers_.empty()) return;
  const BlockSignals block;
  owner_ = getpid();
  try {
    while (workers_.size() + 1 < threads_) workers_.emplace_back([this] { worker(); });
  } catch (const std::system_error&) {  // no more threads to be had: fewer will do
  }
}

void ThreadPool::worker() {
  std::unique_lock lock(mutex_);
  for (;;) {
    // A job without indices left is one that this worker has helped to finish.
    job_posted_.wait(lock, [&] { return stopping_ || (job_ != nullptr && job_->next < job_->count); });
    if (stopping_) return;
    Job& job = *job_;
    ++job.workers;
    lock.unlock();
    job.work();
    lock.lock();
    if (--job.workers == 0) worker_left_.notify_one();
  }
}

void ThreadPool::stop() {
  const std::lock_guard one_at_a_time(run_mutex_);
  if (is_forked()) {
    for (std::thread& worker : workers_) worker.detach();
    return workers_.clear();
  }
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  job_posted_.notify_all();
  for (std::thread& worker : workers_) worker.join();
  workers_.clear();
}

unsigned default_threads(const char* variable, std::string& problem) {
  const unsigned available = std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads);
  if (variable == nullptr || *variable == 0) return available;
  unsigned threads = 0;
  const char* end = variable + std::strlen(variable);
  const auto [stop, error] = std::from_chars(variable, end, threads);
  if (error == std::errc() && stop == end && threads >= 1 && threads <= kMaxThreads) return threads;
  problem = "SPIREA_HOST_THREADS is '" + std::string(variable) + "', not a number from 1 to " +
            std::to_string(kMaxThreads);
  return available;
}

}  // namespace spirea::host
