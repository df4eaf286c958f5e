#include <cstring>
#include <spirea/kernel.hpp>

[[spirea::kernel]] void indexed(const float* in, float* out, int n) {
  float window[8];
  for (int i = 0; i < 8; ++i) window[i] = in[i] * 2.0f;
  float sum = window[n % 8] + window[in[0] > 1.0f ? 1 : 6];
  out[0] = sum;
}

[[spirea::kernel]] void punned(const unsigned* in, unsigned* out, int n) {
  unsigned words[4];
  for (int i = 0; i < 4; ++i) words[i] = in[i];
  unsigned char bytes[16];
  std::memcpy(bytes, words, 16);
  bytes[n % 16] = 7;
  std::memcpy(words, bytes, 16);
  out[0] = words[in[1] % 4];
}

[[spirea::kernel]] void chosen(const int* in, int* out, int n) {
  int first[4], second[4];
  for (int i = 0; i < 4; ++i) {
    first[i] = in[i];
    second[i] = in[i + 4];
  }
  const int* p = in[8] > 0 ? first + n % 4 : second;
  for (int i = 0; i < n; ++i)
    if (in[i] > 3) p = first;
  out[0] = *p;
}

[[spirea::kernel]] void in_registers(const int* in, int* out) {
  int pair[2] = {in[0], in[1]};
  out[0] = pair[0] + pair[1];
}
