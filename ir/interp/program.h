// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel as the interpreter runs it: a flat array of instructions over numbered slots, one for each value.
// All of an invocation's state is in Invocation, so that many of them can be suspended and resumed at an
// instruction.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"
#include "ir/interp/interp.h"
#include "ir/interp/memory.h"
#include "ir/interp/races.h"

namespace spirea::interp {

struct Instr;
struct Invocation;

/// Executes the instruction; returns the next one, or null at the invocation's end and after a fault.
using Handler = const Instr* (*)(const Instr*, Invocation&);

struct Instr {
  Handler run = nullptr;
  std::int64_t immediate = 0;
  std::int64_t displacement = 0;
  std::uint32_t result = 0;
  std::uint32_t a = 0, b = 0, c = 0;  ///< slots of the operands
  std::uint32_t target = 0;           ///< index of the instruction to go to
  std::uint32_t op = 0;               ///< index into Program::ops
};

/// A value.
struct Slot {
  std::uint64_t bits = 0;       ///< in the low end, zeros above the type's width
  std::uint64_t undefined = 0;  ///< which of the bits are poison or come from uninitialized memory
  std::uint32_t window = 0;     ///< pointers: what they may access, an index into Invocation::windows
  std::uint32_t origin = 0;  ///< if bits are undefined: the op that made them so, an index into Program::ops
};

enum class WindowKind : std::uint8_t { None, Constant, Object, Workgroup, Buffer, Allocation, Released };

/// A range of memory that a pointer may access: a buffer argument, an allocation, a local object, a constant.
struct Window {
  WindowKind kind = WindowKind::None;
  bool can_read = true;
  bool can_write = true;
  std::uint32_t index = 0;  ///< of the constant, object, parameter or allocation
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::uint8_t* data = nullptr;
  std::uint8_t* undefined = nullptr;
  RaceShadow* races = nullptr;  ///< null: no detection
  std::uint64_t race_offset = 0;
};

/// Bytes of local objects that one invocation may have, and of workgroup memory.
inline constexpr std::uint64_t kMaxPrivate = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxWorkgroup = std::uint64_t{1} << 30;

struct Program {
  const kir::Module* module = nullptr;
  const kir::Kernel* kernel = nullptr;
  std::vector<Instr> code;
  std::vector<const kir::Op*> ops{nullptr};
  std::vector<Slot> frame;               ///< at an invocation's start: the constants
  std::vector<std::uint32_t> arguments;  ///< slots of the kernel's leaves
  struct Object {
    const kir::Op* op;
    std::uint64_t offset;  ///< in the invocation's private memory, or in the workgroup's
    bool is_shared;        ///< workgroup memory
  };
  std::vector<Object> objects;
  std::uint64_t private_bytes = 0;
  std::uint64_t workgroup_bytes = 0;  ///< without what the launch adds
  bool has_dynamic_shared = false;
  /// A convergent op: where invocations wait for each other.
  struct Meeting {
    const kir::Op* op;
    std::vector<std::uint32_t> loops;  ///< numbers of the loops around it, the outermost first
  };
  std::vector<Meeting> meetings;
  std::uint32_t num_loops = 0;
  /// Invocations of a workgroup meet or share memory: they run in turns. Otherwise one after the other.
  bool is_cooperative = false;
  struct Switch {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> cases;  ///< value and instruction, sorted
  };
  std::vector<Switch> switches;
  /// Pointers come from integers or from memory, so that any allocation can be accessed.
  bool has_raw_pointers = false;

  // Window numbers: none, the module's constants, the objects, dynamic workgroup memory, the parameters, the
  // allocations.
  std::uint32_t constant_window(std::size_t i) const { return static_cast<std::uint32_t>(1 + i); }
  std::uint32_t object_window(std::size_t i) const {
    return constant_window(module->constants.size()) + static_cast<std::uint32_t>(i);
  }
  std::uint32_t dynamic_window() const { return object_window(objects.size()); }
  std::uint32_t param_window(std::size_t i) const {
    return object_window(objects.size() + 1) + static_cast<std::uint32_t>(i);
  }
  std::uint32_t allocation_window(std::size_t i) const {
    return param_window(kernel->manifest.params.size()) + static_cast<std::uint32_t>(i);
  }
};

Program decode(const kir::Module&, const kir::Kernel&, Subnormals);

struct Invocation {
  const Program& program;
  const Options& options;
  Slot* frame = nullptr;
  const Slot* initial_frame = nullptr;  ///< constants and arguments
  Window* windows = nullptr;
  std::uint32_t num_windows = 0;
  /// By query, in the order of the opcodes from GlobalId on, and dimension.
  std::array<std::array<std::uint32_t, 3>, 6> position{};
  std::uint32_t number = 0;  ///< from 1, for race detection
  /// By query, in the order of the opcodes from SubgroupSize on.
  std::array<std::uint32_t, 4> subgroup{};
  Ordering order;
  std::uint32_t* iterations =
      nullptr;                      ///< of each loop that it is in, by number; if the program is cooperative
  const Instr* waits_at = nullptr;  ///< where it has stopped, for others
  std::vector<std::uint32_t>* released = nullptr;  ///< times of releases, by invocation
  std::uint32_t* clock = nullptr;                  ///< the latest time of the launch
  kir::Result<void> fault;

  /// The window of a pointer that has no provenance.
  std::uint32_t window_of(std::uint64_t address, kir::Space) const;
};

/// Runs one invocation, from the instruction on, to its end. Counts down `steps`.
void run(const Instr* from, Invocation&, std::uint64_t& steps);

}  // namespace spirea::interp
