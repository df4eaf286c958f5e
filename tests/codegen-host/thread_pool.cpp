// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads that run a grid.
#include "runtime/host/thread_pool.h"

#include <gtest/gtest.h>
#include <latch>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using spirea::host::default_threads;
using spirea::host::ThreadPool;

/// How often each index was run.
std::vector<int> run(ThreadPool& pool, std::uint64_t count) {
  std::vector<std::atomic<int>> times(count);
  pool.run(count, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) ++times[i];
  });
  return {times.begin(), times.end()};
}

TEST(ThreadPool, RunsEachIndexOnce) {
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const std::uint64_t count : {0u, 1u, 2u, 7u, 64u, 1000u, 12345u})
      EXPECT_EQ(run(pool, count), std::vector<int>(count, 1)) << threads << " threads, " << count;
  }
}

TEST(ThreadPool, ManyShortJobs) {
  ThreadPool pool(4);
  std::atomic<std::uint64_t> sum = 0;
  for (int i = 0; i < 20000; ++i)
    pool.run(5, [&](std::uint64_t first, std::uint64_t last) {
      for (; first < last; ++first) sum += first;
    });
  EXPECT_EQ(sum, 20000u * 10);
}

// Each part waits until three others have begun: one thread alone would never come to the end.
TEST(ThreadPool, SeveralThreadsShareARange) {
  ThreadPool pool(4);
  std::latch all_here(4);
  std::mutex mutex;
  std::set<std::thread::id> ids;
  pool.run(4, [&](std::uint64_t first, std::uint64_t last) {
    ASSERT_EQ(last, first + 1);
    all_here.arrive_and_wait();
    const std::lock_guard lock(mutex);
    ids.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(ids.size(), 4u);
  EXPECT_TRUE(ids.contains(std::this_thread::get_id())) << "the caller takes part";
}

TEST(ThreadPool, CallersTakeTurns) {
  ThreadPool pool(3);
  std::atomic<int> running = 0;
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([&] {
      for (int j = 0; j < 200; ++j) {
        std::atomic<int> mine = 0;
        pool.run(100, [&](std::uint64_t first, std::uint64_t last) {
          EXPECT_LE(++running, 3);
          mine += static_cast<int>(last - first);
          --running;
        });
        EXPECT_EQ(mine, 100);
      }
    });
  for (std::thread& caller : callers) caller.join();
}

TEST(ThreadPool, RunsOnTheCallerOnceStopped) {
  ThreadPool pool(4);
  EXPECT_EQ(run(pool, 100), std::vector<int>(100, 1));
  pool.stop();
  pool.run(100, [caller = std::this_thread::get_id()](std::uint64_t, std::uint64_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
  EXPECT_EQ(run(pool, 100), std::vector<int>(100, 1));
  pool.stop();
}

// The child has none of the threads; it must neither wait for them nor hang at its end.
TEST(ThreadPool, SurvivesFork) {
  ThreadPool& pool = ThreadPool::instance();
  run(pool, 1000);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    std::exit(run(pool, 1000) == std::vector<int>(1000, 1) ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 7) << status;
}

TEST(ThreadPool, ThreadCountComesFromTheEnvironment) {
  std::string problem;
  EXPECT_GE(default_threads(nullptr, problem), 1u);
  EXPECT_GE(default_threads("", problem), 1u);
  EXPECT_EQ(default_threads("5", problem), 5u);
  EXPECT_EQ(problem, "");
  for (const char* bad : {"0", "-1", "two", "3x", "99999", " 4"}) {
    default_threads(bad, problem);
    EXPECT_EQ(problem, "SPIREA_HOST_THREADS is '" + std::string(bad) + "', not a number from 1 to 1024");
  }
}

}  // namespace
