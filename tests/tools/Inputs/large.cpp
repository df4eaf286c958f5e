#include <spirea/kernel.hpp>

inline int last_of(const int* in, int n) {
  int scratch[200000];
  for (int i = 0; i < n; ++i) scratch[i] = in[i] * i;
  return scratch[in[n] % n];
}

[[spirea::kernel]] void large(const int* in, int* out, int n) {
  out[0] = last_of(in, n);
}
