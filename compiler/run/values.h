// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of a kernel's arguments as spirea-run's command line spells them, and as it prints them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/abi/manifest.h"
#include "ir/core/diagnostic.h"

namespace spirea::compiler {

using Bytes = std::vector<std::byte>;

/// Types of elements that can be written and read as text.
enum class Element : std::uint8_t { U8, I8, U16, I16, U32, I32, U64, I64, F32, F64 };

std::string_view name_of(Element);
std::size_t size_of(Element);
std::optional<Element> element_named(std::string_view name);
/// The element that a C++ type is, e.g. I32 for "int"; nothing for classes.
std::optional<Element> element_of_type(std::string_view cpp_type);

/// Initial contents of a buffer, and the type to print it with.
struct BufferValue {
  Bytes bytes;
  std::optional<Element> element;
};

/// "1024" (zeros), "1,2,3", "iota:1024", "rand:1024" (floats 0 to 1, integers of all bits), each after "f32:"
/// or the like if the parameter's element type is a class; "@file" (its bytes).
kir::Result<BufferValue> parse_buffer(const abi::Param&, const std::string& text);

/// The C++ parameter's bytes: "5", "1.5", "true"; for a class its scalars, "640,480"; "@file" (its bytes).
kir::Result<Bytes> parse_value(const abi::Param&, const std::string& text);

/// "f32[4] = 0 1 2 3"; at most `limit` elements. Hexadecimal bytes where the type is not known.
std::string print_buffer(const BufferValue&, const abi::Param&, std::size_t limit);

}  // namespace spirea::compiler
