// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/registry.h"

#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <map>
#include <mutex>
#include <sstream>

#include "runtime/core/artifact.h"

namespace spirea::detail {
namespace {

/// What the kernels of one object share.
struct Object {
  Artifact artifact;
  std::uint64_t id = 0;
  std::once_flag kir_once;
  std::string kir;
};

class RegisteredKernel : public KernelCode {
 public:
  RegisteredKernel(std::shared_ptr<Object> object, std::size_t index, spirea_host_kernel host,
                   std::uint64_t id)
      : object_(std::move(object)), index_(index), host_(host), id_(id) {}

  const abi::Manifest& manifest() const override { return data().manifest; }
  std::uint64_t id() const override { return id_; }
  std::uint64_t object_id() const override { return object_->id; }
  /// A function of a header is compiled into each object whose file uses it: that is one kernel. Without
  /// SPIR-V to compare, the place of its definition decides.
  bool has_same_code(const RegisteredKernel& other) const {
    if (object_->artifact.checksum == other.object_->artifact.checksum) return true;
    if (data().spirv_vulkan.empty() || other.data().spirv_vulkan.empty())
      return manifest() == other.manifest();
    abi::Manifest a = manifest(), b = other.manifest();
    a.file = b.file = {};
    a.line = b.line = 0;
    return a == b && spirv() == other.spirv();
  }
  spirea_host_kernel host() const override { return host_; }

  const SpirvModules& spirv() const override {
    std::call_once(spirv_once_, [&] {
      SpirvModules modules;
      for (const ArtifactSection& section : data().spirv_vulkan) modules.push_back(words_of(section));
      spirv_ = std::move(modules);
    });
    return spirv_;
  }
  const std::string& kir() const override {
    std::call_once(object_->kir_once, [&] {
      if (!object_->artifact.kir.exists()) return;
      const std::vector<std::byte> raw = unpack(object_->artifact.kir);
      object_->kir.assign(reinterpret_cast<const char*>(raw.data()), raw.size());
    });
    return object_->kir;
  }

 private:
  const ArtifactKernel& data() const { return object_->artifact.kernels[index_]; }
  std::vector<std::byte> unpack(const ArtifactSection& section) const {
    std::vector<std::byte> raw;
    std::string reason;
    if (!decompress(section, raw, reason)) throw error("the kernel's code is damaged: " + reason);
    return raw;
  }

  std::vector<std::uint32_t> words_of(const ArtifactSection& section) const {
    const std::vector<std::byte> raw = unpack(section);
    std::vector<std::uint32_t> words(raw.size() / 4);
    std::memcpy(words.data(), raw.data(), words.size() * 4);
    return words;
  }

  std::shared_ptr<Object> object_;
  std::size_t index_;
  spirea_host_kernel host_;
  std::uint64_t id_;
  mutable std::once_flag spirv_once_;
  mutable SpirvModules spirv_;
};

struct Registry {
  std::mutex mutex;
  std::vector<std::unique_ptr<RegisteredKernel>> kernels;
  std::multimap<std::string, const RegisteredKernel*, std::less<>> by_key;
  std::vector<std::string> broken;  ///< why objects could not be registered
  std::uint64_t next_id = 1;
};

/// Never destroyed: objects register before main and kernels may run after it.
Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

std::string broken_objects(const Registry& r) {
  std::string result;
  for (const std::string& reason : r.broken)
    result += "; an object of this program cannot be used: " + reason;
  return result;
}

void add(const spirea_registration* registration) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  std::string reason;
  if (registration == nullptr || registration->magic != spirea_registration_magic)
    reason = "it is not a Spirea registration";
  else if (registration->abi != spirea_abi_version)
    reason = "it was made by another version of Spirea";
  auto object = std::make_shared<Object>();
  if (reason.empty())
    read_artifact({static_cast<const std::byte*>(registration->data), registration->size}, object->artifact,
                  reason);
  if (!reason.empty()) {
    r.broken.push_back(reason);
    return;
  }
  object->id = r.next_id++;
  for (std::size_t i = 0; i < object->artifact.kernels.size(); ++i) {
    const spirea_host_kernel host =
        i < registration->num_host_kernels ? registration->host_kernels[i] : nullptr;
    r.kernels.push_back(std::make_unique<RegisteredKernel>(object, i, host, r.next_id++));
    const RegisteredKernel* kernel = r.kernels.back().get();
    // Tools that have no kernel function launch by the symbol, which is never equal to a type's name.
    r.by_key.emplace(kernel->manifest().name, kernel);
    std::istringstream keys(kernel->manifest().key);
    for (std::string key; keys >> key;) r.by_key.emplace(key, kernel);
  }
}

std::string place(const abi::Manifest& manifest) {
  return manifest.file + ":" + std::to_string(manifest.line);
}

/// The kernel in a tag type's name, readable: "spirea::detail::kernel_tag<&scale>" gives "scale".
std::string readable(std::string_view key) {
  int status = 0;
  char* text = ::abi::__cxa_demangle(std::string(key).c_str(), nullptr, nullptr, &status);
  if (text == nullptr) return std::string(key);
  std::string result = text;
  std::free(text);
  const std::size_t begin = result.find('<');
  if (begin == std::string::npos || result.back() != '>') return result;
  result = result.substr(begin + 1, result.size() - begin - 2);
  if (result.starts_with("&")) result.erase(0, 1);
  while (result.starts_with("(") && result.ends_with(")")) result = result.substr(1, result.size() - 2);
  return result;
}

}  // namespace

const KernelCode& find_kernel_by_key(std::string_view key) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  const auto [begin, end] = r.by_key.equal_range(key);
  if (begin == end)
    throw error(
        "the kernel was never compiled for devices: add its source file with "
        "spirea_add_kernels(target file.cpp) in CMake, or link the object of `spireac file.cpp -c -o "
        "file.spirea.o`" +
            broken_objects(r),
        {}, readable(key));
  for (auto it = std::next(begin); it != end; ++it)
    if (!it->second->has_same_code(*begin->second))
      throw error("two objects of this program define the kernel, with different code (" +
                      place(begin->second->manifest()) + " and " + place(it->second->manifest()) +
                      "): give them different names",
                  {}, readable(key));
  return *begin->second;
}

const KernelCode& find_kernel_by_name(std::string_view name) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  const RegisteredKernel* found = nullptr;
  std::string list;
  for (const auto& kernel : r.kernels) {
    const abi::Manifest& m = kernel->manifest();
    list += "\n  " + m.display;
    const std::string_view plain = std::string_view(m.display).substr(0, m.display.find('('));
    if (m.name != name && m.display != name && plain != name) continue;
    if (found != nullptr) throw error("several kernels are named '" + std::string(name) + "'");
    found = kernel.get();
  }
  if (found != nullptr) return *found;
  throw error("no kernel is named '" + std::string(name) + "'. Found:" + list + broken_objects(r));
}

std::vector<std::string> kernel_names() {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  std::vector<std::string> result;
  for (const auto& kernel : r.kernels) result.push_back(kernel->manifest().name);
  return result;
}

}  // namespace spirea::detail

extern "C" __attribute__((visibility("default"))) void spirea_register(
    const spirea_registration* registration) {
  try {
    spirea::detail::add(registration);
  } catch (...) {  // out of memory before main: the launch will say that the kernel is missing
  }
}
