// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <spirea/spirea.hpp>

void launch_twice(spirea::device&, spirea::buffer<int>&);
