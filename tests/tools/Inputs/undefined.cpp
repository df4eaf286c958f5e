// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <spirea/kernel.hpp>

#include <cstring>
#include <optional>
#include <span>

[[spirea::kernel]] void divide(std::span<int> data) {
  std::optional<int> offset;
  if (data[0] > 3) offset = 5;
  bool decides;
  const auto byte = static_cast<unsigned char>(data[1]);
  std::memcpy(&decides, &byte, 1);
  if (decides) data[3] = 7;
  const int quotient = 10 / data[2];
  data[0] = *offset + quotient;
}
