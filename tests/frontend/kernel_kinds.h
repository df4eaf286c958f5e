// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

/// The keys of the kernels in kernel_kinds.cpp as the host compiler names them.
std::vector<std::string> host_keys();
