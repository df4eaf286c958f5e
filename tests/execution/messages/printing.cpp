// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// printf: every conversion as the host's C library does it, order, strings, what does not fit.
#include <climits>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "tests/execution/harness.h"

#ifndef __SPIREA_DEVICE__
#include "tests/execution/messages/printed.h"
#endif

namespace {

using u32 = std::uint32_t;

constexpr u32 kLineOfLoop = __LINE__ + 3;
[[spirea::kernel]] void prints_in_a_loop(std::span<const u32> counts) {
  const auto id = spirea::global_id();
  for (u32 k = 0; k < counts[id.x]; ++k) std::printf("%u of %u at (%u, %u)\n", k, counts[id.x], id.x, id.y);
}

struct Numbers {
  int i;
  unsigned u;
  long l;
  unsigned long long ull;
  short s;
  signed char c;
  double d;
  float f;
  int width, precision;
};

/// One for the kernel, and one for the host, which must give the same.
#define CONVERSIONS(PRINT, n)                                                                             \
  PRINT("%d|%i|%5d|%-7d|%07d|%+d|% d|%.4d|%8.3d\n", n.i, n.i, n.i, n.i, n.i, n.i, n.i, n.i, n.i)          \
  PRINT("%u|%o|%x|%X|%#o|%#x|%#X|%10u|%-10x|\n", n.u, n.u, n.u, n.u, n.u, n.u, n.u, n.u, n.u)             \
  PRINT("%ld|%lld|%li|%lu|%lx|%20ld|\n", n.l, static_cast<long long>(n.l), n.l,                           \
        static_cast<unsigned long>(n.l), static_cast<unsigned long>(n.l), n.l)                            \
  PRINT("%llu|%llx|%llo|%#llX\n", n.ull, n.ull, n.ull, n.ull)                                             \
  PRINT("%zu|%zx|%td|%jd|%ju\n", static_cast<std::size_t>(n.ull), static_cast<std::size_t>(n.ull),        \
        static_cast<std::ptrdiff_t>(n.l), static_cast<std::intmax_t>(n.l),                                \
        static_cast<std::uintmax_t>(n.ull))                                                               \
  PRINT("%hd|%hu|%hx|%hhd|%hhu|%hhx\n", n.s, static_cast<unsigned short>(n.s),                            \
        static_cast<unsigned short>(n.s), n.c, static_cast<unsigned char>(n.c),                           \
        static_cast<unsigned char>(n.c))                                                                  \
  PRINT("%c%c%c|%3c|%-3c|\n", 'a' + (n.u & 15), 'b', n.c == 0 ? 'z' : n.c, 'x', 'y')                      \
  PRINT("%f|%.0f|%.3f|%12.2f|%-12.1f|%+f|% f|%#.0f\n", n.d, n.d, n.d, n.d, n.d, n.d, n.d, n.d)            \
  PRINT("%e|%E|%.10e|%g|%G|%.3g|%#g|%a|%A|%.2a\n", n.d, n.d, n.d, n.d, n.d, n.d, n.d, n.d, n.d, n.d)      \
  PRINT("%f|%g|%a|%F\n", n.f, n.f, n.f, n.f)                                                              \
  PRINT("%f|%g\n", static_cast<double>(n.f) * 3, n.i + n.d)                                               \
  PRINT("%*d|%-*d|%.*f|%*.*e\n", n.width, n.i, n.width, n.i, n.precision, n.d, n.width, n.precision, n.d) \
  PRINT("100%% of %d%%\n", n.i)                                                                           \
  PRINT("%p %p\n", reinterpret_cast<void*>(n.ull | 1), static_cast<void*>(nullptr))                       \
  PRINT("%d %d %d\n", n.i > 0, n.u == 3, true)

#define PRINT_IT(...) std::printf(__VA_ARGS__);
[[spirea::kernel]] void prints_numbers(std::span<const Numbers> numbers) {
  const Numbers& n = numbers[spirea::global_id().x];
  CONVERSIONS(PRINT_IT, n)
}

constexpr char kWords[][8] = {"zero", "one", "two", "three"};

[[spirea::kernel]] void prints_strings(std::span<const u32> in, std::span<const char> text) {
  const auto i = spirea::global_id().x;
  std::printf("%s|%10s|%-10s|%.2s|", kWords[in[i] % 4], kWords[i % 4], kWords[in[i] % 4], kWords[in[i] % 4]);
  std::printf("%s|%s|", in[i] > 7 ? "large" : "small", "constant");
  std::printf("%.*s|%s\n", static_cast<int>(in[i] % 6), text.data(), text.data() + i);
  std::puts(in[i] % 2 != 0 ? "odd" : "even");
  std::putchar('c');
  std::putchar('\n');
}

[[spirea::kernel]] void prints_a_text_of(std::span<const char> text) { std::printf("<%s>", text.data()); }

[[spirea::kernel]] void prints_much(u32 tag) {
  std::printf("%u %u %u %u %u %u %u %u\n", tag, 1u, 2u, 3u, 4u, 5u, 6u, spirea::global_id().x);
}

[[spirea::kernel]] void prints_a_tag(const u32* tag) {
  if (spirea::global_id().x == 1) std::printf("tag %u\n", *tag);
}

[[spirea::kernel]] void prints_around_a_barrier(std::span<u32> out) {
  [[spirea::shared]] static u32 sums[64];
  const u32 l = spirea::local_id().x;
  sums[l] = l;
  if (l % 16 == 0) std::printf("before %u\n", l);
  spirea::workgroup_barrier();
  const u32 other = sums[63 - l];
  if (l % 16 == 0) std::printf("after %u\n", other);
  out[spirea::global_id().x] = other;
}

}  // namespace

