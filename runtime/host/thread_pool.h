// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace spirea::host {

/// Threads that share a range of indices with the caller.
class ThreadPool {
 public:
  /// The caller counts as one of the threads.
  explicit ThreadPool(unsigned threads);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() { stop(); }

  /// The process's pool, started at the first call. Its threads end with the process or when the library is
  /// unloaded.
  static ThreadPool& instance();

  unsigned size() const { return threads_; }
  /// Calls body(first, last) for parts that make up [0, count), on several threads, and returns when all are
  /// done. The body must not throw. Calls from several threads run one after the other.
  void run(std::uint64_t count, const std::function<void(std::uint64_t, std::uint64_t)>& body);
  /// Ends the threads; run() then uses the caller's alone.
  void stop();

 private:
  struct Job {
    const std::function<void(std::uint64_t, std::uint64_t)>& body;
    std::uint64_t count;
    std::uint64_t chunk;
    std::atomic<std::uint64_t> next = 0;
    unsigned workers = 0;  ///< in work(), guarded by mutex_
    void work();
  };

  /// True in a child of the process that started the workers: they are not here, and may have held mutex_.
  bool is_forked() const;
  void start_workers();
  void worker();

  const unsigned threads_;
  std::mutex run_mutex_;  ///< held by run() and stop()
  std::mutex mutex_;      ///< guards what follows
  std::condition_variable job_posted_;
  std::condition_variable worker_left_;
  Job* job_ = nullptr;
  bool stopping_ = false;
  std::vector<std::thread> workers_;  ///< guarded by run_mutex_
  int owner_ = 0;                     ///< the process that started the workers
};

/// The number that `variable` (SPIREA_HOST_THREADS, may be null) says, else that of the CPUs which this
/// process may use. `problem` gets a message where the variable is not a number of threads.
unsigned default_threads(const char* variable, std::string& problem);

}  // namespace spirea::host
