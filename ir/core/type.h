// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spirea::kir {

/// Where a pointer points. A pointer in memory, or as a number, is the same for all spaces: that of
/// `to_generic`.
enum class Space : std::uint8_t {
  Global,     ///< device memory, visible to all invocations; 64-bit addresses
  Workgroup,  ///< memory shared by the invocations of one workgroup
  Private,    ///< an `object` of one invocation
  Constant,   ///< a module-level `constant` object; read-only
  Generic,    ///< any of the others, known at run time alone; what pointers in memory are held as
};

enum class TypeKind : std::uint8_t { Void, Int, Float, Ptr };

/// A KIR type, passed by value. Pointers are untyped: the type accessed is part of the load or store.
class Type {
 public:
  constexpr Type() = default;
  static constexpr Type integer(unsigned bits) { return {TypeKind::Int, bits, Space::Global}; }
  static constexpr Type floating(unsigned bits) { return {TypeKind::Float, bits, Space::Global}; }
  static constexpr Type ptr(Space space) { return {TypeKind::Ptr, 64, space}; }
  static constexpr Type i1() { return integer(1); }
  static constexpr Type i8() { return integer(8); }
  static constexpr Type i16() { return integer(16); }
  static constexpr Type i32() { return integer(32); }
  static constexpr Type i64() { return integer(64); }
  static constexpr Type f16() { return floating(16); }
  static constexpr Type f32() { return floating(32); }
  static constexpr Type f64() { return floating(64); }

  constexpr TypeKind kind() const { return kind_; }
  constexpr bool is_void() const { return kind_ == TypeKind::Void; }
  constexpr bool is_int() const { return kind_ == TypeKind::Int; }
  constexpr bool is_float() const { return kind_ == TypeKind::Float; }
  constexpr bool is_ptr() const { return kind_ == TypeKind::Ptr; }
  constexpr bool is_bool() const { return is_int() && bits_ == 1; }

  /// Width in bits; 64 for pointers, 0 for void.
  constexpr unsigned bits() const { return bits_; }
  /// Bytes that a load or store of this type touches (1 for i1).
  constexpr unsigned bytes() const { return (bits_ + 7) / 8; }
  /// The space of a pointer type.
  constexpr Space space() const { return space_; }

  /// True for the types that KIR can express: i1 i8 i16 i32 i64, f16 f32 f64, pointers.
  bool is_legal() const;

  friend constexpr bool operator==(Type, Type) = default;

 private:
  constexpr Type(TypeKind kind, unsigned bits, Space space)
      : kind_(kind), space_(space), bits_(static_cast<std::uint16_t>(bits)) {}

  TypeKind kind_ = TypeKind::Void;
  Space space_ = Space::Global;
  std::uint16_t bits_ = 0;
};

/// `i32`, `f64`, `ptr<global>`.
std::string to_string(Type);
std::string_view to_string(Space);
/// The inverse of to_string; nothing for other text or for types that are not legal.
std::optional<Type> parse_type(std::string_view);
std::optional<Space> parse_space(std::string_view);

}  // namespace spirea::kir
