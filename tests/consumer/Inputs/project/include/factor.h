// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// The definition comes from a library that the program links.
inline int factor() { return FACTOR; }
