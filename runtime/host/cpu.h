// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace spirea::host {

/// The CPU's model as the system gives it.
std::string cpu_name();
/// Bytes of the machine's memory.
std::uint64_t memory_bytes();

}  // namespace spirea::host
