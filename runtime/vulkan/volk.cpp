// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one place that holds volk's code; its symbols stay inside the library.
#define VOLK_IMPLEMENTATION
#include "runtime/vulkan/volk.h"
