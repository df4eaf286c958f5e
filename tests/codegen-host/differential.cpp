// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/codegen-host/differential.h"

#include <stdexcept>

#include "ir/interp/interp.h"

namespace codegen_host {

namespace abi = spirea::abi;
namespace interp = spirea::interp;
namespace kir = spirea::kir;

namespace {

template <class T>
T value_of(kir::Result<T> result) {
  if (!result) throw std::runtime_error(kir::to_string(result.diagnostics()));
  if constexpr (!std::is_void_v<T>) return result.take();
}

/// The count that belongs to a buffer parameter.
std::uint64_t elements(const kir::Module& module, std::size_t kernel, std::size_t parameter,
                       const std::vector<std::uint8_t>& buffer) {
  return buffer.size() / module.kernels.at(kernel)->manifest.params.at(parameter).element_size;
}

}  // namespace

std::vector<Contents> run_on_interpreter(const kir::Module& module, std::size_t kernel,
                                         const std::vector<std::vector<std::uint8_t>>& buffers,
                                         const Shape& shape, const Arguments& values) {
  interp::Memory memory;
  Arguments arguments;
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto& buffer = buffers[i];
    addresses.push_back(value_of(memory.allocate(buffer.size(), 16)));
    value_of(memory.write(addresses.back(), buffer.data(), buffer.size()));
    arguments.value(addresses.back()).value(elements(module, kernel, i, buffer));
  }
  arguments.append(values);
  const auto block = arguments.block(module.kernels.at(kernel)->manifest);
  interp::Options options;
  options.subgroup_size = 1;
  value_of(interp::Executable(module, *module.kernels[kernel])
               .launch(memory, std::as_bytes(std::span(block)),
                       {shape.groups, shape.size, shape.dynamic_shared}, options));
  std::vector<Contents> results(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    results[i].bytes.resize(buffers[i].size());
    value_of(memory.read(addresses[i], results[i].bytes.data(), buffers[i].size()));
    for (std::size_t at = 0; at < buffers[i].size(); ++at)
      results[i].defined.push_back(memory.is_initialized(addresses[i] + at, 1));
  }
  return results;
}

std::vector<Contents> run_on_host(const Program& program, std::size_t kernel,
                                  const std::vector<std::vector<std::uint8_t>>& buffers, const Shape& shape,
                                  const Arguments& values) {
  std::vector<Contents> results;
  Arguments arguments;
  for (const auto& buffer : buffers) results.push_back({buffer, std::vector<bool>(buffer.size(), true)});
  for (std::size_t i = 0; i < results.size(); ++i)
    arguments.value(results[i].bytes.data()).value(elements(program.module(), kernel, i, buffers[i]));
  arguments.append(values);
  program.launch(arguments, shape.groups, shape.size, kernel, shape.dynamic_shared);
  return results;
}

abi::Param buffer_param(const std::string& name, std::uint32_t element_size, abi::Access access) {
  abi::Param param;
  param.name = name;
  param.kind = abi::ParamKind::Buffer;
  param.type = "std::span<T>";
  param.size = 16;
  param.align = 8;
  param.element = "T";
  param.element_size = param.element_align = element_size;
  param.access = access;
  param.leaves = {{abi::Scalar::Ptr, 0, 0}, {abi::Scalar::I64, 0, 8}};
  return param;
}

kir::Kernel& add_kernel(kir::Module& module, const std::string& name, std::vector<abi::Param> params) {
  auto kernel = std::make_unique<kir::Kernel>();
  kernel->manifest.name = kernel->manifest.key = kernel->manifest.display = name;
  kernel->manifest.file = name + ".cpp";
  kernel->manifest.params = std::move(params);
  abi::assign_block_offsets(kernel->manifest);
  for (const abi::Param& param : kernel->manifest.params)
    for (const abi::Leaf& leaf : param.leaves) kernel->body.add_argument(kir::type_of(leaf.scalar));
  module.kernels.push_back(std::move(kernel));
  return *module.kernels.back();
}

}  // namespace codegen_host
