// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an object holds, and how it looks.
#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>

#include "tests/codegen-host/harness.h"

namespace codegen_host {
namespace {

namespace host = spirea::host;

/// out[i] += a * in[i], guarded.
std::string saxpy(const std::string& name = "saxpy") {
  KernelText kernel(name);
  kernel.value("a", "f32").buffer("x", "read").buffer("y");
  return kernel.body(R"(
  %0 = global_id x : i32
  %1 = zext %0 : i64
  %2 = ult %1, %y_size : i1
  if %2 @l0 {
    %3 = offset %x, %1 scale 4 disp 0 : ptr<global>
    %4 = load %3 align 4 : f32
    %5 = fmul contract %a, %4 : f32
    %6 = offset %y, %1 scale 4 disp 0 : ptr<global>
    %7 = load %6 align 4 : f32
    %8 = fadd contract %5, %7 : f32
    store %6, %8 align 4
    break @l0
  } else {
    break @l0
  }
)");
}

struct Section {
  std::string name;
  Elf64_Shdr header;
  std::string bytes;
};

std::vector<Section> sections(const std::vector<char>& object) {
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof header);
  std::vector<Section> result(header.e_shnum);
  for (std::size_t i = 0; i < result.size(); ++i) {
    std::memcpy(&result[i].header, object.data() + header.e_shoff + i * sizeof(Elf64_Shdr),
                sizeof(Elf64_Shdr));
    if (result[i].header.sh_type != SHT_NOBITS)
      result[i].bytes.assign(object.data() + result[i].header.sh_offset, result[i].header.sh_size);
  }
  for (Section& section : result)
    section.name = result[header.e_shstrndx].bytes.c_str() + section.header.sh_name;
  return result;
}

const Section* find(const std::vector<Section>& all, const std::string& name) {
  for (const Section& section : all)
    if (section.name == name) return &section;
  return nullptr;
}

std::vector<char> object_of(const std::string& text, const std::vector<std::uint8_t>& artifact,
                            const host::Options& options = {}, bool with_code = true) {
  const auto result = host::generate(*parse(text), artifact, host::Output::Object, options, with_code);
  if (!result) throw std::runtime_error(spirea::kir::to_string(result.diagnostics()));
  return *result;
}

TEST(Object, HoldsTheArtifactInASectionOfItsOwn) {
  const std::vector<std::uint8_t> artifact{'S', 'P', 0, 7, 255};
  const auto all = sections(object_of("kir 1\n" + saxpy(), artifact));
  const Section* section = find(all, ".spirea");
  ASSERT_NE(section, nullptr);
  EXPECT_EQ(section->bytes, std::string(artifact.begin(), artifact.end()));
  EXPECT_EQ(section->header.sh_addralign, 8u);
  EXPECT_EQ(section->header.sh_flags, static_cast<Elf64_Xword>(SHF_ALLOC));
  EXPECT_NE(find(all, ".init_array.101"), nullptr);
  EXPECT_NE(find(all, ".note.GNU-stack"), nullptr) << "the program's stack would become executable";
}

// Two objects of a program may have the same template's kernel.
TEST(Object, DefinesNoGlobalSymbolsBesideTheRegistration) {
  const auto all = sections(object_of("kir 1\n" + saxpy(), {1}));
  const Section* table = find(all, ".symtab");
  const Section* names = find(all, ".strtab");
  ASSERT_TRUE(table != nullptr && names != nullptr);
  for (std::size_t at = 0; at < table->bytes.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, table->bytes.data() + at, sizeof symbol);
    if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
    EXPECT_EQ(std::string(names->bytes.c_str() + symbol.st_name), "spirea_register");
    EXPECT_EQ(symbol.st_shndx, SHN_UNDEF);
  }
}

TEST(Object, RegistersItsKernelsInOrder) {
  const auto before = registrations().size();
  const Program program("kir 1\n" + saxpy("first") + saxpy("second"));
  ASSERT_EQ(registrations().size(), before + 1);
  const Registered& registered = registrations().back();
  EXPECT_EQ(registered.record.magic, spirea_registration_magic);
  EXPECT_EQ(registered.record.abi, spirea_abi_version);
  EXPECT_EQ(registered.artifact, (std::vector<std::uint8_t>{1, 2, 3}));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(registered.record.data) % 8, 0u);
  ASSERT_EQ(registered.kernels.size(), 2u);
  std::vector<float> x{1, 2, 3}, y{10, 20, 30};
  const Arguments arguments = Arguments().value(2.0f).buffer(x).buffer(y);
  program.launch(arguments, {1, 1, 1}, {64, 1, 1}, 0);
  program.launch(arguments, {1, 1, 1}, {64, 1, 1}, 1);
  EXPECT_EQ(y, (std::vector<float>{14, 28, 42}));
}

