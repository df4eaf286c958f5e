// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "ir/core/diagnostic.h"
#include "ir/core/module.h"

namespace spirea::kir {

/// What a module may be beyond valid, one for each KIR_PROPERTY row of ir/verify/properties.def.
enum class Property : std::uint8_t {
#define KIR_PROPERTY(Name, name, text) Name,
#include "ir/verify/properties.def"
};

inline constexpr unsigned kNumProperties = 0
#define KIR_PROPERTY(Name, name, text) +1
#include "ir/verify/properties.def"
    ;

/// A set of properties.
class Properties {
 public:
  constexpr Properties() = default;
  constexpr Properties(std::initializer_list<Property> list) {
    for (const Property p : list) bits_ |= bit(p);
  }
  constexpr bool has(Property p) const { return (bits_ & bit(p)) != 0; }
  constexpr bool contains(Properties other) const { return (other.bits_ & ~bits_) == 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr Properties without(Properties other) const { return Properties(bits_ & ~other.bits_); }
  constexpr Properties with(Properties other) const { return Properties(bits_ | other.bits_); }
  friend constexpr bool operator==(Properties, Properties) = default;

 private:
  explicit constexpr Properties(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t bit(Property p) { return std::uint32_t{1} << static_cast<unsigned>(p); }
  std::uint32_t bits_ = 0;
};

/// `canonical`.
std::string_view to_string(Property);
/// The meaning, one line.
std::string_view summary(Property);

/// Success, or where (the first places) a valid module lacks the property.
Result<void> verify_property(const Module&, Property);

}  // namespace spirea::kir
