// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/interp/device.h"

#include <algorithm>
#include <cstdlib>

#include "runtime/host/finished_launch.h"
#include "runtime/interp/library.h"

namespace spirea::interp {
namespace {

constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{1} << 38;
constexpr std::uint32_t kMaxInvocations = 1024;
constexpr std::uint32_t kMaxSharedBytes = 1u << 20;
constexpr std::uint32_t kMaxSubgroupSize = 64;  // the bits of a ballot

}  // namespace

InterpreterDevice::InterpreterDevice(const spirea_interp_functions* functions)
    : functions_(functions), interpreter_(functions->create()) {
  if (interpreter_ == nullptr) fail();
  limits_.max_buffer_bytes = kMaxBufferBytes;
  limits_.max_workgroup_invocations = kMaxInvocations;
  limits_.max_workgroup_size = {kMaxInvocations, kMaxInvocations, kMaxInvocations};
  limits_.max_num_workgroups = {~0u, ~0u, ~0u};
  limits_.max_shared_bytes = kMaxSharedBytes;
  limits_.keeps_subnormals_f32 = functions->keeps_subnormals(interpreter_) != 0;
  limits_.max_subgroup_size = kMaxSubgroupSize;
}

InterpreterDevice::~InterpreterDevice() {
  for (const auto& [object, module] : modules_) functions_->unload(module);
  functions_->destroy(interpreter_);
}

void InterpreterDevice::fail() const {
  const char* message = functions_->last_error();
  std::string cause =
      message == nullptr || *message == 0 ? "the interpreter failed without a message" : message;
  while (cause.ends_with('\n')) cause.pop_back();
  throw error(cause);
}

std::uint64_t InterpreterDevice::allocate(std::uint64_t bytes, std::uint64_t align) {
  const std::uint64_t address = functions_->allocate(interpreter_, bytes, align);
  if (address == 0) fail();
  return address;
}

void InterpreterDevice::release(std::uint64_t address) noexcept {
  functions_->release(interpreter_, address);
}

void InterpreterDevice::write(std::uint64_t address, const void* data, std::uint64_t bytes) {
  if (functions_->write(interpreter_, address, data, bytes) != 0) fail();
}

void InterpreterDevice::read(std::uint64_t address, void* data, std::uint64_t bytes) {
  if (functions_->read(interpreter_, address, data, bytes) != 0) fail();
}

spirea_interp_module* InterpreterDevice::module_of(const detail::KernelCode& kernel) {
  const auto known = modules_.find(kernel.object_id());
  if (known != modules_.end()) return known->second;
  const std::string& text = kernel.kir();
  if (text.empty()) throw error("its object holds no KIR, which the interpreter runs");
  spirea_interp_module* module = functions_->load(interpreter_, text.data(), text.size());
  if (module == nullptr) fail();
  modules_.emplace(kernel.object_id(), module);
  return module;
}

std::shared_ptr<detail::Completion> InterpreterDevice::launch(const detail::LaunchParameters& parameters) {
  spirea_interp_module* module = module_of(*parameters.kernel);
  spirea_interp_launch launch{};
  launch.kernel = parameters.kernel->manifest().name.c_str();
  launch.argument_block = parameters.argument_block.data();
  launch.argument_size = parameters.argument_block.size();
  std::ranges::copy(parameters.num_workgroups, launch.num_workgroups);
  std::ranges::copy(parameters.workgroup_size, launch.workgroup_size);
  launch.dynamic_shared = parameters.dynamic_shared;
  const auto start = host::FinishedLaunch::Clock::now();
  if (functions_->launch(interpreter_, module, &launch) != 0) fail();
  return std::make_shared<host::FinishedLaunch>(start);
}

std::vector<detail::Candidate> enumerate() {
  detail::Candidate candidate;
  for (const char* name : {"STEPS", "RACES", "SUBGROUP", "SUBNORMALS"})
    if (const char* value = std::getenv((std::string("SPIREA_INTERP_") + name).c_str());
        value != nullptr && *value != 0)
      candidate.settings += std::string(name) + "=" + value + "\n";
  device_info& info = candidate.info;
  info.backend = backend_kind::interp;
  info.name = "KIR interpreter";
  info.is_software = true;
  info.reason = library_problem();
  info.is_usable = info.reason.empty();
  info.properties = {{"library", library_path()},
                     {"detects", "out-of-bounds accesses, uninitialized reads, data races, with C++ lines"}};
  if (info.is_usable) candidate.open = [] { return std::make_unique<InterpreterDevice>(load_library()); };
  std::vector<detail::Candidate> all;
  all.push_back(std::move(candidate));
  return all;
}

}  // namespace spirea::interp
