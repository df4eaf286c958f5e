// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <regex>

#include "ir/core/builder.h"
#include "ir/core/clone.h"
#include "tests/ir/support.h"

namespace spirea::kir::test {
namespace {

/// The text that the parser and printer agree on: parsed and printed, it is itself.
void expect_identity(const std::string& text) {
  auto module = parse_or_fail(text);
  ASSERT_NE(module, nullptr);
  const std::string printed = print(*module);
  auto again = parse_or_fail(printed);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(print(*again), printed);
  EXPECT_EQ(print(*clone(*module)), printed);
}

TEST(Text, RoundTripOfEveryFileInTheTree) {
  const auto files = kir_files(SPIREA_SOURCE_DIR);
  EXPECT_GE(files.size(), 8u);
  for (const auto& path : files) {
    SCOPED_TRACE(path.string());
    expect_identity(read_file(path));
  }
}

TEST(Text, TheExampleOfTheReadmeParses) {
  const std::string readme = read_file(std::filesystem::path(SPIREA_SOURCE_DIR) / "ir/README.md");
  const std::size_t begin = readme.find("```\nkir 1");
  ASSERT_NE(begin, std::string::npos);
  std::string text = readme.substr(begin + 4, readme.find("```", begin + 4) - begin - 4);
  text = std::regex_replace(text, std::regex(R"(    \.\.\.)"), "    break @l1(%i, %x0)");
  text = std::regex_replace(text, std::regex("  %7 = const 3"), "  %x0 = undef : f32\n  %7 = const 3");
  auto module = parse_or_fail(text);
  ASSERT_NE(module, nullptr);
  EXPECT_TRUE(verify(*module)) << to_string(verify(*module).diagnostics());
  expect_identity(text);
}

TEST(Text, PrintsWhatItParses) {
  const std::string body =
      "  %0 = global_id x : i32\n"
      "  %1 = fadd contract nsz %x, %x : f32\n"
      "  %2 = const 0x3f800000 : f32\n"
      "  %3 = const null : ptr<global>\n"
      "  %4 = const 255 : i8\n"
      "  %5 = object size 64 align 4 element i32 : ptr<private>\n"
      "  %6 = offset %5, %0 scale 4 disp -8 : ptr<private>\n"
      "  store %6, %n align 4 volatile\n"
      "  %7, %8 = loop @l0 (%i = %n : i32) : i32, f32 {\n"
      "    switch %i @l1 {\n"
      "    case 1, 2: {\n"
      "      continue @l0(%i)\n"
      "    }\n"
      "    default: {\n"
      "      break @l0(%i, %x)\n"
      "    }\n"
      "    }\n"
      "    trap\n"
      "  }\n"
      "  block @l2 {\n"
      "    break @l2\n"
      "  }\n"
      "  return";
  auto module = parse_or_fail(kernel_text(body));
  ASSERT_NE(module, nullptr);
  const std::string printed = print(*module);
  EXPECT_NE(printed.find(body), std::string::npos) << printed;
}

TEST(Text, PrintsMessages) {
  std::string text = kernel_text("  return");
  const std::string messages =
      "  message print \"%s\\x01 is \\\"%d\\\"\\n\" \"si\" file \"a b.cpp\" line 12\n"
      "  message check \"x > 0\" \"\" file \"\" line 0\n";
  text.insert(text.find("  param"), messages);
  auto module = parse_or_fail(text);
  ASSERT_NE(module, nullptr);
  EXPECT_EQ(module->kernels[0]->manifest.messages.size(), 2u);
  EXPECT_NE(print(*module).find(messages), std::string::npos) << print(*module);
  text.replace(text.find("message print"), 13, "message frobs");
  EXPECT_NE(parse_error(text).find("unknown kind of message 'frobs'"), std::string::npos);
}

TEST(Text, MakesNamesUnique) {
  Module module;
  module.kernels.push_back(std::make_unique<Kernel>());
  Kernel& kernel = *module.kernels[0];
  kernel.manifest.name = "odd name";
  Builder b(kernel.body);
  for (const char* name : {"a", "a", "a.1", "with \"space\"", "7", ""}) b.i32(1)->name = name;
  b.ret();
  const std::string text = print(module);
  EXPECT_NE(text.find("kernel @\"odd name\""), std::string::npos);
  EXPECT_NE(text.find("%a = const"), std::string::npos);
  EXPECT_NE(text.find("%a.1 = const"), std::string::npos);
  EXPECT_NE(text.find("%\"with \\\"space\\\"\" = const"), std::string::npos);
  EXPECT_NE(text.find("%0 = const"), std::string::npos) << "a name of digits counts as none";
  expect_identity(text);
}

TEST(Text, KeepsEveryByteOfStrings) {
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  Module module;
  module.locations.add({all, 1, 2, all, 0});
  const std::string text = print(module);
  auto again = parse_or_fail(text);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->locations[1].file, all);
  EXPECT_EQ(print(*again), text);
}

/// Every op of the table, printed and parsed.
TEST(Text, EveryOpRoundTrips) {
  for (std::size_t i = 0; i < kNumOpcodes; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const OpInfo& row = info(opcode);
    EXPECT_EQ(parse_opcode(row.mnemonic), opcode);
    if (is_structured(opcode) || row.rule == OpRule::Break || row.rule == OpRule::Continue) continue;
    std::string line;
    if (row.results == 1) line = "%r = ";
    line += row.mnemonic;
    const std::string attr = row.attr == AttrKind::Literal  ? " 7"
                             : row.attr == AttrKind::Object ? " size 4 align 4"
                             : row.attr == AttrKind::Symbol ? " @c"
                             : row.attr == AttrKind::Dim    ? " y"
                             : row.attr == AttrKind::Scale  ? " scale 4 disp 8"
                             : row.attr == AttrKind::Memory ? " align 4"
                             : row.attr == AttrKind::Atomic ? " align 8 scope system order relaxed volatile"
                             : row.attr == AttrKind::Sync   ? " scope workgroup order acq_rel"
                             : row.attr == AttrKind::Group  ? " clustered 8"
                                                            : "";
    const bool before = row.operands == 0 || row.attr == AttrKind::Fast;
    std::string operands;
    for (int k = 0; k < row.operands; ++k) operands += k == 0 ? " %n" : ", %n";
    line += before ? attr + operands : operands + attr;
    if (row.results == 1) line += " : i32";
    expect_identity(kernel_text("  " + line + "\n  return"));
    auto module = parse_or_fail(kernel_text("  " + line + "\n  return"));
    EXPECT_NE(print(*module).find(line.substr(line.find(row.mnemonic))), std::string::npos) << line;
  }
}

TEST(Text, ErrorsHaveTheirPlace) {
  EXPECT_EQ(parse_error(""), "1:1: expected 'kir'");
  EXPECT_EQ(parse_error("kir 2"), "1:5: this version of KIR text is not known");
  EXPECT_EQ(parse_error("kir 1\nfoo"), "2:1: expected 'loc', 'constant' or 'kernel'");
  EXPECT_EQ(parse_error("kir 1\nloc !2 \"f\" 1 1 \"g\""),
            "2:5: locations must be different and numbered from 1 in order");
  EXPECT_EQ(parse_error("kir 1\nloc !1 \"f\" 1 1 \"g\" at !1"), "2:23: location is not defined before");
  EXPECT_EQ(parse_error("kir 1\nloc !1 \"f"), "2:8: unterminated string");
  EXPECT_EQ(parse_error("kir 1\nloc !1 \"\\q\" 1"), "2:8: unknown escape in string");
  EXPECT_EQ(parse_error("kir 1\nloc !1 \"f\" 4294967296 1 \"g\""),
            "2:12: number is malformed or out of range");
  EXPECT_EQ(parse_error("kir 1\nconstant @c size 1 align 1 bytes \"0\""),
            "2:34: odd number of hexadecimal digits");
  EXPECT_EQ(parse_error("kir 1\n\x01"), "2:1: unexpected character");
}

/// The error of a body, with lines counted from the body's first.
std::string body_error(const std::string& body) {
  const std::string error = parse_error(kernel_text(body));
  if (error.empty()) return error;
  const std::size_t colon = error.find(':');
  return std::to_string(std::stoi(error) - 7) + error.substr(colon);
}

TEST(Text, ErrorsInBodies) {
  EXPECT_EQ(body_error("%a = frob %n : i32"), "1:6: unknown operation 'frob'");
  EXPECT_EQ(body_error("%a = add %n, %b : i32"), "1:14: '%b' is not defined before its use");
  EXPECT_EQ(body_error("%n = add %n, %n : i32"), "1:1: '%n' is already defined");
  EXPECT_EQ(body_error("%a = add %n, %n : i33"), "1:19: unknown type 'i33'");
  EXPECT_EQ(body_error("%a = add %n, %n"), "2:1: expected ':'");
  EXPECT_EQ(body_error("%a = const 256 : i8"), "1:12: constant does not fit i8");
  EXPECT_EQ(body_error("%a = const 1 : f32"), "1:12: expected the float's bits after 0x");
  EXPECT_EQ(body_error("%a = const 0x1 : i32"), "1:12: expected a decimal number");
  EXPECT_EQ(body_error("%a = const -1 : i32"), "1:12: number is malformed or out of range");
  EXPECT_EQ(body_error("%a = const 1 : ptr<global>"), "1:12: the only pointer constant is null");
  EXPECT_EQ(body_error("%a, %b = const 1 : i32, i32"), "1:16: a constant has one result");
  EXPECT_EQ(body_error("%a = fadd fast %x, %x : f32"), "1:11: unknown flag 'fast'");
  EXPECT_EQ(body_error("break @l0"), "1:7: no enclosing operation has the label '@l0'");
  EXPECT_EQ(body_error("block @l0 {\nbreak @l0\n}\nbreak @l0"),
            "4:7: no enclosing operation has the label '@l0'");
  EXPECT_EQ(body_error("block @l0 {\nbreak @l0\n}\nblock @l0 {\nbreak @l0\n}"),
            "4:7: label '@l0' is already used");
  EXPECT_EQ(body_error("%a = global_id w : i32"), "1:16: expected 'z'");
  EXPECT_EQ(body_error("%a = add %n, %n : i32 !1"), "1:23: location is not defined before");
  EXPECT_EQ(parse_error("kir 1\nkernel @k"), "2:10: expected 'key'");
}

TEST(Text, LimitsNesting) {
  const auto nested = [](unsigned levels) {
    std::string body;
    for (unsigned i = 0; i < levels; ++i) body += "block @b" + std::to_string(i) + " {\n";
    for (unsigned i = 0; i < levels; ++i) body += "return\n}\n";
    return kernel_text(body + "return");
  };
  expect_identity(nested(kMaxParseDepth));
  EXPECT_NE(parse_error(nested(kMaxParseDepth + 1)).find("regions are nested too deeply"), std::string::npos);
  EXPECT_NE(parse_error(nested(200'000)).find("regions are nested too deeply"), std::string::npos);
}

TEST(Text, ExtractKeepsOneKernelAndWhatItUses) {
  std::string text =
      kernel_text("  %0 = address_of @b : ptr<constant>\n  return",
                  "constant @a size 1 align 1 bytes \"00\"\nconstant @b size 1 align 1 bytes \"00\"\n");
  const std::string second = text.substr(text.find("kernel @k"));
  text += "\n" + second;
  text.replace(text.rfind("kernel @k"), 9, "kernel @j");
  auto module = parse_or_fail(text);
  ASSERT_NE(module, nullptr);
  auto one = extract(*module, *module->kernels[1]);
  ASSERT_EQ(one->kernels.size(), 1u);
  EXPECT_EQ(one->kernels[0]->manifest.name, "j");
  ASSERT_EQ(one->constants.size(), 1u);
  EXPECT_EQ(one->constants[0]->name, "b");
  EXPECT_TRUE(verify(*one));
}

TEST(Text, PlacesPointAtOps) {
  auto module =
      parse_or_fail(kernel_text("  %0 = add %n, %n : i32\n  block @l0 {\n    return\n  }\n  return"));
  const PrintedModule printed = print_with_places(*module);
  std::vector<std::string> lines{""};
  for (const char c : printed.text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  std::size_t checked = 0;
  walk(module->kernels[0]->body, [&](const Op& op) {
    const auto place = printed.places.at(&op);
    const std::string rest = lines.at(place.line - 1).substr(place.column - 1);
    EXPECT_TRUE(rest.starts_with(op.num_results() != 0 ? "%0 = add" : mnemonic(op.opcode()))) << rest;
    ++checked;
  });
  EXPECT_EQ(checked, 4u);
}

}  // namespace
}  // namespace spirea::kir::test
