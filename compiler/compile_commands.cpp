// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/compile_commands.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "compiler/files.h"
#include "compiler/options.h"

namespace spirea::compiler {
namespace {

namespace fs = std::filesystem;
using kir::Diagnostic;
using kir::Result;
using nlohmann::json;

fs::path real_path(const fs::path& path) {
  std::error_code ignored;
  fs::path result = fs::weakly_canonical(path, ignored);
  return result.empty() ? path : result;
}

/// One entry's flags. The command goes through our own reader, which takes out input, output and dependency
/// flags.
Result<std::vector<std::string>> flags_of(const json& entry) {
  std::vector<std::string> command;
  if (entry.contains("arguments"))
    command = entry.at("arguments").get<std::vector<std::string>>();
  else
    command = split_command(entry.at("command").get<std::string>());
  std::vector<const char*> pointers;
  for (std::size_t i = 1; i < command.size(); ++i) pointers.push_back(command[i].c_str());
  auto options = parse_options(pointers);
  if (!options) return options.diagnostics();
  std::vector<std::string> flags = std::move(options->clang_args);
  flags.push_back("-working-directory=" + entry.at("directory").get<std::string>());
  return flags;
}

Result<std::vector<std::string>> find_entry(const json& database, const std::string& path,
                                            const std::string& file) {
  const fs::path wanted = real_path(fs::absolute(file));
  for (const json& entry : database) {
    const fs::path directory = entry.at("directory").get<std::string>();
    if (real_path(directory / entry.at("file").get<std::string>()) == wanted) return flags_of(entry);
  }
  return Diagnostic::error("'" + path + "' has no entry for '" + file + "'");
}

}  // namespace

std::vector<std::string> split_command(const std::string& command) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word = word.value_or("") + command[++i];
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        *word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      word = word.value_or("");
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (word) words.push_back(*std::move(word));
      word.reset();
    } else {
      word = word.value_or("") + c;
    }
  }
  if (word) words.push_back(*std::move(word));
  return words;
}

Result<std::vector<std::string>> flags_from_compile_commands(const std::string& folder,
                                                             const std::string& file) {
  const std::string path = (fs::path(folder) / "compile_commands.json").string();
  auto text = read_file(path);
  if (!text) return text.diagnostics();
  try {
    return find_entry(json::parse(*text), path, file);
  } catch (const json::exception& error) {
    return Diagnostic::error("'" + path + "' is not a compilation database: " + error.what());
  }
}

}  // namespace spirea::compiler
