// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles KIR text to a host object, links it into this process and launches its kernels.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen-host/host.h"
#include "ir/abi/artifact.h"
#include "ir/core/module.h"

namespace codegen_host {

using Dims = std::array<std::uint32_t, 3>;

/// What the constructor of a loaded object passed to spirea_register.
struct Registered {
  spirea_registration record;
  std::vector<std::uint8_t> artifact;
  std::vector<spirea_host_kernel> kernels;
};
/// Every registration of this process, in order.
std::vector<Registered>& registrations();

/// Parses and verifies; throws on an error, which fails the test.
std::unique_ptr<spirea::kir::Module> parse(std::string_view text);

/// Output of `generate`, which must succeed.
std::string generate(const spirea::kir::Module&, spirea::host::Output, const spirea::host::Options& = {});

/// Writes the text of a kernel. A buffer's leaves are %NAME, the address, and %NAME_size, the count.
class KernelText {
 public:
  explicit KernelText(std::string name) : name_(std::move(name)) {}
  KernelText& buffer(const std::string& name, const std::string& access = "readwrite",
                     bool may_alias = false);
  KernelText& value(const std::string& name, const std::string& type);
  KernelText& workgroup(Dims size);
  /// The kernel with these ops, and a `return` at the end.
  std::string body(const std::string& ops) const;
  /// body() as a module.
  std::string module(const std::string& ops) const { return "kir 1\n" + body(ops); }

 private:
  std::string name_;
  std::string params_;
  std::string workgroup_;
  std::uint32_t offset_ = 0;
};

/// A value for each leaf of a kernel's parameters, as the bits of its slot in the argument block.
class Arguments {
 public:
  template <class T>
  Arguments& value(const T& value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    leaves_.push_back(bits);
    return *this;
  }
  template <class T>
  Arguments& buffer(const std::vector<T>& contents) {
    value(contents.data());
    return value(static_cast<std::uint64_t>(contents.size()));
  }
  void append(const Arguments& more) {
    leaves_.insert(leaves_.end(), more.leaves_.begin(), more.leaves_.end());
  }
  std::vector<std::uint64_t> block(const spirea::abi::Manifest&) const;

 private:
  std::vector<std::uint64_t> leaves_;
};

/// Calls of spirea_host_grid::workgroup_memory by kernels that launch() has run, and the largest request. The
/// memory holds other values at each call, and behind it is a page that must not be accessed.
struct MemoryRequests {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
  bool refuse = false;  ///< give none
};
MemoryRequests& memory_requests();

/// A module in this process.
class Program {
 public:
  explicit Program(std::string_view text, const spirea::host::Options& options = {})
      : Program(parse(text), options) {}
  explicit Program(std::unique_ptr<spirea::kir::Module>, const spirea::host::Options& = {});

  const spirea::kir::Module& module() const { return *module_; }
  /// Runs the whole grid.
  void launch(const Arguments&, Dims num_workgroups, Dims workgroup_size = {64, 1, 1}, std::size_t kernel = 0,
              std::uint32_t dynamic_shared = 0) const;
  /// Runs some workgroups.
  void launch_part(const Arguments&, const spirea_host_grid&, std::uint64_t first, std::uint64_t last,
                   std::size_t kernel = 0) const;

 private:
  std::unique_ptr<spirea::kir::Module> module_;
  std::vector<spirea_host_kernel> kernels_;
};

/// An i1 in memory: C++ has vectors of bool, but not of their bytes.
enum class Bool : std::uint8_t { False, True };

template <class T>
constexpr const char* kir_type() {
  if constexpr (std::is_same_v<T, Bool>) return "i1";
  if constexpr (std::is_same_v<T, float>) return "f32";
  if constexpr (std::is_same_v<T, double>) return "f64";
  if constexpr (std::is_same_v<T, _Float16>) return "f16";
  if constexpr (sizeof(T) == 1) return "i8";
  if constexpr (sizeof(T) == 2) return "i16";
  if constexpr (sizeof(T) == 4) return "i32";
  return "i64";
}

/// `%r = OP %a0, %a1 ... : R` for each element of the operand vectors, which have equal lengths.
template <class R, class... T>
std::vector<R> apply(const std::string& op, const std::vector<T>&... operands) {
  KernelText text("apply");
  Arguments arguments;
  std::string ops = "  %x = global_id x : i32\n", used;
  std::size_t count = 0, index = 0;
  const auto add = [&]<class E>(const std::vector<E>& operand) {
    const std::string n = std::to_string(index++), type = kir_type<E>(), size = std::to_string(sizeof(E));
    text.buffer("b" + n, "read");
    arguments.buffer(operand);
    ops += "  %p" + n + " = offset %b" + n + ", %x scale " + size + " disp 0 : ptr<global>\n";
    ops += "  %a" + n + " = load %p" + n + " align " + size + " : " + type + "\n";
    used += (used.empty() ? " %a" : ", %a") + n;
    count = operand.size();
  };
  (add(operands), ...);
  std::vector<R> results(count);
  text.buffer("out", "write");
  arguments.buffer(results);
  const std::string size = std::to_string(sizeof(R));
  ops += "  %r = " + op + used + " : " + kir_type<R>() + "\n";
  ops +=
      "  %q = offset %out, %x scale " + size + " disp 0 : ptr<global>\n  store %q, %r align " + size + "\n";
  const Program program(text.workgroup({1, 1, 1}).module(ops));
  program.launch(arguments, {static_cast<std::uint32_t>(count), 1, 1}, {1, 1, 1});
  return results;
}

}  // namespace codegen_host
