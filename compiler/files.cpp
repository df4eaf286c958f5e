// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

namespace spirea::compiler {
namespace {

namespace fs = std::filesystem;
using kir::Diagnostic;
using kir::Result;

std::string reason() { return errno != 0 ? std::string(": ") + std::strerror(errno) : std::string(); }

Result<void> write_directly(const std::string& path, std::string_view bytes) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return Diagnostic::error("cannot write '" + path + "'" + reason());
  return {};
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  errno = 0;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return Diagnostic::error("cannot read '" + path + "': it is a folder");
  std::ifstream file(path, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (!file) return Diagnostic::error("cannot read '" + path + "'" + reason());
  return bytes;
}

Result<void> write_file(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    std::cout.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush();
    if (!std::cout) return Diagnostic::error("cannot write to the standard output");
    return {};
  }
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) return write_directly(path, bytes);
  const std::string temporary = path + ".tmp" + std::to_string(getpid());
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file && std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  const std::string why = reason();
  std::remove(temporary.c_str());
  return Diagnostic::error("cannot write '" + path + "'" + why);
}

namespace {

/// The folder that holds the running tool's bin/, include/, ...
fs::path installation() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
}

}  // namespace

std::string kernel_headers() {
  std::error_code ignored;
  const fs::path include = installation() / "include";
  return fs::exists(include / "spirea" / "kernel.hpp", ignored) ? include.string() : std::string();
}

std::string math_library() { return (installation() / SPIREA_DATA_DIR / "spirea" / "math.bc").string(); }

}  // namespace spirea::compiler
