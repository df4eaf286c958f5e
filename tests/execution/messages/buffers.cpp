// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels compiled with -fsanitize=bounds that leave their buffers: each check names the line, the access and
// the buffer, and the access is not done.
#include <atomic>
#include <cstring>

#include "tests/execution/harness.h"

#ifndef __SPIREA_DEVICE__
#include "tests/execution/messages/printed.h"
#endif

namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Each kernel gets eight numbers, of which number 5 is the bad one, and a part of a buffer: eight elements.

constexpr u32 kWriteLine = __LINE__ + 4;
template <class T>
[[spirea::kernel]] void writes(const u32* in, T* out) {
  const u32 i = spirea::global_id().x;
  out[in[i]] = static_cast<T>(i * 3 + 1);
}
template void writes<u8>(const u32*, u8*);
template void writes<u16>(const u32*, u16*);
template void writes<u32>(const u32*, u32*);
template void writes<u64>(const u32*, u64*);

constexpr u32 kReadLine = __LINE__ + 4;
template <class T>
[[spirea::kernel]] void reads(const u32* in, T* out) {
  const u32 i = spirea::global_id().x;
  const T read = out[in[i]];
  out[i] = static_cast<T>(read + i);
}
template void reads<u8>(const u32*, u8*);
template void reads<u16>(const u32*, u16*);
template void reads<u32>(const u32*, u32*);
template void reads<u64>(const u32*, u64*);
template void reads<double>(const u32*, double*);

constexpr u32 kSignedLine = __LINE__ + 3;
[[spirea::kernel]] void has_a_signed_index(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  out[static_cast<int>(in[i])] = i;
}

constexpr u32 kNeighbourLine = __LINE__ + 3;
[[spirea::kernel]] void looks_at_a_neighbour(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  out[i] = i % 4 == 1 ? in[in[i] + 2] : 0;
}

constexpr u32 kAtomicLine = __LINE__ + 3;
[[spirea::kernel]] void adds_atomically(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  std::atomic_ref<u32>(out[in[i]]).fetch_add(i, std::memory_order_relaxed);
}

constexpr u32 kExchangeLine = __LINE__ + 5;
[[spirea::kernel]] void exchanges(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  u32 expected = 0x55555555;
  const std::atomic_ref<u32> element(out[in[i]]);
  element.compare_exchange_strong(expected, i);
}

constexpr u32 kFloatAtomicLine = __LINE__ + 3;
[[spirea::kernel]] void adds_floats_atomically(const u32* in, float* out) {
  const u32 i = spirea::global_id().x;
  spirea::atomic_ref<float>(out[in[i]]).fetch_add(1.0f);
}

constexpr u32 kScopedStoreLine = __LINE__ + 4;
[[spirea::kernel]] void stores_in_a_scope(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  using Element = spirea::atomic_ref<u32, spirea::memory_scope::workgroup>;
  Element(out[in[i]]).store(i);
}

struct Record {
  u32 count;
  float weight;
  u8 flags[4];
};
constexpr u32 kMemberLine = __LINE__ + 3;
[[spirea::kernel]] void writes_a_member(const u32* in, Record* out) {
  const u32 i = spirea::global_id().x;
  out[in[i]].flags[2] = static_cast<u8>(i);
}

constexpr u32 kRecordLine = __LINE__ + 4;
[[spirea::kernel]] void writes_a_record(const u32* in, Record* out) {
  const u32 i = spirea::global_id().x;
  Record& to = out[in[i]];
  to = {i, 0.5f, {1, 2, 3, static_cast<u8>(i)}};
}

constexpr u32 kVectorLine = __LINE__ + 3;
[[spirea::kernel]] void writes_a_vector(const u32* in, spirea::float4* out) {
  const u32 i = spirea::global_id().x;
  out[in[i]] = spirea::float4(1.0f, 2.0f, 3.0f, static_cast<float>(i));
}

constexpr u32 kStraddlingLine = __LINE__ + 5;
[[spirea::kernel]] void straddles_the_end(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  if (i != 5) return;
  const u64 value = 0x1234567812345678;
  std::memcpy(out + in[i], &value, sizeof value);
}

constexpr u32 kBeforeLine = __LINE__ + 5;
[[spirea::kernel]] void straddles_the_start(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  if (i != 5) return;
  const u64 value = 0x1234567812345678;
  std::memcpy(out + static_cast<int>(in[i]), &value, sizeof value);
}

constexpr u32 kSelectLine = __LINE__ + 4;
[[spirea::kernel]] void selects_a_buffer(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  const u32* from = i % 2 == 1 ? in : out;
  const u32 value = from[in[i]];
  out[i] = value + 1;
}

