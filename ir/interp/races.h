// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

namespace spirea::interp {

/// One access: who, which op of the program, and when.
struct Access {
  std::uint32_t invocation = 0;  ///< from 1; 0 is nobody
  std::uint32_t op : 30 = 0;
  std::uint32_t is_atomic : 1 = 0;
  std::uint32_t has_others : 1 = 0;  ///< as a reader: other invocations have read too
  std::uint32_t epoch = 0;           ///< what Ordering::now was
};

/// Which accesses of others are before those of an invocation. Time is a number that each barrier and each
/// release advances.
struct Ordering {
  std::uint32_t now = 1;                        ///< of this invocation's accesses
  std::uint32_t first = 1, last = 0, sync = 0;  ///< numbers of its workgroup; time of its last barrier
  std::uint32_t near_first = 1, near_last = 0, near_sync = 0;  ///< the same of its subgroup
  /// Time of its last acquire, and of each invocation's last release; of any object, so that a release that
  /// this invocation did not see may hide a race.
  std::uint32_t acquired = 0;
  const std::vector<std::uint32_t>* released = nullptr;

  bool is_behind(const Access& other) const {
    const std::uint32_t n = other.invocation;
    if (n - first <= last - first && first <= last && other.epoch < sync) return true;
    if (n - near_first <= near_last - near_first && near_first <= near_last && other.epoch < near_sync)
      return true;
    return acquired != 0 && released != nullptr && n < released->size() && (*released)[n] > other.epoch &&
           acquired > other.epoch;
  }
};

struct Conflict {
  Access other;
  bool other_writes = false;
};

/// Who accessed each part of an allocation during one launch. A part is 4 bytes, and becomes a byte with the
/// first access that is not of whole words. Of several readers the first is known by name, and that there are
/// others, which is enough to find each conflict: accesses of different invocations, one of them a write, not
/// both atomic, and neither before the other.
class RaceShadow {
 public:
  explicit RaceShadow(std::uint64_t bytes);
  /// False once there was no memory for it; then nothing is recorded any more.
  bool is_valid() const { return parts_ != nullptr; }

  /// Records the access; the conflict if it is one.
  std::optional<Conflict> read(std::uint64_t offset, std::uint64_t size, Access, const Ordering& = {});
  std::optional<Conflict> write(std::uint64_t offset, std::uint64_t size, Access, const Ordering& = {});
  /// Forgets all.
  void clear();

 private:
  struct Part {
    Access writer;
    Access reader;
    Access earlier;  ///< the atomic of another invocation that `writer`, an atomic too, is not ordered behind
  };
  static std::optional<Conflict> conflict_with_writers(const Part&, const Access&, const Ordering&);
  struct Free {
    void operator()(Part* parts) const { std::free(parts); }
  };
  static std::unique_ptr<Part, Free> new_parts(std::uint64_t count);
  /// Makes each part a byte if the access needs that.
  void refine_for(std::uint64_t offset, std::uint64_t size);

  std::uint64_t bytes_;
  unsigned shift_ = 2;  ///< log2 of a part's bytes
  std::unique_ptr<Part, Free> parts_;
};

}  // namespace spirea::interp
