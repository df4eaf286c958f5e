// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/options.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace spirea::compiler {
namespace {

using kir::Diagnostic;
using kir::Result;

constexpr StageInfo kStages[] = {
    {Stage::Object, "object", ".spirea.o", "object to link into the program (the default, -c)"},
    {Stage::Llvm, "llvm", ".ll", "LLVM IR after Spirea's pass list"},
    {Stage::Kir, "kir", ".kir", "kernel IR after its passes"},
    {Stage::SpirvKir, "spirv-kir", ".spirv.kir", "kernel IR as legalized for SPIR-V"},
    {Stage::Spirv, "spirv", ".spv", "SPIR-V words, one kernel a module"},
    {Stage::SpirvAsm, "spirv-asm", ".spvasm", "SPIR-V disassembly"},
    {Stage::HostLlvm, "host-llvm", ".host.ll", "LLVM IR of the host's kernels"},
    {Stage::HostAsm, "host-asm", ".s", "the host's assembly"},
};

/// Stages that the design has and this version does not.
constexpr std::string_view kFutureStages[] = {"ptx", "glsl", "hlsl", "msl", "reflection"};
constexpr std::string_view kFutureTargets[] = {"opencl", "cuda"};

constexpr std::pair<std::string_view, frontend::FloatMode> kFloatModes[] = {
    {"strict", frontend::FloatMode::Strict},
    {"contract", frontend::FloatMode::Contract},
    {"fast", frontend::FloatMode::Fast},
};

constexpr std::pair<std::string_view, FloatAtomics> kFloatAtomics[] = {
    {"both", FloatAtomics::Both},
    {"native", FloatAtomics::Native},
    {"loop", FloatAtomics::Loop},
};

enum class Id : std::uint8_t {
  Help,
  Version,
  Compile,
  Output,
  Emit,
  Target,
  Kernel,
  DumpKir,
  Time,
  VerifyEach,
  NoVerifyEach,
  SaveReproducer,
  Remarks,
  MaxPrivateBytes,
  FloatMode,
  Half,
  FloatAtomics,
  BuildFolder,
  DependAll,
  DependUser,
  DependFile,
  DependTarget,
  DependQuoted,
  DependPhony,
  Language,
  Optimize,
  Debug,
  Color,
  NoColor,
  ClangValue,
  OtherOutput,
};

enum class Form : std::uint8_t {
  Exact,   ///< -c
  Value,   ///< -o x or -ox
  Equals,  ///< --emit=x or --emit x
  Next,    ///< -include x
  Prefix,  ///< -O2
};

struct Row {
  std::string_view name;
  Form form;
  Id id;
};

/// The first row that matches wins; what matches none is Clang's.
constexpr Row kRows[] = {
    {"--help", Form::Exact, Id::Help},
    {"-help", Form::Exact, Id::Help},
    {"-h", Form::Exact, Id::Help},
    {"--version", Form::Exact, Id::Version},
    {"-c", Form::Exact, Id::Compile},
    {"--emit", Form::Equals, Id::Emit},
    {"--target", Form::Equals, Id::Target},
    {"--kernel", Form::Equals, Id::Kernel},
    {"--dump-kir", Form::Equals, Id::DumpKir},
    {"--time", Form::Exact, Id::Time},
    {"--verify-each", Form::Exact, Id::VerifyEach},
    {"--no-verify-each", Form::Exact, Id::NoVerifyEach},
    {"--save-reproducer", Form::Equals, Id::SaveReproducer},
    {"--remarks", Form::Equals, Id::Remarks},
    {"--max-private-bytes", Form::Equals, Id::MaxPrivateBytes},
    {"-fp", Form::Equals, Id::FloatMode},
    {"--half", Form::Equals, Id::Half},
    {"--float-atomics", Form::Equals, Id::FloatAtomics},
    {"--output", Form::Equals, Id::Output},
    {"-o", Form::Value, Id::Output},
    {"-p", Form::Next, Id::BuildFolder},
    {"-MD", Form::Exact, Id::DependAll},
    {"-MMD", Form::Exact, Id::DependUser},
    {"-MP", Form::Exact, Id::DependPhony},
    {"-MF", Form::Value, Id::DependFile},
    {"-MT", Form::Value, Id::DependTarget},
    {"-MQ", Form::Value, Id::DependQuoted},
    {"-M", Form::Exact, Id::OtherOutput},
    {"-MM", Form::Exact, Id::OtherOutput},
    {"-E", Form::Exact, Id::OtherOutput},
    {"-S", Form::Exact, Id::OtherOutput},
    {"-emit-llvm", Form::Exact, Id::OtherOutput},
    {"-x", Form::Value, Id::Language},
    {"-fdiagnostics-color", Form::Exact, Id::Color},
    {"-fcolor-diagnostics", Form::Exact, Id::Color},
    {"-fdiagnostics-color=always", Form::Exact, Id::Color},
    {"-fno-diagnostics-color", Form::Exact, Id::NoColor},
    {"-fno-color-diagnostics", Form::Exact, Id::NoColor},
    {"-fdiagnostics-color=never", Form::Exact, Id::NoColor},
    {"-I", Form::Value, Id::ClangValue},
    {"-D", Form::Value, Id::ClangValue},
    {"-U", Form::Value, Id::ClangValue},
    {"-include", Form::Next, Id::ClangValue},
    {"-include-pch", Form::Next, Id::ClangValue},
    {"-imacros", Form::Next, Id::ClangValue},
    {"-isystem", Form::Value, Id::ClangValue},
    {"-iquote", Form::Value, Id::ClangValue},
    {"-idirafter", Form::Value, Id::ClangValue},
    {"-iprefix", Form::Value, Id::ClangValue},
    {"-iwithprefix", Form::Value, Id::ClangValue},
    {"-isysroot", Form::Value, Id::ClangValue},
    {"--sysroot", Form::Equals, Id::ClangValue},
    {"-Xclang", Form::Next, Id::ClangValue},
    {"-Xpreprocessor", Form::Next, Id::ClangValue},
    {"-mllvm", Form::Next, Id::ClangValue},
    {"-arch", Form::Next, Id::ClangValue},
    {"-resource-dir", Form::Next, Id::ClangValue},
    {"-working-directory", Form::Equals, Id::ClangValue},
    {"-O", Form::Prefix, Id::Optimize},
    {"-g", Form::Prefix, Id::Debug},
};

bool matches(const Row& row, std::string_view argument) {
  switch (row.form) {
    case Form::Exact:
    case Form::Next: return argument == row.name;
    case Form::Equals:
      return argument.starts_with(row.name) &&
             (argument.size() == row.name.size() || argument[row.name.size()] == '=');
    case Form::Value:
    case Form::Prefix: return argument.starts_with(row.name);
  }
  return false;
}

Diagnostic usage(std::string message) { return Diagnostic::error(std::move(message)); }

template <class Names>
std::string join(const Names& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string stage_names() {
  std::vector<std::string_view> names;
  for (const StageInfo& stage : kStages) names.push_back(stage.name);
  return join(names);
}

/// Clang's levels; s and z optimize as 2 does.
unsigned optimization_level(std::string_view level) {
  if (level.empty()) return 1;
  if (level == "s" || level == "z" || level == "g") return level == "g" ? 1 : 2;
  if (level == "fast" || level[0] > '3') return 3;
  return level[0] < '0' ? 2 : static_cast<unsigned>(level[0] - '0');
}

class Reader {
 public:
  explicit Reader(std::span<const char* const> arguments) : arguments_(arguments) {
    options_.color = isatty(STDERR_FILENO) != 0;
  }

  Result<Options> read() {
    bool only_inputs = false;
    for (next_ = 0; next_ < arguments_.size();) {
      const std::string_view argument = arguments_[next_++];
      if (only_inputs || argument == "-" || !argument.starts_with('-'))
        options_.inputs.emplace_back(argument);
      else if (argument == "--")
        only_inputs = true;
      else if (auto ok = read_option(argument); !ok)
        return ok.diagnostics();
    }
    if (auto ok = check(); !ok) return ok.diagnostics();
    return std::move(options_);
  }

 private:
  Result<void> read_option(std::string_view argument) {
    const Row* row = std::ranges::find_if(kRows, [&](const Row& r) { return matches(r, argument); });
    if (row == std::end(kRows)) {
      options_.clang_args.emplace_back(argument);
      return {};
    }
    auto value = value_of(*row, argument);
    if (!value) return value.diagnostics();
    return apply(*row, argument, *value);
  }

  Result<std::string> value_of(const Row& row, std::string_view argument) {
    const std::string_view rest = argument.substr(row.name.size());
    if (row.form == Form::Exact || row.form == Form::Prefix) return std::string(rest);
    if (row.form == Form::Equals && !rest.empty()) return std::string(rest.substr(1));
    if (row.form == Form::Value && !rest.empty()) return std::string(rest);
    if (next_ == arguments_.size()) return usage("argument to '" + std::string(row.name) + "' is missing");
    return std::string(arguments_[next_++]);
  }

  Result<void> apply(const Row& row, std::string_view argument, const std::string& value) {
    DependencyOptions& depend = options_.dependencies;
    switch (row.id) {
      case Id::Help: options_.help = true; break;
      case Id::Version: options_.version = true; break;
      case Id::Compile: return set_stage("object");
      case Id::Output: options_.output = value; break;
      case Id::Emit: return set_stage(value);
      case Id::Target: return set_targets(value);
      case Id::Kernel: options_.kernel = value; break;
      case Id::DumpKir: options_.dump_kir = value; break;
      case Id::Time: options_.time = true; break;
      case Id::VerifyEach: options_.verify_each = true; break;
      case Id::NoVerifyEach: options_.verify_each = false; break;
      case Id::SaveReproducer: options_.reproducer = value; break;
      case Id::Remarks: return set_remarks(value);
      case Id::MaxPrivateBytes: return set_max_private_bytes(value);
      case Id::FloatMode: return set_float_mode(value);
      case Id::Half: return set_half(value);
      case Id::FloatAtomics: return set_float_atomics(value);
      case Id::BuildFolder: options_.build_folder = value; break;
      case Id::DependAll: depend.wanted = depend.system_headers = true; break;
      case Id::DependUser:
        depend.wanted = true;
        depend.system_headers = false;
        break;
      case Id::DependPhony: depend.phony = true; break;
      case Id::DependFile: depend.file = value; break;
      case Id::DependTarget: depend.targets.insert(depend.targets.end(), {"-MT", value}); break;
      case Id::DependQuoted: depend.targets.insert(depend.targets.end(), {"-MQ", value}); break;
      case Id::Language: return set_language(value);
      case Id::Color: options_.color = true; break;
      case Id::NoColor: options_.color = false; break;
      case Id::Optimize: options_.optimize = optimization_level(value); return pass_on(argument);
      case Id::Debug: options_.debug_info = value != "0"; return pass_on(argument);
      case Id::ClangValue:
        options_.clang_args.emplace_back(argument);
        if (argument == row.name) options_.clang_args.push_back(value);
        break;
      case Id::OtherOutput:
        return usage("'" + std::string(argument) +
                     "' is not a stage of this compiler; use --emit= with one of " + stage_names());
    }
    return {};
  }

  Result<void> pass_on(std::string_view argument) {
    options_.clang_args.emplace_back(argument);
    return {};
  }

  Result<void> set_stage(const std::string& name) {
    const StageInfo* stage = std::ranges::find(kStages, name, &StageInfo::name);
    if (stage != std::end(kStages)) {
      options_.stage = stage->stage;
      return {};
    }
    const bool future = std::ranges::find(kFutureStages, name) != std::end(kFutureStages);
    return usage(
        (future ? "--emit=" + name + " is not available yet" : "unknown stage '" + name + "' in --emit=") +
        "; available: " + stage_names());
  }

  Result<void> set_targets(const std::string& names) {
    auto targets = parse_targets(names);
    if (!targets) return targets.diagnostics();
    options_.targets = *targets;
    return {};
  }

  Result<void> set_remarks(const std::string& about) {
    if (about != "memory") return usage("unknown remarks '" + about + "'; available: memory");
    options_.memory_remarks = true;
    return {};
  }

  Result<void> set_max_private_bytes(const std::string& text) {
    const char* end = text.data() + text.size();
    const auto [rest, status] = std::from_chars(text.data(), end, options_.max_private_bytes);
    if (status == std::errc() && rest == end) return {};
    return usage("'" + text + "' in --max-private-bytes= is no number of bytes");
  }

  Result<void> set_float_mode(const std::string& name) {
    for (const auto& [known, mode] : kFloatModes)
      if (known == name) {
        options_.float_mode = mode;
        return {};
      }
    return usage("unknown mode '" + name + "' in -fp=; available: strict, contract, fast");
  }

  Result<void> set_half(const std::string& how) {
    if (how != "float" && how != "native")
      return usage("unknown arithmetic '" + how + "' in --half=; available: float, native");
    options_.native_half = how == "native";
    return {};
  }

  Result<void> set_float_atomics(const std::string& name) {
    for (const auto& [known, choice] : kFloatAtomics)
      if (known == name) {
        options_.float_atomics = choice;
        return {};
      }
    return usage("unknown choice '" + name + "' in --float-atomics=; available: both, native, loop");
  }

  static Result<void> set_language(const std::string& name) {
    if (name == "c++") return {};
    return usage("language '" + name + "' is not supported; spireac compiles c++");
  }

  Result<void> check() const {
    if (options_.help || options_.version) return {};
    if (options_.inputs.empty()) return usage("no input files");
    if (options_.inputs.size() > 1 && !options_.output.empty() && options_.output != "-")
      return usage("cannot specify -o when generating multiple output files");
    if (options_.inputs.size() > 1 && !options_.dependencies.file.empty())
      return usage("cannot specify -MF when generating multiple dependency files");
    return {};
  }

  std::span<const char* const> arguments_;
  std::size_t next_ = 0;
  Options options_;
};

}  // namespace

std::span<const StageInfo> stages() { return kStages; }

const StageInfo& info(Stage stage) { return *std::ranges::find(kStages, stage, &StageInfo::stage); }

Result<Options> parse_options(std::span<const char* const> arguments) { return Reader(arguments).read(); }

Result<Targets> parse_targets(std::string_view names) {
  Targets targets{false, false};
  while (true) {
    const std::string_view name = names.substr(0, names.find(','));
    if (name == "vulkan")
      targets.vulkan = true;
    else if (name == "host")
      targets.host = true;
    else if (std::ranges::find(kFutureTargets, name) != std::end(kFutureTargets))
      return usage("target '" + std::string(name) + "' is not available yet; available: vulkan, host");
    else
      return usage("unknown target '" + std::string(name) + "'; available: vulkan, host");
    if (name.size() == names.size()) return targets;
    names.remove_prefix(name.size() + 1);
  }
}

std::string help_text() {
  std::string text = R"(usage: spireac [options] file...

Compiles the kernels of C++ files, functions with the attribute [[spirea::kernel]], for GPUs and for the host.
Files that end in .kir are read as kernel IR.

output:
  -o FILE                output; - is the standard output; FOLDER/ takes one SPIR-V module for each kernel
  -c                     make an object (the default)
  --emit=STAGE           make what the compiler has at a stage:
)";
  for (const StageInfo& stage : kStages) {
    std::string line = "                           " + std::string(stage.name);
    line.resize(std::max<std::size_t>(line.size(), 38), ' ');
    text += line + std::string(stage.meaning) + "\n";
  }
  text += R"(  --target=LIST          back ends of an object: vulkan, host (default: both)
  --kernel=NAME          only this kernel, by its symbol or its C++ name
  -fp=MODE               strict: IEEE 754 to the bit on every back end; contract (the default): products and sums
                         may be fused; fast: also reassociation, reciprocals, the device's own functions
  --max-private-bytes=N  local variables that an invocation may have on Vulkan (default: 524288)
  --half=float|native    how Vulkan devices compute with half: in float, on all devices (the default), or by
                         instructions of their own, an error where they have none
  --float-atomics=both|native|loop   how they add to floats in memory: by instructions of their own where they
                         have them (the default: an object has code of both kinds), always, or never

C++ (as for clang++; others are passed to Clang, too):
  -I -D -U -include -isystem -std= -O0 to -O3 -g -W... -f...
  -MD -MMD -MF -MT -MQ -MP   write a dependency file
  -p FOLDER              take flags from FOLDER/compile_commands.json

looking inside:
  --remarks=memory       say of each local variable that is not in registers how Vulkan code keeps it, and why
  --time                 print the time of each stage and each pass
  --dump-kir=WHAT        print KIR around passes: before, after, changed, and names of passes, comma-separated
  --verify-each          verify KIR after each pass, and SPIR-V of any size
  --save-reproducer=FILE keep the KIR before a failing pass, for spirea-opt --run-reproducer
  --help, --version

examples:
  spireac blur.cpp -c -o blur.spirea.o
  spireac blur.cpp --emit=spirv-asm --kernel=blur -o -
  spireac blur.cpp --emit=kir -o - | spirea-opt --passes=canonicalize -
  spireac kernel.kir --emit=spirv -o kernel.spv

exit codes: 0 success, 1 errors in the input or an output that cannot be written, 2 wrong usage
)";
  return text;
}

bool is_kir_file(std::string_view path) { return path.ends_with(".kir"); }

}  // namespace spirea::compiler
