// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface, ir/abi/interpreter.h.
#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "ir/abi/artifact.h"
#include "ir/abi/interpreter.h"
#include "ir/interp/interp.h"
#include "ir/interp/settings.h"
#include "ir/text/parser.h"
#include "ir/verify/verify.h"

using namespace spirea;

struct spirea_interp {
  interp::Options options;
  interp::Memory memory;
  std::mutex mutex;  ///< one call at a time
};

struct spirea_interp_module {
  spirea_interp* device;
  std::unique_ptr<kir::Module> module;
  std::map<std::string, interp::Executable, std::less<>> executables;
};

namespace {

thread_local std::string error_text;

struct Failure {
  std::string text;
};

/// The result of `f`, or `otherwise` and a message for last_error: no exception leaves the library.
template <class R, class F>
R guarded(R otherwise, F&& f) {
  try {
    error_text.clear();
    return f();
  } catch (const Failure& failure) {
    error_text = failure.text;
  } catch (const std::exception& e) {
    error_text = std::string("error: ") + e.what() + "\n";
  }
  return otherwise;
}

template <class T>
T value_of(kir::Result<T> result) {
  if (!result) throw Failure{kir::to_string(result.diagnostics())};
  return result.take();
}
void check(const kir::Result<void>& result) {
  if (!result) throw Failure{kir::to_string(result.diagnostics())};
}

spirea_interp* create() {
  return guarded<spirea_interp*>(nullptr, [] {
    auto device = std::make_unique<spirea_interp>();
    device->options = value_of(interp::options_from_environment());
    return device.release();
  });
}

void destroy(spirea_interp* device) { delete device; }

std::uint64_t allocate(spirea_interp* device, std::uint64_t size, std::uint64_t align) {
  return guarded<std::uint64_t>(0, [&] {
    const std::lock_guard lock(device->mutex);
    return value_of(device->memory.allocate(size, align));
  });
}

/// 0 if `f` succeeds.
template <class F>
int status(spirea_interp* device, F&& f) {
  return guarded<int>(1, [&] {
    const std::lock_guard lock(device->mutex);
    check(f());
    return 0;
  });
}

int release(spirea_interp* device, std::uint64_t address) {
  return status(device, [&] { return device->memory.release(address); });
}
int write(spirea_interp* device, std::uint64_t address, const void* data, std::uint64_t size) {
  return status(device, [&] { return device->memory.write(address, data, size); });
}
int read(spirea_interp* device, std::uint64_t address, void* data, std::uint64_t size) {
  return status(device, [&] { return device->memory.read(address, data, size); });
}

spirea_interp_module* load(spirea_interp* device, const char* text, std::uint64_t size) {
  return guarded<spirea_interp_module*>(nullptr, [&] {
    auto module = value_of(kir::parse(std::string_view(text, size), "kernel.kir"));
    check(kir::verify(*module));
    return new spirea_interp_module{device, std::move(module), {}};
  });
}

void unload(spirea_interp_module* module) { delete module; }

const interp::Executable& executable_of(spirea_interp_module& module, std::string_view name) {
  const auto found = module.executables.find(name);
  if (found != module.executables.end()) return found->second;
  const kir::Kernel* kernel = module.module->find_kernel(name);
  const interp::Subnormals subnormals = module.device->options.subnormals;
  if (kernel == nullptr) throw Failure{"error: the module has no kernel '" + std::string(name) + "'\n"};
  return module.executables.emplace(name, interp::Executable(*module.module, *kernel, subnormals))
      .first->second;
}

int launch(spirea_interp* device, spirea_interp_module* module, const spirea_interp_launch* launch) {
  return status(device, [&] {
    interp::Grid grid;
    std::copy_n(launch->num_workgroups, 3, grid.num_workgroups.begin());
    std::copy_n(launch->workgroup_size, 3, grid.workgroup_size.begin());
    grid.dynamic_shared = launch->dynamic_shared;
    const std::span block(static_cast<const std::byte*>(launch->argument_block), launch->argument_size);
    return executable_of(*module, launch->kernel).launch(device->memory, block, grid, device->options);
  });
}

int keeps_subnormals(const spirea_interp* device) {
  return device->options.subnormals == interp::Subnormals::keep ? 1 : 0;
}

const char* last_error() { return error_text.c_str(); }

constexpr spirea_interp_functions kFunctions = {
    spirea_abi_version, create,           destroy, allocate, release, write, read, load, unload, launch,
    last_error,         keeps_subnormals,
};

}  // namespace

extern "C" const spirea_interp_functions* spirea_interp_api() { return &kFunctions; }
