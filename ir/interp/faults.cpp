// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/faults.h"

#include <bit>

namespace spirea::interp {
namespace {

using kir::Diagnostic;
using kir::Opcode;

std::string count(std::uint64_t n, const char* noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

Diagnostic note(std::string message) { return {kir::Severity::Note, std::move(message), {}, {}}; }

/// A note at an op, with the calls that lead there: the op may be one of a library's.
void add_note_at(Diagnostic& error, const Invocation& v, std::uint32_t op, std::string message) {
  const kir::LocId location = op == 0 ? 0 : v.program.ops[op]->location;
  Diagnostic place = Diagnostic::error_at(v.program.module->locations, location, std::move(message));
  place.severity = kir::Severity::Note;
  std::vector<Diagnostic> calls = std::move(place.notes);
  place.notes.clear();
  error.notes.push_back(std::move(place));
  for (Diagnostic& call : calls) error.notes.push_back(std::move(call));
}

/// "in invocation (1, 0, 0) of kernel 'f(int)'".
Diagnostic invocation_note(const Invocation& v) {
  const auto& id = v.position[0];
  const abi::Manifest& manifest = v.program.kernel->manifest;
  return note("in invocation (" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " +
              std::to_string(id[2]) + ") of kernel '" +
              (manifest.display.empty() ? manifest.name : manifest.display) + "'");
}

const Instr* finish(Invocation& v, Diagnostic error) {
  error.notes.push_back(invocation_note(v));
  v.fault = std::move(error);
  return nullptr;
}

Diagnostic error_at(const Instr* i, const Invocation& v, std::string message) {
  const kir::LocId location = i->op == 0 ? 0 : v.program.ops[i->op]->location;
  return Diagnostic::error_at(v.program.module->locations, location, std::move(message));
}

/// Why an op's result was undefined though its operands were not.
std::string reason(Opcode op) {
  if (op == Opcode::Load || info(op).effect == kir::OpEffect::Atomic)
    return "the value is read from uninitialized memory here";
  if (info(op).effect == kir::OpEffect::Convergent) return "the value is that of an inactive invocation here";
  if (op == Opcode::Undef) return "a variable without a value is used here";
  if (op == Opcode::FpToSi || op == Opcode::FpToUi) return "the value does not fit the integer type here";
  if (op == Opcode::Shl || op == Opcode::LShr || op == Opcode::AShr)
    return "the shift amount is not less than the width here";
  return "the value breaks the operation's fast-math promises here";
}

/// "buffer 'in' (40 bytes, 10 elements of 'float')".
std::string name_of(const Invocation& v, const Window& window) {
  const Program& program = v.program;
  const std::string bytes = " (" + count(window.size, "byte");
  switch (window.kind) {
    case WindowKind::Constant:
      return "constant '" + program.module->constants[window.index]->name + "'" + bytes + ")";
    case WindowKind::Workgroup: {
      if (window.index == program.objects.size()) return "dynamic workgroup memory" + bytes + ")";
      const std::string& name = program.objects[window.index].op->result()->name;
      return (name.empty() ? "a workgroup object" : "workgroup object '" + name + "'") + bytes + ")";
    }
    case WindowKind::Object: {
      const std::string& name = program.objects[window.index].op->result()->name;
      return (name.empty() ? "a local object" : "local object '" + name + "'") + bytes + ")";
    }
    case WindowKind::Buffer: {
      const abi::Param& param = program.kernel->manifest.params[window.index];
      std::string text = "buffer '" + param.name + "'" + bytes;
      if (param.element_size != 0)
        text += ", " + count(window.size / param.element_size, "element") + " of '" + param.element + "'";
      return text + ")";
    }
    case WindowKind::Allocation: return "a buffer" + bytes + ")";
    case WindowKind::Released: return "released memory";
    case WindowKind::None: return "no memory object";
  }
  return {};
}

/// "8 bytes past the end of buffer 'in' (40 bytes, 10 elements of 'float')".
std::string distance_from(const Invocation& v, const Window& window, std::uint64_t address,
                          std::uint64_t size) {
  const std::string name = name_of(v, window);
  const auto offset = static_cast<std::int64_t>(address - window.begin);
  const auto end = static_cast<std::int64_t>(window.size);
  if (offset < 0)
    return count(0 - static_cast<std::uint64_t>(offset), "byte") + " before the start of " + name;
  if (offset == end) return "just past the end of " + name;
  if (offset > end)
    return count(static_cast<std::uint64_t>(offset - end), "byte") + " past the end of " + name;
  return "reaching " + count(static_cast<std::uint64_t>(offset) + size - window.size, "byte") +
         " past the end of " + name;
}

std::string at_address(std::uint64_t address) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text = "0x";
  const int width = address == 0 ? 1 : (std::bit_width(address) + 3) / 4;
  for (int digit = width - 1; digit >= 0; --digit) text += digits[address >> (4 * digit) & 15];
  return text;
}

/// What is wrong with an access that has a defined address.
std::string access_problem(const Instr* i, const Invocation& v, const Slot& pointer, std::uint64_t size,
                           bool is_store) {
  const Window& window = v.windows[pointer.window];
  const std::string what = std::string(is_store ? "store of " : "load of ") + count(size, "byte");
  if (slot_of(pointer.bits) == 0 && window.kind == WindowKind::None)
    return what + (pointer.bits == 0 ? " through a null pointer"
                                     : " at " + at_address(pointer.bits) + ", near null");
  if (window.kind == WindowKind::None)
    return what + " at " + at_address(pointer.bits) + ", where there is no memory object";
  if (window.kind == WindowKind::Released) return what + " in a buffer that has been released";
  const std::uint64_t offset = pointer.bits - window.begin;
  if (offset >= window.size || window.size - offset < size)
    return what + " out of bounds: " + distance_from(v, window, pointer.bits, size);
  if (is_store && !window.can_write) return what + " to read-only " + name_of(v, window);
  if (!is_store && !window.can_read) return what + " from write-only " + name_of(v, window);
  return what + " is misaligned: byte " + std::to_string(offset) + " of " + name_of(v, window) +
         " is not a multiple of " + std::to_string(i->immediate + 1);
}

std::string invocation_name(const Invocation& v, std::uint32_t number) {
  if (number == 0) return "another invocation";
  // Numbers count in the order of the run: workgroups, and the invocations in each, x fastest.
  const auto& size = v.position[4];
  const auto& groups = v.position[3];
  const std::uint64_t index = number - 1, per_group = std::uint64_t{size[0]} * size[1] * size[2];
  const std::uint64_t group = index / per_group, local = index % per_group;
  const auto coordinate = [&](unsigned d, std::uint64_t g, std::uint64_t l) {
    return std::to_string(g % groups[d] * size[d] + l % size[d]);
  };
  return "invocation (" + coordinate(0, group, local) + ", " +
         coordinate(1, group / groups[0], local / size[0]) + ", " +
         coordinate(2, group / groups[0] / groups[1], local / size[0] / size[1]) + ")";
}

}  // namespace

const Instr* fault(const Instr* i, Invocation& v, std::string message) {
  return finish(v, error_at(i, v, std::move(message)));
}

const Instr* undefined_fault(const Instr* i, Invocation& v, const Slot& slot, std::string role) {
  Diagnostic error = error_at(i, v, role + " depends on an undefined value");
  if (slot.origin != 0) add_note_at(error, v, slot.origin, reason(v.program.ops[slot.origin]->opcode()));
  return finish(v, std::move(error));
}

const Instr* access_fault(const Instr* i, Invocation& v, const Slot& pointer, std::uint64_t size,
                          bool is_store) {
  if (pointer.undefined != 0)
    return undefined_fault(i, v, pointer, is_store ? "address of a store" : "address of a load");
  return fault(i, v, access_problem(i, v, pointer, size, is_store));
}

const Instr* divergence_fault(const Instr* i, Invocation& v, const std::string& who, std::uint32_t other,
                              const Instr* other_waits) {
  Diagnostic error =
      error_at(i, v, "barrier in divergent control flow: not all invocations of " + who + " reach it");
  const std::string name = invocation_name(v, other);
  if (other_waits == nullptr)
    error.notes.push_back(note(name + " has ended"));
  else
    add_note_at(error, v, other_waits->op, name + " waits here");
  return finish(v, std::move(error));
}

const Instr* race_fault(const Instr* i, Invocation& v, const Slot& pointer, std::uint64_t size, bool is_store,
                        const Conflict& conflict) {
  const Window& window = v.windows[pointer.window];
  Diagnostic error = error_at(i, v,
                              std::string("data race: ") + (is_store ? "store to " : "load from ") + "byte " +
                                  std::to_string(pointer.bits - window.begin) + " of " + name_of(v, window) +
                                  ", " + count(size, "byte") + ", without synchronization");
  add_note_at(error, v, conflict.other.op,
              std::string(conflict.other_writes ? "written by " : "read by ") +
                  invocation_name(v, conflict.other.invocation) + " here");
  return finish(v, std::move(error));
}

}  // namespace spirea::interp
