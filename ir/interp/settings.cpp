// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/settings.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace spirea::interp {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

kir::Diagnostic bad_value(const char* name, std::string_view value, const char* expected) {
  return kir::Diagnostic::error(std::string(name) + " is '" + std::string(value) + "', expected " + expected);
}

}  // namespace

kir::Result<Options> options_from_environment() {
  Options options;
  if (const auto steps = variable("SPIREA_INTERP_STEPS"); !steps.empty()) {
    const auto [end, status] = std::from_chars(steps.data(), steps.data() + steps.size(), options.max_steps);
    if (status != std::errc() || end != steps.data() + steps.size() || options.max_steps == 0)
      return bad_value("SPIREA_INTERP_STEPS", steps, "a positive number");
  }
  if (const auto races = variable("SPIREA_INTERP_RACES"); !races.empty()) {
    if (races != "off" && races != "on" && races != "strict")
      return bad_value("SPIREA_INTERP_RACES", races, "off, on or strict");
    options.detect_races = races != "off";
    options.report_same_value_races = races == "strict";
  }
  if (const auto size = variable("SPIREA_INTERP_SUBGROUP"); !size.empty()) {
    const auto [end, status] = std::from_chars(size.data(), size.data() + size.size(), options.subgroup_size);
    if (status != std::errc() || end != size.data() + size.size() ||
        !std::has_single_bit(options.subgroup_size) || options.subgroup_size > 64)
      return bad_value("SPIREA_INTERP_SUBGROUP", size, "a power of two up to 64");
  }
  if (const auto subnormals = variable("SPIREA_INTERP_SUBNORMALS"); !subnormals.empty()) {
    if (subnormals != "keep" && subnormals != "flush")
      return bad_value("SPIREA_INTERP_SUBNORMALS", subnormals, "keep or flush");
    options.subnormals = subnormals == "flush" ? Subnormals::flush : Subnormals::keep;
  }
  return options;
}

}  // namespace spirea::interp
