// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/backend.h"

namespace spirea {
namespace {

/// One row a back end, in the order in which devices of equal merit are listed.
constexpr detail::Backend kBackends[] = {
    {backend_kind::vulkan, vulkan::enumerate},
    {backend_kind::host, host::enumerate},
    {backend_kind::interp, interp::enumerate},
};

}  // namespace

std::span<const detail::Backend> detail::backends() { return kBackends; }

}  // namespace spirea
