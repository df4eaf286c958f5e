// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/interp/support.h"

#include <stdexcept>

#include "ir/text/parser.h"
#include "ir/verify/verify.h"

namespace spirea::interp::test {
namespace {

constexpr int kLines = 40;

/// The next offset of the argument block for a leaf of this size.
u32 place(u32& offset, u32 bytes) {
  offset = (offset + bytes - 1) / bytes * bytes;
  const u32 result = offset;
  offset += bytes;
  return result;
}

std::string leaf(const std::string& name, const std::string& type, u32 at, u32 from) {
  return "%" + name + ": " + type + " at " + std::to_string(at) + " from " + std::to_string(from);
}

std::string buffer_param(const std::string& name, const std::string& type, unsigned size,
                         const std::string& access, unsigned bytes) {
  return "  param buffer \"" + name + "\" type \"" + type + "\" size " + std::to_string(size) +
         " align 8 element \"T\" " + std::to_string(bytes) + " " + std::to_string(bytes) + " access " +
         access;
}

}  // namespace

KernelText& KernelText::buffer(const std::string& name, const std::string& access, unsigned bytes) {
  const u32 address = place(offset_, 8), count = place(offset_, 8);
  params_ += buffer_param(name, "std::span<T>", 16, access, bytes) + " leaves (" +
             leaf(name, "ptr", address, 0) + ", " + leaf(name + "_size", "i64", count, 8) + ")\n";
  return *this;
}

KernelText& KernelText::pointer(const std::string& name, const std::string& access, unsigned bytes) {
  params_ += buffer_param(name, "T*", 8, access, bytes) + " leaves (" +
             leaf(name, "ptr", place(offset_, 8), 0) + ")\n";
  return *this;
}

KernelText& KernelText::value(const std::string& name, const std::string& type) {
  const bool wide = type == "i64" || type == "f64" || type == "ptr";
  const std::string size = wide                             ? "8"
                           : type == "i1" || type == "i8"   ? "1"
                           : type == "i16" || type == "f16" ? "2"
                                                            : "4";
  params_ += "  param value \"" + name + "\" type \"T\" size " + size + " align " + size + " leaves (" +
             leaf(name, type, place(offset_, wide ? 8 : 4), 0) + ")\n";
  return *this;
}

KernelText& KernelText::workgroup(Dims size) {
  workgroup_ =
      " workgroup " + std::to_string(size[0]) + " " + std::to_string(size[1]) + " " + std::to_string(size[2]);
  return *this;
}

KernelText& KernelText::global(const std::string& line) {
  globals_ += line + "\n";
  return *this;
}

std::string KernelText::with(const std::string& ops) const {
  std::string text = "kir 1\n";
  for (int line = 1; line <= kLines; ++line) {
    const std::string n = std::to_string(line);
    text += "loc !" + n + " \"k.cpp\" " + n + " 1 \"k\"\n";
  }
  // A place in a function that is inlined at line 5.
  text += "loc !" + std::to_string(kLines + 1) + " \"lib.hpp\" 70 3 \"helper\" at !5\n";
  text += globals_ + "kernel @k key \"k\" display \"k()\" file \"k.cpp\" line 1" + workgroup_ + " {\n" +
          params_ + "body {\n" + ops + "\n  return\n}\n}\n";
  return text;
}

std::unique_ptr<kir::Module> parse_or_throw(const std::string& text) {
  auto module = kir::parse(text, "test.kir");
  if (!module) throw std::runtime_error(kir::to_string(module.diagnostics()) + text);
  if (auto valid = kir::verify(**module); !valid)
    throw std::runtime_error(kir::to_string(valid.diagnostics()) + text);
  return module.take();
}

kir::Result<void> Machine::launch(Dims num_workgroups, Dims workgroup_size) {
  const kir::Kernel& kernel = *module_->kernels.front();
  std::vector<std::byte> block(kernel.manifest.block_size());
  std::size_t index = 0;
  for (const abi::Param& param : kernel.manifest.params)
    for (const abi::Leaf& leaf : param.leaves)
      std::memcpy(block.data() + leaf.block_offset, &leaves_.at(index++), abi::block_bytes(leaf.scalar));
  return interp::launch(memory, *module_, "k", block, {num_workgroups, workgroup_size, dynamic_shared},
                        options, &statistics);
}

std::string Machine::error(Dims num_workgroups, Dims workgroup_size) {
  return kir::to_string(launch(num_workgroups, workgroup_size).diagnostics());
}

}  // namespace spirea::interp::test
