// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/standard_library.h"

namespace spirea::frontend {
namespace {

// std::sort calls std::__introsort_loop with a limit of type long, for which this one is more specialized
// than libstdc++'s. Both partition alike, so that the result is the same even where elements compare equal.
// Ranges are kept as indices: pointers in local memory would cost more. The smaller half comes first, so that
// 40 halves that wait are enough for any memory.
//
// std::generate_canonical, which all distributions of real numbers call, takes logarithms of long doubles in
// libstdc++. This one is more constrained, and gives the same numbers: what libstdc++ computes in long double
// is exact in double, or rounded once more with the same result for engines of up to 64 bits.
constexpr llvm::StringLiteral kText = R"cpp(
  namespace std {
#if __cplusplus >= 202002L
#define __spirea_constexpr constexpr
#else
#define __spirea_constexpr
#endif
  template <class It, class Less>
  __spirea_constexpr It __unguarded_partition_pivot(It, It, Less);
  template <class It, class Less>
  __spirea_constexpr void __partial_sort(It, It, It, Less);
  template <class It, class Less>
  __spirea_constexpr void __introsort_loop(It first, It last, long limit, Less less) {
    struct Range {
      long low, high, limit;
    } waiting[40];
    int count = 0;
    long low = 0, high = last - first;
    for (;;) {
      while (high - low > 16) {
        if (limit == 0) {
          std::__partial_sort(first + low, first + high, first + high, less);
          break;
        }
        --limit;
        const long cut = std::__unguarded_partition_pivot(first + low, first + high, less) - first;
        Range larger;
        larger.limit = limit;
        if (high - cut > cut - low) {
          larger.low = cut, larger.high = high;
          high = cut;
        } else {
          larger.low = low, larger.high = cut;
          low = cut;
        }
        if (larger.high - larger.low > 16) waiting[count++] = larger;
      }
      if (count == 0) return;
      const Range next = waiting[--count];
      low = next.low, high = next.high, limit = next.limit;
    }
  }
#undef __spirea_constexpr
#if __cplusplus >= 202002L
  template <class>
  inline constexpr int __spirea_digits = 0;
  template <>
  inline constexpr int __spirea_digits<float> = 24;
  template <>
  inline constexpr int __spirea_digits<double> = 53;
  template <class Real, decltype(sizeof 0) wanted, class Engine>
  requires(__spirea_digits<Real> != 0) Real generate_canonical(Engine& engine) {
    constexpr auto span = Engine::max() - Engine::min();
    constexpr unsigned width = sizeof(long long) * 8 - __builtin_clzll(span);
    constexpr unsigned bits = (span & (span + 1)) == 0 ? width : width - 1;  // of which each number is a
                                                                             // source
    constexpr unsigned digits = wanted < __spirea_digits<Real> ? wanted : __spirea_digits<Real>;
    Real sum = 0, scale = 1;
    for (unsigned k = digits == 0 ? 1 : (digits + bits - 1) / bits; k != 0; --k) {
      sum += Real(engine() - Engine::min()) * scale;
      scale = static_cast<Real>(scale * (static_cast<double>(span) + 1.0));
    }
    const Real result = sum / scale;
    constexpr Real largest = sizeof(Real) == sizeof(float) ? 0x1.fffffep-1 : 0x1.fffffffffffffp-1;
    return result < 1 ? result : largest;
  }
#endif
  }  // namespace std
)cpp";

}  // namespace

llvm::StringRef standard_library_replacements() { return kText; }

}  // namespace spirea::frontend
