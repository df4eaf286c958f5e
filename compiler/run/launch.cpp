// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/run/launch.h"

#include <charconv>
#include <cstdio>
#include <optional>
#include <spirea/spirea.hpp>
#include <string_view>
#include <vector>

#include "compiler/files.h"
#include "compiler/run/values.h"

namespace spirea::compiler {
namespace {

using kir::Diagnostic;
using kir::Result;

/// One parameter's argument: a value's bytes, or a buffer's contents and its memory on the device.
struct Argument {
  const abi::Param* param;
  Bytes value;
  BufferValue contents;
  std::optional<buffer<std::byte>> memory;

  bool is_output() const {
    return param->kind == abi::ParamKind::Buffer && param->access != abi::Access::Read;
  }

  detail::launch_argument bind() const {
    detail::launch_argument bound;
    bound.size = param->size;
    if (!memory) {
      bound.data = value.data();
      return bound;
    }
    bound.address = memory->address();
    bound.element_size = param->element_size;
    bound.count = memory->size() / param->element_size;
    bound.owner = memory->state().get();
    return bound;
  }
};

std::string known_parameters(const abi::Manifest& manifest) {
  std::string names;
  for (const abi::Param& param : manifest.arguments()) names += (names.empty() ? "" : ", ") + param.name;
  return names;
}

Result<kir::Success> check_names(const abi::Manifest& manifest,
                                 const std::map<std::string, std::string>& named) {
  for (const auto& [name, value] : named) {
    bool known = false;
    for (const abi::Param& param : manifest.arguments()) known = known || param.name == name;
    if (!known)
      return Diagnostic::error("'" + manifest.display + "' has no parameter '" + name +
                               "'; it has: " + known_parameters(manifest));
  }
  return kir::Success{};
}

Result<std::vector<Argument>> parse_arguments(const abi::Manifest& manifest, const RunRequest& request) {
  std::vector<Argument> arguments;
  for (const abi::Param& param : manifest.arguments()) {
    const auto given = request.arguments.find(param.name);
    if (given == request.arguments.end())
      return Diagnostic::error("no --arg for parameter '" + param.name + "' of type '" + param.type + "'");
    Argument argument{&param, {}, {}, {}};
    if (param.kind == abi::ParamKind::Buffer) {
      auto contents = parse_buffer(param, given->second);
      if (!contents) return contents.diagnostics();
      argument.contents = contents.take();
    } else {
      auto value = parse_value(param, given->second);
      if (!value) return value.diagnostics();
      argument.value = value.take();
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

/// "X", "X,Y" or "X,Y,Z", and how many there were.
Result<std::pair<uint3, unsigned>> parse_extent(const std::string& text, const char* option) {
  std::uint32_t values[3] = {1, 1, 1};
  unsigned rank = 0;
  const char* next = text.data();
  const char* const end = next + text.size();
  while (rank < 3) {
    const auto [after, error] = std::from_chars(next, end, values[rank]);
    if (error != std::errc()) break;
    ++rank;
    if (after == end) return std::pair(uint3{values[0], values[1], values[2]}, rank);
    if (*after != ',') break;
    next = after + 1;
  }
  return Diagnostic::error(std::string(option) + " takes X, X,Y or X,Y,Z, not '" + text + "'");
}

Result<detail::launch_shape> parse_shape(const RunRequest& request) {
  detail::launch_shape shape;
  shape.in_workgroups = !request.groups.empty();
  shape.dynamic_shared = request.dynamic_shared;
  auto extent =
      shape.in_workgroups ? parse_extent(request.groups, "--groups") : parse_extent(request.grid, "--grid");
  if (!extent) return extent.diagnostics();
  std::tie(shape.extent, shape.rank) = *extent;
  if (!request.workgroup.empty()) {
    auto size = parse_extent(request.workgroup, "--workgroup");
    if (!size) return size.diagnostics();
    shape.workgroup = size->first;
  }
  return shape;
}

void upload(device& on, std::vector<Argument>& arguments) {
  for (Argument& argument : arguments)
    if (argument.param->kind == abi::ParamKind::Buffer)
      argument.memory.emplace(on, std::span<const std::byte>(argument.contents.bytes));
}

void launch(device& on, const abi::Manifest& manifest, const detail::launch_shape& shape,
            const std::vector<Argument>& arguments, bool time) {
  std::vector<detail::launch_argument> bound;
  for (const Argument& argument : arguments) bound.push_back(argument.bind());
  event done(detail::launch(on.state(), manifest.name.c_str(), shape, bound.data(), bound.size()));
  done.wait();
  if (time)
    std::fprintf(stderr, "%s: %.4f ms\n", on.name().c_str(),
                 static_cast<double>(done.duration().count()) / 1e6);
}

Result<kir::Success> print_outputs(std::vector<Argument>& arguments, const RunRequest& request) {
  for (Argument& argument : arguments) {
    const auto file = request.outputs.find(argument.param->name);
    if (!argument.memory || (!argument.is_output() && file == request.outputs.end())) continue;
    argument.memory->read(argument.contents.bytes);
    if (file == request.outputs.end()) {
      std::printf("%s: %s\n", argument.param->name.c_str(),
                  print_buffer(argument.contents, *argument.param, request.limit).c_str());
      continue;
    }
    const Bytes& bytes = argument.contents.bytes;
    const std::string path = file->second.starts_with('@') ? file->second.substr(1) : file->second;
    if (auto written = write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        !written)
      return written.diagnostics();
  }
  return kir::Success{};
}

}  // namespace

Result<kir::Success> launch_and_print(const abi::Manifest& manifest, const RunRequest& request) {
  for (const auto* named : {&request.arguments, &request.outputs})
    if (auto known = check_names(manifest, *named); !known) return known;
  auto arguments = parse_arguments(manifest, request);
  if (!arguments) return arguments.diagnostics();
  auto shape = parse_shape(request);
  if (!shape) return shape.diagnostics();

  device on = request.device.empty() ? device() : device(request.device);
  upload(on, *arguments);
  for (unsigned i = 0; i < request.repeat; ++i) launch(on, manifest, *shape, *arguments, request.time);
  return print_outputs(*arguments, request);
}

}  // namespace spirea::compiler
