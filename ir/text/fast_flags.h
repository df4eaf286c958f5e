// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <string_view>

#include "ir/core/op.h"

namespace spirea::kir {

struct FastFlagName {
  FastAttr::Flag flag;
  std::string_view name;
};

inline constexpr std::array<FastFlagName, 7> kFastFlags{{
    {FastAttr::Contract, "contract"},
    {FastAttr::Reassoc, "reassoc"},
    {FastAttr::NoNan, "nnan"},
    {FastAttr::NoInf, "ninf"},
    {FastAttr::NoSignedZero, "nsz"},
    {FastAttr::Reciprocal, "arcp"},
    {FastAttr::Approx, "afn"},
}};

}  // namespace spirea::kir