constexpr u32 kOtherSelectLine = __LINE__ + 4;
[[spirea::kernel]] void selects_the_other_buffer(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  const u32* from = i % 2 == 0 ? in : out;
  const u32 value = from[in[i]];
  out[i] = value + 1;
}

constexpr u32 kLocalLine = __LINE__ + 5;
[[spirea::kernel]] void selects_a_buffer_or_a_local_array(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  u32 local[8] = {1, 2, 3, 4, 5, 6, 7, i};
  u32* to = i % 2 == 1 ? out : local;
  to[in[i]] = i;
  if (i % 2 == 0) out[i] = local[7 - i] + local[in[i]];
}

constexpr u32 kWalkLine = __LINE__ + 4;
[[spirea::kernel]] void walks_a_buffer(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  u32 sum = 0;
  for (const u32 *p = in + i, *end = in + in[i] + 1; p != end; ++p) sum = sum * 3 + *p;
  out[i] = sum;
}

constexpr u32 kBackwardsLine = __LINE__ + 6;
[[spirea::kernel]] void walks_back(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  const u32* p = i % 2 == 1 ? in + i : out + i;
  const int steps = i == 5 ? static_cast<int>(in[i]) - 4 : 1;
  u32 sum = 0;
  for (int k = 0; k < steps; ++k, --p) sum = sum * 3 + *p;
  out[i] = sum;
}

constexpr u32 kDataLine = __LINE__ + 3;
[[spirea::kernel]] void takes_the_data_of_a_span(std::span<const u32> in, std::span<u32> out) {
  const u32 i = spirea::global_id().x;
  out.data()[in[i]] = i;
}

constexpr u32 kFixedLine = __LINE__ + 3;
[[spirea::kernel]] void takes_the_data_of_a_fixed_span(const u32* in, std::span<u32, 8> out) {
  const u32 i = spirea::global_id().x;
  out.data()[in[i]] = i;
}

constexpr u32 kBytesLine = __LINE__ + 3;
[[spirea::kernel]] void copies_some_bytes(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  std::memcpy(out + i, in, (in[i] - i + 1) * 4);
}

/// GCC has not the first of them.
inline u32* align_down(u32* pointer) {
#if __has_builtin(__builtin_align_down)
  return __builtin_align_down(pointer, 8);
#else
  return reinterpret_cast<u32*>(reinterpret_cast<std::uintptr_t>(pointer) & ~std::uintptr_t{7});
#endif
}

constexpr u32 kMaskLine = __LINE__ + 4;
[[spirea::kernel]] void aligns_a_pointer(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  u32* pair = align_down(out + in[i]);
  pair[in[i] % 2] = i;
}

inline u32& element(u32* of, u32 at) { return of[at]; }
constexpr u32 kCalledLine = __LINE__ + 3;
[[spirea::kernel]] void has_a_function_that_writes(const u32* in, u32* out) {
  const auto write = [&](u32 at, u32 value) {
    if (value != 100) out[at] = value;
  };
  write(in[spirea::global_id().x], spirea::global_id().x);
  element(out, spirea::global_id().x) += 1;
}

constexpr u32 kEmptyLine = __LINE__ + 3;
[[spirea::kernel]] void fills(u32* out, u32 n) {
  const u32 i = spirea::global_id().x;
  if (i < n) out[i] = i + 1;
}

/// A pointer that comes from memory has no bounds: nothing is checked, and all works.
[[spirea::kernel]] void has_a_table_of_pointers(const u32* in, u32* out) {
  const u32 i = spirea::global_id().x;
  const u32* table[3] = {in, out, in + 1};
  const u32 value = table[in[i] % 3 == 1 ? 2 : 0][in[i] / 2];
  out[i] = value;
}

}  // namespace

#ifndef __SPIREA_DEVICE__

