// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's question about a candidate: a shell command that answers with its exit status.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "ir/core/diagnostic.h"

namespace spirea::reduce {

class Command {
 public:
  /// `{}` in the text is the candidate's file; without one, the file comes last. The file is in a folder of
  /// its own that lives as long as this object.
  Command(std::string text, std::chrono::seconds time_limit);
  ~Command();
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  /// True if the command exits with 0 for this module within its time; what it prints is not shown. An error
  /// if it could not be run at all.
  kir::Result<bool> accepts(std::string_view module) const;

 private:
  std::string line() const;

  std::string text_;
  std::chrono::seconds time_limit_;
  std::filesystem::path folder_;
};

}  // namespace spirea::reduce
