// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace spirea::kir {

/// Index into a module's LocationTable; 0 is "unknown".
using LocId = std::uint32_t;

/// A place in the C++ source, and the call that inlined it into its caller.
struct Location {
  std::string file;
  std::uint32_t line = 0;    ///< from 1
  std::uint32_t column = 0;  ///< from 1; 0 is unknown
  std::string function;      ///< readable name of the function that contains the place
  LocId inlined_at = 0;      ///< the call in the caller, always an earlier entry; 0 in the kernel itself

  friend auto operator<=>(const Location&, const Location&) = default;
};

/// Unique locations in order of creation. Ids are stable; an entry's inlined_at is smaller than its own id.
class LocationTable {
 public:
  /// The id of an equal entry, or of a new one. `inlined_at` must be an existing id.
  LocId add(const Location&);
  /// The entry; the unknown location for 0 and for ids that do not exist.
  const Location& operator[](LocId) const;
  /// Entries, not counting 0: valid ids are 1 to size().
  std::size_t size() const { return entries_.size(); }

 private:
  std::vector<Location> entries_;
  std::map<Location, LocId> ids_;
};

}  // namespace spirea::kir
