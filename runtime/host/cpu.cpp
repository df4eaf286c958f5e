// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/host/cpu.h"

#include <fstream>
#include <string_view>
#include <sys/utsname.h>
#include <unistd.h>

namespace spirea::host {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {  // the first CPU's paragraph
    constexpr std::string_view key = "model name";
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname system;
  return uname(&system) == 0 ? std::string(system.machine) + " CPU" : "CPU";
}

std::uint64_t memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
                               : ~std::uint64_t{0};
}

}  // namespace spirea::host
