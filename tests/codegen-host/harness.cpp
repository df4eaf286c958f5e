// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/codegen-host/harness.h"

#include <algorithm>
#include <stdexcept>
#include <sys/mman.h>

#include "ir/text/parser.h"
#include "ir/verify/verify.h"

namespace codegen_host {

namespace host = spirea::host;
namespace kir = spirea::kir;

std::vector<Registered>& registrations() {
  static std::vector<Registered> all;
  return all;
}

std::unique_ptr<kir::Module> parse(std::string_view text) {
  auto module = kir::parse(text, "test.kir");
  if (!module) throw std::runtime_error(kir::to_string(module.diagnostics()));
  if (const auto valid = kir::verify(**module); !valid)
    throw std::runtime_error(kir::to_string(valid.diagnostics()));
  return module.take();
}

std::string generate(const kir::Module& module, host::Output output, const host::Options& options) {
  const auto result = host::generate(module, {}, output, options);
  if (!result) throw std::runtime_error(kir::to_string(result.diagnostics()));
  return {result->begin(), result->end()};
}

KernelText& KernelText::buffer(const std::string& name, const std::string& access, bool may_alias) {
  offset_ = (offset_ + 7) / 8 * 8;
  params_ += "  param buffer \"" + name + "\" type \"T*\" size 16 align 8 element \"T\" 4 4 access " +
             access + (may_alias ? " may_alias" : "") + " leaves (%" + name + ": ptr at " +
             std::to_string(offset_) + " from 0, %" + name + "_size: i64 at " + std::to_string(offset_ + 8) +
             " from 8)\n";
  offset_ += 16;
  return *this;
}

KernelText& KernelText::value(const std::string& name, const std::string& type) {
  const auto scalar = spirea::abi::parse_scalar(type).value();
  const std::uint32_t slot = block_bytes(scalar), size = source_bytes(scalar);
  offset_ = (offset_ + slot - 1) / slot * slot;
  params_ += "  param value \"" + name + "\" type \"T\" size " + std::to_string(size) + " align " +
             std::to_string(size) + " leaves (%" + name + ": " + type + " at " + std::to_string(offset_) +
             " from 0)\n";
  offset_ += slot;
  return *this;
}

KernelText& KernelText::workgroup(Dims size) {
  workgroup_ =
      " workgroup " + std::to_string(size[0]) + " " + std::to_string(size[1]) + " " + std::to_string(size[2]);
  return *this;
}

std::string KernelText::body(const std::string& ops) const {
  return "kernel @" + name_ + " key \"" + name_ + "\" display \"" + name_ + "()\" file \"test.cpp\" line 1" +
         workgroup_ + " {\n" + params_ + "body {\n" + ops + "\n  return\n}\n}\n";
}

std::vector<std::uint64_t> Arguments::block(const spirea::abi::Manifest& manifest) const {
  std::vector<std::uint64_t> block(manifest.block_size() / 8);
  std::size_t index = 0;
  for (const auto& param : manifest.params)
    for (const auto& leaf : param.leaves)
      std::memcpy(reinterpret_cast<char*>(block.data()) + leaf.block_offset, &leaves_.at(index++),
                  spirea::abi::block_bytes(leaf.scalar));
  if (index != leaves_.size()) throw std::runtime_error("wrong number of arguments");
  return block;
}

Program::Program(std::unique_ptr<kir::Module> module, const host::Options& options)
    : module_(std::move(module)) {
  const std::vector<std::uint8_t> artifact{1, 2, 3};
  const auto object = host::generate(*module_, artifact, host::Output::Object, options);
  if (!object) throw std::runtime_error(kir::to_string(object.diagnostics()));
  const std::size_t before = registrations().size();
  if (const auto loaded = host::load_objects({*object}); !loaded)
    throw std::runtime_error(kir::to_string(loaded.diagnostics()));
  if (registrations().size() != before + 1)
    throw std::runtime_error("the object's constructor did not run once");
  kernels_ = registrations().back().kernels;
}

namespace {

/// Pages that end with one which nobody may access.
class GuardedPages {
 public:
  explicit GuardedPages(std::size_t bytes) : size_((bytes + 2 * kPage - 1) / kPage * kPage) {
    void* pages = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::runtime_error("no memory");
    data_ = static_cast<std::byte*>(pages);
    mprotect(data_ + size_ - kPage, kPage, PROT_NONE);
    static std::uint8_t fill = 0x5a;
    std::memset(data_, fill += 0x31, size_ - kPage);
  }
  ~GuardedPages() { munmap(data_, size_); }
  std::byte* data() const { return data_; }

 private:
  static constexpr std::size_t kPage = 4096;
  std::size_t size_;
  std::byte* data_;
};

std::unique_ptr<GuardedPages> pages;

void* give_memory(std::uint64_t bytes) {
  MemoryRequests& requests = memory_requests();
  ++requests.count;
  requests.bytes = std::max(requests.bytes, bytes);
  pages = requests.refuse ? nullptr : std::make_unique<GuardedPages>(bytes);
  return pages ? pages->data() : nullptr;
}

}  // namespace

MemoryRequests& memory_requests() {
  static MemoryRequests requests;
  return requests;
}

void Program::launch(const Arguments& arguments, Dims num_workgroups, Dims workgroup_size, std::size_t kernel,
                     std::uint32_t dynamic_shared) const {
  spirea_host_grid grid{};
  for (std::size_t i = 0; i < 3; ++i) {
    grid.num_workgroups[i] = num_workgroups[i];
    grid.workgroup_size[i] = workgroup_size[i];
  }
  grid.dynamic_shared = dynamic_shared;
  grid.workgroup_memory = give_memory;
  launch_part(arguments, grid, 0, std::uint64_t{num_workgroups[0]} * num_workgroups[1] * num_workgroups[2],
              kernel);
}

void Program::launch_part(const Arguments& arguments, const spirea_host_grid& grid, std::uint64_t first,
                          std::uint64_t last, std::size_t kernel) const {
  const auto block = arguments.block(module_->kernels.at(kernel)->manifest);
  kernels_.at(kernel)(block.data(), &grid, first, last);
}

}  // namespace codegen_host

void spirea_register(const spirea_registration* record) {
  const auto* bytes = static_cast<const std::uint8_t*>(record->data);
  codegen_host::registrations().push_back(
      {*record,
       {bytes, bytes + record->size},
       {record->host_kernels, record->host_kernels + record->num_host_kernels}});
}
