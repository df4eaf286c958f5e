// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>

namespace spirea::interp {

/// One access: who, and which op of the program.
struct Access {
  std::uint32_t invocation = 0;  ///< from 1; 0 is nobody
  std::uint32_t op = 0;
};

struct Conflict {
  Access other;
  bool other_writes = false;
};

/// Who accessed each part of an allocation during one launch. A part is 4 bytes, and becomes a byte with the
/// first access that is not of whole words. Of several readers the first is known by name, and that there are
/// others, which is enough to find each conflict: accesses of different invocations, one of them a write.
class RaceShadow {
 public:
  explicit RaceShadow(std::uint64_t bytes);
  /// False once there was no memory for it; then nothing is recorded any more.
  bool is_valid() const { return parts_ != nullptr; }

  /// Records the access; the conflict if it is one.
  std::optional<Conflict> read(std::uint64_t offset, std::uint64_t size, Access);
  std::optional<Conflict> write(std::uint64_t offset, std::uint64_t size, Access);

 private:
  struct Part {
    Access writer;
    Access reader;
  };
  struct Free {
    void operator()(Part* parts) const { std::free(parts); }
  };
  static constexpr std::uint32_t kOthers = 1u << 31;  ///< in reader.op: other invocations have read too

  static std::unique_ptr<Part, Free> new_parts(std::uint64_t count);
  /// Makes each part a byte if the access needs that.
  void refine_for(std::uint64_t offset, std::uint64_t size);

  std::uint64_t bytes_;
  unsigned shift_ = 2;  ///< log2 of a part's bytes
  std::unique_ptr<Part, Free> parts_;
};

}  // namespace spirea::interp