#ifndef __SPIREA_DEVICE__

namespace {

using execution::on_every_device;
using execution::Printed;
using testing::EndsWith;
using testing::HasSubstr;

TEST(Execution, printf_in_a_loop) {
  on_every_device([](spirea::device& device) {
    const std::vector<u32> counts = {3, 0, 1, 7, 2, 5, 0, 4};
    const spirea::buffer<u32> buffer(device, counts);
    Printed printed(device);
    spirea::launch<prints_in_a_loop>(device, spirea::grid(8, 3).workgroup(4, 1, 1), buffer).wait();
    EXPECT_EQ(printed.all.size(), 22u * 3);
    for (u32 y = 0; y < 3; ++y)
      for (u32 x = 0; x < 8; ++x) {
        std::string want;
        for (u32 k = 0; k < counts[x]; ++k)
          want += std::to_string(k) + " of " + std::to_string(counts[x]) + " at (" + std::to_string(x) +
                  ", " + std::to_string(y) + ")\n";
        EXPECT_EQ(printed.of(x, y), want);
      }
    ASSERT_FALSE(printed.all.empty());
    EXPECT_THAT(printed.all[0].kernel, HasSubstr("prints_in_a_loop(std::span<const"));
    EXPECT_THAT(printed.all[0].file, EndsWith("messages/printing.cpp"));
    EXPECT_EQ(printed.all[0].line, kLineOfLoop);
  });
}

#define PRINT_HERE(...)                                                                          \
  {                                                                                              \
    char here[9000];                                                                             \
    want.append(here, static_cast<std::size_t>(std::snprintf(here, sizeof(here), __VA_ARGS__))); \
  }

std::string print_here(const Numbers& n) {
  std::string want;
  CONVERSIONS(PRINT_HERE, n)
  return want;
}

TEST(Execution, printf_of_numbers) {
  const std::vector<Numbers> numbers = {
      {0, 0, 0, 0, 0, 0, 0.0, 0.0f, 0, 0},
      {1, 3, -1, ULLONG_MAX, -1, -1, -0.0, 1.5f, 9, 3},
      {INT_MIN, UINT_MAX, LONG_MIN, 1ull << 63, SHRT_MIN, SCHAR_MIN, 1e300, 3.4e38f, -12, -1},
      {INT_MAX, 0x80000000u, LONG_MAX, 0x123456789abcdefull, SHRT_MAX, SCHAR_MAX, 4.9e-324, 1.4e-45f, 30, 20},
      {-42, 12345, -9876543210, 42, -300, 65, 123456.789, -0.1f, 1, 1},
      {7, 255, 1l << 40, 1ull << 40, 77, 100, INFINITY, -INFINITY, 12, 0},
      {8, 8, 8, 8, 8, 8, 0.5, 2.5f, 4, 7},
  };
  on_every_device([&](spirea::device& device) {
    const spirea::buffer<Numbers> buffer(device, numbers);
    Printed printed(device);
    spirea::launch<prints_numbers>(device, spirea::grid(numbers.size()).workgroup(1), buffer).wait();
    for (u32 i = 0; i < numbers.size(); ++i) EXPECT_EQ(printed.of(i), print_here(numbers[i])) << i;
  });
}

TEST(Execution, printf_of_strings) {
  const std::vector<u32> in = {0, 9, 2, 7, 13, 4};
  const std::string text = "from a buffer";
  on_every_device([&](spirea::device& device) {
    const spirea::buffer<u32> numbers(device, in);
    const spirea::buffer<char> characters(device, std::span<const char>(text.c_str(), text.size() + 1));
    Printed printed(device);
    spirea::launch<prints_strings>(device, spirea::grid(in.size()).workgroup(2), numbers, characters).wait();
    for (u32 i = 0; i < in.size(); ++i) {
      std::string want;
      PRINT_HERE("%s|%10s|%-10s|%.2s|", kWords[in[i] % 4], kWords[i % 4], kWords[in[i] % 4],
                 kWords[in[i] % 4])
      PRINT_HERE("%s|%s|", in[i] > 7 ? "large" : "small", "constant")
      PRINT_HERE("%.*s|%s\n", static_cast<int>(in[i] % 6), text.c_str(), text.c_str() + i)
      want += in[i] % 2 != 0 ? "odd\nc\n" : "even\nc\n";
      EXPECT_EQ(printed.of(i), want);
    }
  });
}

TEST(Execution, printf_of_long_strings) {
  on_every_device([](spirea::device& device) {
    for (const std::size_t length : {0u, 1u, 1023u, 1024u, 1025u, 5000u}) {
      std::string text;
      for (std::size_t i = 0; i < length; ++i) text += static_cast<char>('a' + i % 26);
      const spirea::buffer<char> buffer(device, std::span<const char>(text.c_str(), length + 1));
      Printed printed(device);
      spirea::launch<prints_a_text_of>(device, spirea::grid(1).workgroup(1), buffer).wait();
      const std::string want = length > 1024 ? text.substr(0, 1024) + "\xe2\x80\xa6" : text;
      EXPECT_EQ(printed.of(0), "<" + want + ">") << length;
    }
  });
}

/// The bytes are full: every message is whole, or counted as lost.
TEST(Execution, printf_of_more_than_fits) {
  on_every_device([](spirea::device& device) {
    constexpr u32 kCount = 30000;
    for (const u32 tag : {17u, 4u}) {
      Printed printed(device);
      testing::internal::CaptureStderr();
      spirea::launch<prints_much>(device, spirea::grid(kCount).workgroup(64), tag).wait();
      const std::string errors = testing::internal::GetCapturedStderr();
      const std::size_t rounded = (kCount + 63) / 64 * 64, lost = rounded - printed.all.size();
      EXPECT_EQ(printed.all.size(), (1u << 20) / (13 * 4));
      EXPECT_THAT(errors, HasSubstr("kernel '")) << errors;
      EXPECT_THAT(errors, HasSubstr(": " + std::to_string(lost) + " messages of printf were lost"));
      for (const Printed::Message& m : printed.all)
        EXPECT_EQ(m.text, std::to_string(tag) + " 1 2 3 4 5 6 " + std::to_string(m.invocation.x) + "\n");
    }
  });
}

TEST(Execution, printf_of_several_launches) {
  on_every_device([](spirea::device& device) {
    const std::vector<u32> tags = {5, 6, 7};
    const spirea::buffer<u32> buffer(device, tags);
    Printed printed(device);
    std::string want;
    for (u32 k = 0; k < 40; ++k) {
      spirea::launch<prints_a_tag>(device, spirea::grid(64), buffer.subspan(k % 3, 1));
      want += "tag " + std::to_string(tags[k % 3]) + "\n";
    }
    device.wait();
    EXPECT_EQ(printed.of(1), want);
  });
}

TEST(Execution, printf_around_a_barrier) {
  on_every_device([](spirea::device& device) {
    spirea::buffer<u32> out(device, 128);
    Printed printed(device);
    spirea::launch<prints_around_a_barrier>(device, spirea::grid(128).workgroup(64), out).wait();
    EXPECT_EQ(printed.all.size(), 16u);
    EXPECT_EQ(printed.of(80), "before 16\nafter 47\n");
    for (u32 i = 0; i < 128; ++i) EXPECT_EQ(out.to_vector()[i], 63 - i % 64);
  });
}

TEST(Execution, printf_without_a_handler) {
  on_every_device([](spirea::device& device) {
    const spirea::buffer<u32> buffer(device, {77u});
    testing::internal::CaptureStdout();
    spirea::launch<prints_a_tag>(device, spirea::grid(64), buffer);
    buffer.to_vector();  // whoever reads has waited
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "tag 77\n");
  });
}

TEST(Execution, printf_to_a_handler_that_uses_the_device) {
  on_every_device([](spirea::device& device) {
    const spirea::buffer<u32> buffer(device, {8u});
    std::vector<u32> read;
    device.on_message([&](const spirea::kernel_message&) { read = buffer.to_vector(); });
    spirea::launch<prints_a_tag>(device, spirea::grid(64), buffer).wait();
    EXPECT_EQ(read, std::vector<u32>{8u});
    device.on_message([](const spirea::kernel_message&) { throw std::runtime_error("no more"); });
    EXPECT_THROW(spirea::launch<prints_a_tag>(device, spirea::grid(64), buffer).wait(), std::runtime_error);
    device.on_message({});
    EXPECT_EQ(buffer.to_vector(), std::vector<u32>{8u});
  });
}

}  // namespace

#endif
