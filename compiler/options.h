// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spireac's command line, read once: after this no option is a string that somebody compares.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen-spirv/spirv.h"
#include "frontend/frontend.h"
#include "ir/core/diagnostic.h"

namespace spirea::compiler {

/// What a compilation produces: the object, or one stage on the way to it.
enum class Stage : std::uint8_t { Object, Llvm, Kir, SpirvKir, Spirv, SpirvAsm, HostLlvm, HostAsm };

/// A stage's name after --emit= and the suffix of its default output.
struct StageInfo {
  Stage stage;
  std::string_view name;
  std::string_view suffix;
  std::string_view meaning;
};
std::span<const StageInfo> stages();
const StageInfo& info(Stage);

/// The back ends whose code goes into an object.
struct Targets {
  bool vulkan = true;
  bool host = true;
};

/// Dependency file, as -MD and its companions ask for.
struct DependencyOptions {
  bool wanted = false;
  bool system_headers = true;        ///< -MD; false for -MMD
  bool phony = false;                ///< -MP
  std::string file;                  ///< -MF; empty: the output with the suffix .d
  std::vector<std::string> targets;  ///< "-MT", "-MQ" and their values, in order; empty: the output
};

/// --float-atomics=: how Vulkan devices add to floats in memory. With Both an object has a module of either
/// kind, and other outputs have the loop.
enum class FloatAtomics : std::uint8_t { Both, Native, Loop };

struct Options {
  std::vector<std::string> inputs;  ///< files; "-" is C++ on the standard input
  std::string output;               ///< -o; empty: named after the input; "-": the standard output
  Stage stage = Stage::Object;
  Targets targets;
  std::string kernel;                                              ///< --kernel: only this one
  std::vector<std::string> clang_args;                             ///< passed through, in order
  unsigned optimize = 2;                                           ///< the last -O
  frontend::FloatMode float_mode = frontend::FloatMode::Contract;  ///< -fp=
  bool debug_info = false;                                         ///< the last -g
  DependencyOptions dependencies;
  std::string build_folder;  ///< -p: where compile_commands.json is

  std::uint64_t max_private_bytes = spirv::kMaxPrivateBytes;  ///< of an invocation on Vulkan
  bool native_half = false;  ///< --half=native: by the device's own instructions
  FloatAtomics float_atomics = FloatAtomics::Both;
  bool memory_remarks = false;  ///< --remarks=memory

  std::string dump_kir;    ///< see kir::parse_dump_options
  std::string reproducer;  ///< see kir::RunOptions
  bool verify_each = false;
  bool time = false;
  bool color = false;  ///< by default, if the standard error is a terminal
  bool help = false;
  bool version = false;
};

/// Exit codes of the tools, those of spirea-opt.
inline constexpr int kExitSuccess = 0;
inline constexpr int kExitErrors = 1;  ///< in the input, or an output that cannot be written
inline constexpr int kExitUsage = 2;

/// The options, or what is wrong with the command line.
kir::Result<Options> parse_options(std::span<const char* const> arguments);

/// "vulkan,host" to back ends.
kir::Result<Targets> parse_targets(std::string_view);

/// What --help prints.
std::string help_text();

/// True for the suffix of KIR text.
bool is_kir_file(std::string_view path);

}  // namespace spirea::compiler
