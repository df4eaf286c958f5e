// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/outputs.h"

#include <filesystem>

#include "compiler/files.h"

namespace spirea::compiler {
namespace {

namespace fs = std::filesystem;

std::string named_after(const std::string& input, std::string_view suffix) {
  const std::string stem = input == "-" ? "stdin" : fs::path(input).stem().string();
  return stem + std::string(suffix);
}

std::string dependency_path(const Options& options, const std::string& input) {
  if (!options.dependencies.file.empty()) return options.dependencies.file;
  const std::string output = output_path(options, input);
  return output == "-" ? named_after(input, ".d") : fs::path(output).replace_extension(".d").string();
}

/// "-MT", name, ...: as given, or the output.
std::vector<std::string> dependency_targets(const Options& options, const std::string& input) {
  if (!options.dependencies.targets.empty()) return options.dependencies.targets;
  const std::string output = output_path(options, input);
  return {"-MQ", output == "-" ? named_after(input, info(options.stage).suffix) : output};
}

/// As make reads it.
std::string quoted(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == ' ' || c == '#') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

std::string output_path(const Options& options, const std::string& input) {
  if (!options.output.empty()) return options.output;
  return named_after(input, info(options.stage).suffix);
}

std::vector<std::string> dependency_flags(const Options& options, const std::string& input) {
  const DependencyOptions& depend = options.dependencies;
  if (!depend.wanted) return {};
  std::vector<std::string> flags = {depend.system_headers ? "-MD" : "-MMD", "-MF",
                                    dependency_path(options, input)};
  if (depend.phony) flags.push_back("-MP");
  for (std::string& target : dependency_targets(options, input)) flags.push_back(std::move(target));
  return flags;
}

kir::Result<void> write_own_dependencies(const Options& options, const std::string& input) {
  if (!options.dependencies.wanted) return {};
  const std::vector<std::string> targets = dependency_targets(options, input);
  std::string text;
  for (std::size_t i = 0; i + 1 < targets.size(); i += 2)
    text += (i == 0 ? "" : " ") + (targets[i] == "-MQ" ? quoted(targets[i + 1]) : targets[i + 1]);
  return write_file(dependency_path(options, input), text + ": " + quoted(input) + "\n");
}

}  // namespace spirea::compiler
