// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/reduce/command.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "compiler/files.h"

namespace spirea::reduce {

namespace fs = std::filesystem;
using kir::Diagnostic;
using kir::Result;

namespace {

std::string in_quotes(const std::string& path) {
  std::string result = "'";
  for (const char c : path) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// In the child: the command in a process group of its own, so that its children end with it.
[[noreturn]] void run_shell(const char* line) {
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) dup2(nothing, stream);
  execl("/bin/sh", "sh", "-c", line, static_cast<char*>(nullptr));
  _exit(127);
}

/// The exit status of the process, or -1 after the time limit, when it and its group have been ended.
int wait_for(pid_t child, std::chrono::seconds limit) {
  using namespace std::chrono;
  const auto end = steady_clock::now() + limit;
  auto pause = microseconds(200);
  int status = 0;
  for (;;) {
    const pid_t done = waitpid(child, &status, WNOHANG);
    if (done == child) break;
    if (done < 0 && errno != EINTR) return -1;
    if (steady_clock::now() > end) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, microseconds(10000));
  }
  return status;
}

}  // namespace

Command::Command(std::string text, std::chrono::seconds time_limit)
    : text_(std::move(text)), time_limit_(time_limit) {
  std::string pattern = (fs::temp_directory_path() / "spirea-reduce-XXXXXX").string();
  if (mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
}

Command::~Command() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string Command::line() const {
  const std::string file = in_quotes((folder_ / "candidate.kir").string());
  std::string result;
  bool placed = false;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_.compare(i, 2, "{}") == 0) {
      result += file;
      placed = true;
      ++i;
    } else {
      result += text_[i];
    }
  }
  return placed ? result : result + " " + file;
}

Result<bool> Command::accepts(std::string_view module) const {
  if (folder_.empty()) return Diagnostic::error("cannot make a temporary folder");
  if (auto written = compiler::write_file((folder_ / "candidate.kir").string(), module); !written)
    return written.diagnostics();
  const std::string command = line();
  const pid_t child = fork();
  if (child < 0) return Diagnostic::error(std::string("cannot start a process: ") + std::strerror(errno));
  if (child == 0) run_shell(command.c_str());
  const int status = wait_for(child, time_limit_);
  return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace spirea::reduce
