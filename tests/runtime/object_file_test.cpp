// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search for an artifact in an ELF object.
#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>

#include "runtime/core/artifact.h"
#include "tests/runtime/artifacts.h"

namespace runtime_test {
namespace {

using spirea::detail::find_artifact_in_object;

void put(Bytes& bytes, const void* data, std::size_t size) {
  const auto* from = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), from, from + size);
}

/// An object with three sections: none, one of this name, and the names.
Bytes object_file(const char* section_name, const Bytes& contents) {
  std::string names("\0", 1);
  const auto name = static_cast<Elf64_Word>(names.size());
  names += std::string(section_name) + '\0';
  const auto names_name = static_cast<Elf64_Word>(names.size());
  names += std::string(".shstrtab") + '\0';

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_ehsize = sizeof(header);
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  header.e_shoff = sizeof(header) + contents.size() + names.size();
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = name;
  sections[1].sh_type = SHT_PROGBITS;
  sections[1].sh_offset = sizeof(header);
  sections[1].sh_size = contents.size();
  sections[2].sh_name = names_name;
  sections[2].sh_type = SHT_STRTAB;
  sections[2].sh_offset = sizeof(header) + contents.size();
  sections[2].sh_size = names.size();

  Bytes result;
  put(result, &header, sizeof(header));
  put(result, contents.data(), contents.size());
  put(result, names.data(), names.size());
  put(result, sections, sizeof(sections));
  return result;
}

std::string refusal(const Bytes& object) {
  const GuardedBytes guarded(object);
  std::string error;
  const auto found = find_artifact_in_object(guarded.span(), error);
  EXPECT_EQ(found.empty(), !error.empty());
  return error;
}

TEST(ObjectFile, has_its_artifact_found) {
  const Bytes contents = to_bytes("the artifact");
  const Bytes object = object_file(".spirea", contents);
  std::string error;
  const auto found = find_artifact_in_object(object, error);
  EXPECT_EQ(Bytes(found.begin(), found.end()), contents) << error;
}

TEST(ObjectFile, names_what_is_wrong) {
  const Bytes good = object_file(".spirea", to_bytes("the artifact"));
  EXPECT_EQ(refusal({}), "it is not an object file");
  EXPECT_EQ(refusal(to_bytes(std::string(100, 'x'))), "it is not a 64-bit ELF object file");
  EXPECT_EQ(refusal(object_file(".text", to_bytes("code"))),
            "it has no .spirea section: it was not made by spireac");
  EXPECT_EQ(refusal({good.begin(), good.end() - 1}), "its section table is truncated");
  Bytes object = good;
  object[offsetof(Elf64_Ehdr, e_shstrndx)] = std::byte{3};
  EXPECT_EQ(refusal(object), "its section table is truncated");
}

TEST(ObjectFile, no_mutation_crashes) {
  const Bytes good = object_file(".spirea", to_bytes("the artifact"));
  std::uint64_t state = 3;
  int found = 0, refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const GuardedBytes object(mutate(good, state, 0));
    std::string error;
    const auto artifact = find_artifact_in_object(object.span(), error);
    if (!artifact.empty()) {
      ++found;
      EXPECT_GE(artifact.data(), object.span().data());
      EXPECT_LE(artifact.data() + artifact.size(), object.span().data() + object.span().size());
    } else {
      ++refused;
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace runtime_test
