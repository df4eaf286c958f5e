// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <span>
#include <spirea/spirea.hpp>
#include <vector>

struct Params {
  float scale;
  int n;
};
enum class Mode { Fast };

[[spirea::kernel]] void scale(std::span<const float> in, std::span<float> out, float factor) {
  if (spirea::global_id().x < out.size()) out[spirea::global_id().x] = in[spirea::global_id().x] * factor;
}
[[spirea::kernel]] void with_struct(int* out, Params p, Mode) { *out = p.n; }
[[spirea::kernel]] void without_parameters() noexcept {}

void right(spirea::device& device, const spirea::buffer<float>& in, spirea::buffer<float>& out,
           const spirea::buffer<int>& numbers) {
  const spirea::grid grid(10);
  spirea::queue queue(device);
  spirea::event event = spirea::launch<scale>(device, grid, in, out.subspan(0, 5), 2);
  spirea::launch<scale>(queue, spirea::groups(3).workgroup(64), in, out, 2.0);
  spirea::launch<with_struct>(device, grid.workgroup(32), numbers, Params{1, 2}, Mode::Fast);
  spirea::launch<with_struct>(device, spirea::groups(2, 2), numbers.subspan(1, 2), Params{}, Mode::Fast);
  spirea::launch<without_parameters>(device, grid);
  spirea::launch<&without_parameters>(device, grid);
  event.wait();
}

#ifdef WRONG
int no_kernel(int n) { return n; }
struct Functor {
  void operator()(int) const {}
};

void wrong(spirea::device& device, spirea::buffer<float>& in, spirea::buffer<float>& out,
           spirea::buffer<int>& numbers, std::vector<float>& vector) {
  const spirea::grid grid(10);
  spirea::launch<scale>(device, grid, in, out);
  spirea::launch<scale>(device, grid, in, out, 1.0f, 2.0f);
  spirea::launch<scale>(device, grid, in, numbers, 1.0f);
  spirea::launch<scale>(device, grid, vector, out, 1.0f);
  spirea::launch<scale>(device, grid, in, out, "one");
  spirea::launch<with_struct>(device, grid, numbers, 1, Mode::Fast);
  spirea::launch<with_struct>(device, grid, numbers, Params{}, 0);
  spirea::launch<with_struct>(device, grid, out, Params{}, Mode::Fast);
  spirea::launch<scale>(device, grid, in, out.device_span(), 1.0f);
  spirea::launch<no_kernel>(device, grid, 1);
  spirea::launch<Functor{}>(device, grid, 1);
  spirea::launch<scale>(device, 10, in, out, 1.0f);
  spirea::buffer<float> copy = in;
  spirea::buffer<std::vector<int>> vectors(device, 10);
}
#endif
