// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/core/backend.h"

namespace spirea::detail {

/// The kernel that launch<K> means, by typeid(kernel_tag<K>).name(). Throws error if no object has registered
/// it (the message says how to add it), or two have, with different code.
const KernelCode& find_kernel_by_key(std::string_view key);
/// The kernel with this symbol or readable name, for tools. Throws error that lists what there is.
const KernelCode& find_kernel_by_name(std::string_view name);
/// Names of all registered kernels.
std::vector<std::string> kernel_names();

}  // namespace spirea::detail
