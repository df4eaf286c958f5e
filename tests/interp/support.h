// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs KIR text in the interpreter.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "ir/interp/interp.h"

namespace spirea::interp::test {

using Dims = std::array<std::uint32_t, 3>;
using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

/// An i1 in memory, and an f16.
enum class Bool : u8 { False, True };
enum class Half : u16 {};

template <class T>
constexpr const char* kir_type() {
  if constexpr (std::is_same_v<T, Bool>) return "i1";
  if constexpr (std::is_same_v<T, Half>) return "f16";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, double>) return "f64";
  return sizeof(T) == 1 ? "i8" : sizeof(T) == 2 ? "i16" : sizeof(T) == 4 ? "i32" : "i64";
}

/// The text of a module with one kernel, @k, whose ops are at lines of "k.cpp": the location !N is line N.
class KernelText {
 public:
  /// Leaves %NAME, the address, and %NAME_size, the count. Elements are i32 unless `bytes` says otherwise.
  KernelText& buffer(const std::string& name, const std::string& access = "readwrite", unsigned bytes = 4);
  /// T*: %NAME, without a count.
  KernelText& pointer(const std::string& name, const std::string& access = "readwrite", unsigned bytes = 4);
  KernelText& value(const std::string& name, const std::string& type);
  KernelText& workgroup(Dims size);
  KernelText& global(const std::string& line);
  /// The module of a kernel with these ops; a `return` is added.
  std::string with(const std::string& ops) const;

 private:
  std::string globals_, params_, workgroup_;
  u32 offset_ = 0;
};

std::unique_ptr<kir::Module> parse_or_throw(const std::string& text);

/// A device with a loaded module.
class Machine {
 public:
  explicit Machine(const std::string& text) : module_(parse_or_throw(text)) {}
  explicit Machine(std::unique_ptr<kir::Module> module) : module_(std::move(module)) {}

  Memory memory;
  Options options;
  Statistics statistics;
  u64 dynamic_shared = 0;

  /// A buffer argument, address and count, uninitialized.
  template <class T>
  u64 uninitialized(std::size_t count) {
    const u64 address = memory.allocate(count * sizeof(T), alignof(T)).take();
    return argument(address), argument<u64>(count), address;
  }
  /// A buffer argument with these contents.
  template <class T>
  u64 buffer(const std::vector<T>& contents) {
    const u64 address = uninitialized<T>(contents.size());
    EXPECT_TRUE(bool(memory.write(address, contents.data(), contents.size() * sizeof(T))));
    return address;
  }
  template <class T>
  void argument(const T& value) {
    u64 bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    leaves_.push_back(bits);
  }
  void clear_arguments() { leaves_.clear(); }

  kir::Result<void> launch(Dims num_workgroups = {1, 1, 1}, Dims workgroup_size = {1, 1, 1});
  /// The diagnostics of a launch; empty if it succeeds.
  std::string error(Dims num_workgroups = {1, 1, 1}, Dims workgroup_size = {1, 1, 1});

  template <class T>
  std::vector<T> read(u64 address, std::size_t count) {
    std::vector<T> result(count);
    EXPECT_TRUE(bool(memory.read(address, result.data(), count * sizeof(T))));
    return result;
  }

 private:
  std::unique_ptr<kir::Module> module_;
  std::vector<u64> leaves_;
};

/// `%r = OP %a0, %a1 ... : R` for each element of the operand vectors, which have equal lengths.
template <class R, class... T>
std::vector<R> apply(const std::string& op, const std::vector<T>&... operands) {
  KernelText text;
  std::string ops = "  %x = global_id x : i32\n", used;
  std::size_t count = 0, index = 0;
  const auto add = [&]<class E>(const std::vector<E>& operand) {
    const std::string n = std::to_string(index++), size = std::to_string(sizeof(E));
    text.buffer("b" + n, "read", sizeof(E));
    ops += "  %p" + n + " = offset %b" + n + ", %x scale " + size + " disp 0 : ptr<global>\n";
    ops += "  %a" + n + " = load %p" + n + " align " + size + " : " + kir_type<E>() + "\n";
    used += (used.empty() ? " %a" : ", %a") + n;
    count = operand.size();
  };
  (add(operands), ...);
  const std::string size = std::to_string(sizeof(R));
  text.buffer("out", "write", sizeof(R));
  ops += "  %r = " + op + used + " : " + kir_type<R>() + "\n";
  ops +=
      "  %q = offset %out, %x scale " + size + " disp 0 : ptr<global>\n  store %q, %r align " + size + "\n";
  Machine machine(text.with(ops));
  (machine.buffer(operands), ...);
  const u64 out = machine.uninitialized<R>(count);
  EXPECT_EQ(machine.error({static_cast<u32>(count), 1, 1}), "");
  EXPECT_TRUE(machine.memory.is_initialized(out, count * sizeof(R)));
  return machine.read<R>(out, count);
}

/// Bits of floats, for comparisons that tell zeros and NaNs apart.
inline std::vector<u32> bits(const std::vector<float>& values) {
  std::vector<u32> result;
  for (const float value : values) result.push_back(std::bit_cast<u32>(value));
  return result;
}
inline std::vector<u64> bits(const std::vector<double>& values) {
  std::vector<u64> result;
  for (const double value : values) result.push_back(std::bit_cast<u64>(value));
  return result;
}

template <class T>
constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
template <class T>
constexpr T kInf = std::numeric_limits<T>::infinity();
template <class T>
constexpr T kMin = std::numeric_limits<T>::min();
template <class T>
constexpr T kMax = std::numeric_limits<T>::max();

}  // namespace spirea::interp::test
