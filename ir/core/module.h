// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ir/abi/manifest.h"
#include "ir/core/location.h"
#include "ir/core/op.h"

namespace spirea::kir {

/// A module-level read-only object: `attr.size` bytes of initial data.
struct ConstantObject {
  std::string name;  ///< unique in the module, without the '@'
  ObjectAttr attr;
  std::vector<std::uint8_t> bytes;
  LocId location = 0;
};

/// A kernel: its manifest and its body. The body's arguments are the leaves of the manifest's parameters, in
/// order; an argument's type is that of its leaf, ptr<global> for Scalar::Ptr.
struct Kernel {
  abi::Manifest manifest;
  LocId location = 0;
  Region body{nullptr, this};

  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// The buffer parameter whose address is this body argument; null for any other value.
  const abi::Param* buffer_of(const Value* argument) const;
};

/// The KIR type of a leaf's scalar.
Type type_of(abi::Scalar);

struct Module {
  LocationTable locations;
  std::vector<std::unique_ptr<ConstantObject>> constants;
  std::vector<std::unique_ptr<Kernel>> kernels;

  Kernel* find_kernel(std::string_view name) const;
  ConstantObject* find_constant(std::string_view name) const;
};

}  // namespace spirea::kir
