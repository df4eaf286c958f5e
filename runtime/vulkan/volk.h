// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define VK_NO_PROTOTYPES
#include <volk.h>