TEST(Object, WithoutCodeRegistersNullKernels) {
  const auto before = registrations().size();
  ASSERT_TRUE(host::load_objects({object_of("kir 1\n" + saxpy("first") + saxpy("second"), {9}, {}, false)}));
  ASSERT_EQ(registrations().size(), before + 1);
  EXPECT_EQ(registrations().back().artifact, std::vector<std::uint8_t>{9});
  EXPECT_EQ(registrations().back().kernels, (std::vector<spirea_host_kernel>{nullptr, nullptr}));
}

TEST(Object, SeveralLoadInOneCall) {
  const auto before = registrations().size();
  const auto object = object_of("kir 1\n" + saxpy(), {1});
  ASSERT_TRUE(host::load_objects({object, object_of("kir 1\n" + saxpy(), {2}), object}));
  EXPECT_EQ(registrations().size(), before + 3);
}

// With no artifact there is nothing to register: the kernels are the object's symbols.
TEST(Object, WithoutArtifactDefinesTheKernels) {
  const auto module = parse("kir 1\n" + saxpy());
  EXPECT_EQ(host::host_symbol(*module->kernels[0]), "spirea_host_saxpy");
  const std::string assembly = generate(*module, host::Output::Assembly);
  EXPECT_NE(assembly.find(".globl\tspirea_host_saxpy"), std::string::npos);
  EXPECT_EQ(assembly.find("spirea_register"), std::string::npos);
}

TEST(Object, BrokenOnesAreErrors) {
  const auto good = object_of("kir 1\n" + saxpy(), {1});
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{64}, good.size() / 2}) {
    const auto result = host::load_objects(
        {std::vector<char>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))});
    ASSERT_FALSE(result) << size;
    EXPECT_NE(spirea::kir::to_string(result.diagnostics()).find("cannot link host code into this process"),
              std::string::npos);
  }
  EXPECT_TRUE(host::load_objects({good})) << "errors must not spoil the linker";
}

TEST(Object, IsDeterministic) {
  host::Options options;
  for (const bool debug_info : {false, true}) {
    options.debug_info = debug_info;
    EXPECT_EQ(object_of("kir 1\n" + saxpy(), {1, 2}, options),
              object_of("kir 1\n" + saxpy(), {1, 2}, options));
  }
}

// The invocations of a kernel are a loop, not calls: the one call is from the entry to the loops.
TEST(Code, SaxpyHasNoCallsPerInvocation) {
  const std::string assembly = generate(*parse("kir 1\n" + saxpy()), host::Output::Assembly);
  std::size_t calls = 0;
  for (std::size_t at = assembly.find("\tcall"); at != std::string::npos;
       at = assembly.find("\tcall", at + 1))
    ++calls;
  EXPECT_EQ(calls, 1u) << assembly;
  EXPECT_EQ(assembly.substr(0, assembly.find("spirea_host_saxpy")).find("\tcall"), std::string::npos)
      << assembly;
}

TEST(Code, EveryOptimizationLevelComputesTheSame) {
  for (const unsigned level : {0u, 1u, 2u, 3u}) {
    host::Options options;
    options.optimize = level;
    options.debug_info = level % 2 != 0;
    const Program program("kir 1\n" + saxpy(), options);
    std::vector<float> x(100, 3), y(100, 1);
    program.launch(Arguments().value(2.0f).buffer(x).buffer(y), {2, 1, 1}, {64, 1, 1});
    EXPECT_EQ(y, std::vector<float>(100, 7)) << level;
  }
}

TEST(Code, LinesAreThoseOfTheSource) {
  KernelText kernel("f");
  kernel.buffer("out");
  const auto module = parse(
      "kir 1\nloc !1 \"test.cpp\" 7 2 \"f\"\nloc !2 \"lib.h\" 30 4 \"helper\" at !1\n" +
      kernel.body(
          "  %v = load %out align 4 : i32 !1\n  %w = mul %v, %v : i32 !2\n  store %out, %w align 4 !1\n"));
  host::Options options;
  options.debug_info = true;
  const std::string text = generate(*module, host::Output::LlvmText, options);
  for (const std::string part :
       {"!DISubprogram(name: \"f()\", linkageName: \"f\"", "!DISubprogram(name: \"helper\"",
        "!DILocation(line: 7, column: 2", "!DILocation(line: 30, column: 4",
        "inlinedAt:", "!DIFile(filename: \"lib.h\""})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  EXPECT_NE(find(sections(object_of("kir 1\n" + saxpy(), {1}, options)), ".debug_line"), nullptr);
  EXPECT_EQ(find(sections(object_of("kir 1\n" + saxpy(), {1})), ".debug_line"), nullptr);
}

}  // namespace
}  // namespace codegen_host
