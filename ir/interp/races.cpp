// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/races.h"

#include <algorithm>

namespace spirea::interp {
namespace {

bool conflicts(const Access& other, const Access& access, const Ordering& order) {
  return other.invocation != 0 && other.invocation != access.invocation &&
         !(other.is_atomic && access.is_atomic) && !order.is_behind(other);
}

}  // namespace

/// An invocation's own atomic hides none that came before it.
std::optional<Conflict> RaceShadow::conflict_with_writers(const Part& part, const Access& access,
                                                          const Ordering& order) {
  if (conflicts(part.writer, access, order)) return Conflict{part.writer, true};
  if (conflicts(part.earlier, access, order)) return Conflict{part.earlier, true};
  return std::nullopt;
}

// From calloc: pages that no invocation touches cost nothing.
std::unique_ptr<RaceShadow::Part, RaceShadow::Free> RaceShadow::new_parts(std::uint64_t count) {
  return std::unique_ptr<Part, Free>(static_cast<Part*>(std::calloc(count, sizeof(Part))));
}

RaceShadow::RaceShadow(std::uint64_t bytes) : bytes_(bytes), parts_(new_parts(bytes / 4 + 1)) {}

void RaceShadow::refine_for(std::uint64_t offset, std::uint64_t size) {
  if (shift_ == 0 || ((offset | size) & 3) == 0 || !is_valid()) return;
  auto refined = new_parts(bytes_);
  for (std::uint64_t i = 0; i < bytes_ && refined != nullptr; ++i) {
    const Part& part = parts_.get()[i / 4];
    if (part.writer.invocation != 0 || part.reader.invocation != 0) refined.get()[i] = part;
  }
  parts_ = std::move(refined);
  shift_ = 0;
}

std::optional<Conflict> RaceShadow::read(std::uint64_t offset, std::uint64_t size, Access access,
                                         const Ordering& order) {
  refine_for(offset, size);
  if (!is_valid()) return std::nullopt;
  const std::uint64_t last = (offset + size - 1) >> shift_;
  for (std::uint64_t i = offset >> shift_; i <= last; ++i) {
    Part& part = parts_.get()[i];
    if (auto conflict = conflict_with_writers(part, access, order)) return conflict;
    if (part.reader.invocation == 0 || order.is_behind(part.reader))
      part.reader = access;
    else if (part.reader.invocation != access.invocation)
      part.reader.has_others = 1;
    else if (!access.is_atomic)
      part.reader.is_atomic = 0;
  }
  return std::nullopt;
}

std::optional<Conflict> RaceShadow::write(std::uint64_t offset, std::uint64_t size, Access access,
                                          const Ordering& order) {
  refine_for(offset, size);
  if (!is_valid()) return std::nullopt;
  const std::uint64_t last = (offset + size - 1) >> shift_;
  for (std::uint64_t i = offset >> shift_; i <= last; ++i) {
    Part& part = parts_.get()[i];
    if (auto conflict = conflict_with_writers(part, access, order)) return conflict;
    Access reader = part.reader;
    if (reader.has_others && !order.is_behind(reader) && !(reader.is_atomic && access.is_atomic)) {
      // The other readers are not known by name: if the known one is this invocation, none is given.
      if (reader.invocation == access.invocation) reader.invocation = 0;
      return Conflict{reader, false};
    }
    if (conflicts(reader, access, order)) return Conflict{reader, false};
    if (!access.is_atomic)
      part.earlier = {};
    else if (part.writer.invocation != access.invocation)
      part.earlier = part.writer.is_atomic ? part.writer : Access{};
    part.writer = access;
  }
  return std::nullopt;
}

void RaceShadow::clear() {
  if (is_valid()) std::fill_n(parts_.get(), shift_ == 0 ? bytes_ : bytes_ / 4 + 1, Part{});
}

}  // namespace spirea::interp