namespace {

using execution::failure;
using execution::on_every_device;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

constexpr std::size_t kBefore = 4, kElements = 8, kAll = 16;

template <class T>
std::vector<T> filled() {
  std::vector<T> all(kAll);
  std::memset(static_cast<void*>(all.data()), 0x55, kAll * sizeof(T));
  return all;
}

template <class T>
std::string bytes_of(const std::vector<T>& v, std::size_t first, std::size_t count) {
  return {reinterpret_cast<const char*>(v.data() + first), count * sizeof(T)};
}

/// What the host computes for good numbers.
template <auto Kernel, class T>
std::vector<T> expected(const std::vector<u32>& numbers) {
  std::vector<T> all = filled<T>();
  spirea::for_each_invocation({2, 1, 1}, {4, 1, 1}, [&] {
    if constexpr (requires { Kernel(numbers.data(), all.data()); })
      Kernel(numbers.data(), all.data() + kBefore);
    else if constexpr (requires { Kernel(numbers.data(), std::span<T, kElements>(all)); })
      Kernel(numbers.data(), std::span<T, kElements>(all.data() + kBefore, kElements));
    else
      Kernel(numbers, std::span(all).subspan(kBefore, kElements));
  });
  return all;
}

/// Launches with number 5 a bad one, which touches nothing outside of the kernel's part, and with good ones.
template <auto Kernel, class T = u32>
void expect_outside(u32 bad, u32 line, const std::string& text) {
  on_every_device([&](spirea::device& device) {
    const auto grid = spirea::grid(kElements).workgroup(4);
    std::vector<u32> numbers = {0, 1, 2, 3, 4, bad, 6, 7};
    const spirea::buffer<u32> in(device, numbers);
    const std::vector<T> before = filled<T>();
    const spirea::buffer<T> out(device, before);
    EXPECT_THAT((failure<Kernel>(device, grid, in, out.subspan(kBefore, kElements))),
                AllOf(HasSubstr("messages/buffers.cpp:" + std::to_string(line) + ": " + text),
                      EndsWith(" in invocation (5, 0, 0)")));
    std::vector<T> after(kAll);
    out.read(after);
    EXPECT_EQ(bytes_of(after, 0, kBefore), bytes_of(before, 0, kBefore));
    EXPECT_EQ(bytes_of(after, kBefore + kElements, 4), bytes_of(before, kBefore + kElements, 4));

    numbers[5] = 5;
    const spirea::buffer<u32> good(device, numbers);
    const spirea::buffer<T> result(device, before);
    EXPECT_EQ((failure<Kernel>(device, grid, good, result.subspan(kBefore, kElements))), "");
    result.read(after);
    EXPECT_EQ(bytes_of(after, 0, kAll), bytes_of(expected<Kernel, T>(numbers), 0, kAll));
  });
}

/// "write of 4 bytes at byte 32 is out of bounds for 'out' of 32 bytes"
std::string outside(const std::string& what, int bytes, int at, const std::string& buffer, int size) {
  return what + " of " + std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes") + " at byte " +
         std::to_string(at) + " is out of bounds for '" + buffer + "' of " + std::to_string(size) + " bytes";
}

TEST(Execution, buffer_written_behind_its_end) {
  expect_outside<writes<u8>, u8>(8, kWriteLine, outside("write", 1, 8, "out", 8));
  expect_outside<writes<u16>, u16>(8, kWriteLine, outside("write", 2, 16, "out", 16));
  expect_outside<writes<u32>, u32>(8, kWriteLine, outside("write", 4, 32, "out", 32));
  expect_outside<writes<u64>, u64>(8, kWriteLine, outside("write", 8, 64, "out", 64));
  expect_outside<writes<u32>, u32>(11, kWriteLine, outside("write", 4, 44, "out", 32));
}
TEST(Execution, buffer_written_far_behind_its_end) {
  expect_outside<writes<u64>, u64>(0xffffffff, kWriteLine,
                                   "write of 8 bytes at byte 34359738360 is out of bounds for 'out' of 64");
}
TEST(Execution, buffer_read_behind_its_end) {
  expect_outside<reads<u8>, u8>(8, kReadLine, outside("read", 1, 8, "out", 8));
  expect_outside<reads<u16>, u16>(9, kReadLine, outside("read", 2, 18, "out", 16));
  expect_outside<reads<u32>, u32>(8, kReadLine, outside("read", 4, 32, "out", 32));
  expect_outside<reads<u64>, u64>(10, kReadLine, outside("read", 8, 80, "out", 64));
}
TEST(Execution, buffer_of_double_read_behind_its_end) {
  expect_outside<reads<double>, double>(8, kReadLine, outside("read", 8, 64, "out", 64));
}
TEST(Execution, buffer_with_negative_index) {
  expect_outside<has_a_signed_index>(0xffffffff, kSignedLine, outside("write", 4, -4, "out", 32));
  expect_outside<has_a_signed_index>(0xfffffffc, kSignedLine, outside("write", 4, -16, "out", 32));
  expect_outside<has_a_signed_index>(8, kSignedLine, outside("write", 4, 32, "out", 32));
}
TEST(Execution, buffer_with_constant_behind_the_index) {
  expect_outside<looks_at_a_neighbour>(6, kNeighbourLine, outside("read", 4, 32, "in", 32));
}
TEST(Execution, buffer_with_atomics) {
  expect_outside<adds_atomically>(8, kAtomicLine, outside("atomic access", 4, 32, "out", 32));
  expect_outside<exchanges>(9, kExchangeLine, outside("atomic access", 4, 36, "out", 32));
  expect_outside<stores_in_a_scope>(8, kScopedStoreLine, outside("atomic access", 4, 32, "out", 32));
}
TEST(Execution, buffer_with_atomics_on_floats) {
  expect_outside<adds_floats_atomically, float>(8, kFloatAtomicLine,
                                                outside("atomic access", 4, 32, "out", 32));
}
TEST(Execution, buffer_of_classes) {
  expect_outside<writes_a_member, Record>(8, kMemberLine, outside("write", 1, 106, "out", 96));
  expect_outside<writes_a_record, Record>(9, kRecordLine, "write of ");
}
TEST(Execution, buffer_of_vectors) {
  expect_outside<writes_a_vector, spirea::float4>(8, kVectorLine, "write of ");
}
TEST(Execution, access_that_straddles_an_end) {
  expect_outside<straddles_the_end>(7, kStraddlingLine, outside("write", 8, 28, "out", 32));
  expect_outside<straddles_the_start>(0xffffffff, kBeforeLine, outside("write", 8, -4, "out", 32));
}
TEST(Execution, pointer_selected_from_two_buffers) {
  expect_outside<selects_a_buffer>(8, kSelectLine, outside("read", 4, 32, "in", 32));
  expect_outside<selects_the_other_buffer>(9, kOtherSelectLine, outside("read", 4, 36, "out", 32));
}
TEST(Execution, pointer_selected_from_buffer_and_local) {
  expect_outside<selects_a_buffer_or_a_local_array>(8, kLocalLine, outside("write", 4, 32, "out", 32));
}
TEST(Execution, pointer_walked_over_an_end) {
  expect_outside<walks_a_buffer>(9, kWalkLine, outside("read", 4, 32, "in", 32));
  expect_outside<walks_back>(11, kBackwardsLine, outside("read", 4, -4, "in", 32));
}
TEST(Execution, data_of_a_span) {
  expect_outside<takes_the_data_of_a_span>(8, kDataLine, outside("write", 4, 32, "out", 32));
  expect_outside<takes_the_data_of_a_fixed_span>(9, kFixedLine, outside("write", 4, 36, "out", 32));
}
TEST(Execution, copy_of_so_many_bytes) {
  expect_outside<copies_some_bytes>(8, kBytesLine, "write of 16 bytes at byte 20 is out of bounds for 'out'");
}
TEST(Execution, pointer_that_is_aligned) {
  expect_outside<aligns_a_pointer>(9, kMaskLine, outside("write", 4, 36, "out", 32));
}
TEST(Execution, buffer_written_by_a_lambda) {
  expect_outside<has_a_function_that_writes>(8, kCalledLine, outside("write", 4, 32, "out", 32));
}
TEST(Execution, buffer_without_elements) {
  on_every_device([](spirea::device& device) {
    const auto grid = spirea::grid(1).workgroup(1);
    spirea::buffer<u32> none(device, 0), some(device, {7u, 8u});
    const auto says = AllOf(HasSubstr("messages/buffers.cpp:" + std::to_string(kEmptyLine) + ": " +
                                      outside("write", 4, 0, "out", 0)),
                            EndsWith(" in invocation (0, 0, 0)"));
    EXPECT_THAT(failure<fills>(device, grid, none, 1u), says);
    EXPECT_THAT(failure<fills>(device, grid, some.subspan(1, 0), 1u), says);
    EXPECT_EQ(failure<fills>(device, grid, none, 0u), "");
    EXPECT_EQ(some.to_vector(), (std::vector<u32>{7, 8}));
  });
}
TEST(Execution, buffer_through_a_table_of_pointers) {
  on_every_device([](spirea::device& device) {
    const std::vector<u32> numbers = {3, 6, 4, 12, 7, 0, 9, 13};
    const spirea::buffer<u32> in(device, numbers);
    spirea::buffer<u32> out(device, 8);
    EXPECT_EQ(failure<has_a_table_of_pointers>(device, spirea::grid(8).workgroup(4), in, out), "");
    std::vector<u32> want(8);
    for (u32 i = 0; i < 8; ++i) want[i] = numbers[numbers[i] / 2 + (numbers[i] % 3 == 1 ? 1 : 0)];
    EXPECT_EQ(out.to_vector(), want);
  });
}

}  // namespace

#endif
