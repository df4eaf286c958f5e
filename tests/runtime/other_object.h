// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that two source files use, and so two objects hold.
#pragma once

#include <cstdint>
#include <span>
#include <spirea/spirea.hpp>

template <class T>
[[spirea::kernel]] void scale_all(std::span<T> data, T factor) {
  const auto i = spirea::global_id().x;
  if (i < data.size()) data[i] *= factor;
}

/// In other_object.cpp.
void scale_by_three(spirea::device&, spirea::buffer<int>&);
