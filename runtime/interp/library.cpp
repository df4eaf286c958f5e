// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/interp/library.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

#include "ir/abi/artifact.h"
#include "runtime/include/spirea/spirea.hpp"

namespace spirea::interp {
namespace {

constexpr const char* kFileName = "libspirea-interp.so";
constexpr const char* kVariable = "SPIREA_INTERP_LIBRARY";
constexpr const char* kSymbol = "spirea_interp_api";

/// The folder of the library (or program) that this code is in, with a slash.
std::string own_folder() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&library_path), &info) == 0 || info.dli_fname == nullptr) return {};
  const std::string path = info.dli_fname;
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

std::string missing(const std::string& cause) {
  return "the interpreter's library cannot be loaded (" + cause +
         "); it is built with Spirea and lies next to libspirea.so, or " + kVariable + " names it";
}

void* open_library(const std::string& path, std::string& problem) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  const char* message = dlerror();
  problem = missing(message == nullptr ? "unknown error" : message);
  return nullptr;
}

}  // namespace

std::string library_path() {
  const char* variable = std::getenv(kVariable);
  if (variable != nullptr && *variable != 0) return variable;
  const std::string neighbour = own_folder() + kFileName;
  return access(neighbour.c_str(), R_OK) == 0 ? neighbour : kFileName;
}

std::string library_problem() {
  const std::string path = library_path();
  std::string problem;
  if (path.find('/') == std::string::npos)
    open_library(path, problem);
  else if (access(path.c_str(), R_OK) != 0)
    problem = missing(path + ": " + std::strerror(errno));
  return problem;
}

const spirea_interp_functions* load_library() {
  const std::string path = library_path();
  std::string problem;
  void* library = open_library(path, problem);
  if (library == nullptr) throw error(problem);
  const auto api = reinterpret_cast<spirea_interp_api_type>(dlsym(library, kSymbol));
  if (api == nullptr) throw error("'" + path + "' is not Spirea's interpreter: it has no " + kSymbol);
  const spirea_interp_functions* functions = api();
  if (functions->abi != spirea_abi_version)
    throw error("'" + path + "' belongs to another version of Spirea (interface " +
                std::to_string(functions->abi) + ", not " + std::to_string(spirea_abi_version) + ")");
  return functions;
}

}  // namespace spirea::interp
