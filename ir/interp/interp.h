// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The KIR interpreter: runs one invocation after the other, or in turns where they meet, with every access
// and every use of a value checked. What it reports is listed in ir/interp/README.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"
#include "ir/interp/memory.h"

namespace spirea::interp {

/// What f32 arithmetic, comparisons and conversions make of subnormal numbers: `flush` takes them for zero,
/// as operands and as results, which some GPUs do.
enum class Subnormals : std::uint8_t { keep, flush };

struct Options {
  /// Ops that one launch may execute, all invocations together; then the launch fails.
  std::uint64_t max_steps = std::uint64_t{1} << 34;
  /// Report accesses of different invocations to the same byte, one of them a write.
  bool detect_races = true;
  /// Count writes that leave memory as it was as writes too: several invocations that set the same flag race.
  bool report_same_value_races = false;
  /// Invocations in a subgroup, a power of two up to 64; for kernels that do not demand a size.
  std::uint32_t subgroup_size = 32;
  /// What Executables are made for; a launch goes by what its one was.
  Subnormals subnormals = Subnormals::keep;
};

struct Grid {
  std::array<std::uint32_t, 3> num_workgroups{1, 1, 1};
  std::array<std::uint32_t, 3> workgroup_size{1, 1, 1};
  std::uint64_t dynamic_shared = 0;  ///< bytes of `dynamic_shared` memory
};

struct Statistics {
  std::uint64_t steps = 0;  ///< ops executed
};

struct Program;

/// A kernel in the form that the interpreter runs. The module must be verified and outlive it.
class Executable {
 public:
  Executable(const kir::Module&, const kir::Kernel&, Subnormals = Subnormals::keep);
  Executable(Executable&&) noexcept;
  Executable& operator=(Executable&&) noexcept;
  ~Executable();

  /// Runs the grid. `block` holds the kernel's leaves as its manifest says, buffers by address in `memory`.
  /// A fault ends the launch: the diagnostic is at the line of the C++ source, with the calls that lead there
  /// and the invocation as notes.
  kir::Result<void> launch(Memory& memory, std::span<const std::byte> block, const Grid&, const Options& = {},
                           Statistics* = nullptr) const;

 private:
  std::unique_ptr<Program> program_;
};

/// Prepares and launches the kernel of this name.
kir::Result<void> launch(Memory&, const kir::Module&, std::string_view kernel,
                         std::span<const std::byte> block, const Grid&, const Options& = {},
                         Statistics* = nullptr);

}  // namespace spirea::interp
