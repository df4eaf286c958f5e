// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/interp/races.h"

namespace spirea::interp {

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

std::optional<Conflict> RaceShadow::read(std::uint64_t offset, std::uint64_t size, Access access) {
  refine_for(offset, size);
  if (!is_valid()) return std::nullopt;
  const std::uint64_t last = (offset + size - 1) >> shift_;
  for (std::uint64_t i = offset >> shift_; i <= last; ++i) {
    Part& part = parts_.get()[i];
    if (part.writer.invocation != 0 && part.writer.invocation != access.invocation)
      return Conflict{part.writer, true};
    if (part.reader.invocation == 0)
      part.reader = access;
    else if (part.reader.invocation != access.invocation)
      part.reader.op |= kOthers;
  }
  return std::nullopt;
}

std::optional<Conflict> RaceShadow::write(std::uint64_t offset, std::uint64_t size, Access access) {
  refine_for(offset, size);
  if (!is_valid()) return std::nullopt;
  const std::uint64_t last = (offset + size - 1) >> shift_;
  for (std::uint64_t i = offset >> shift_; i <= last; ++i) {
    Part& part = parts_.get()[i];
    if (part.writer.invocation != 0 && part.writer.invocation != access.invocation)
      return Conflict{part.writer, true};
    const bool others = (part.reader.op & kOthers) != 0;
    if (part.reader.invocation != 0 && (part.reader.invocation != access.invocation || others)) {
      // The other readers are not known by name: the reader is this invocation, so none is given.
      const bool known = part.reader.invocation != access.invocation;
      return Conflict{{known ? part.reader.invocation : 0, part.reader.op & ~kOthers}, false};
    }
    part.writer = access;
  }
  return std::nullopt;
}

}  // namespace spirea::interp
