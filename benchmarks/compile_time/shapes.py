# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ kernels of any size, one function for each shape: how compile time grows with the size."""

HEAD = """#include <spirea/kernel.hpp>
#include <cstdint>
[[spirea::kernel]] void kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t n) {
  const std::uint32_t i = spirea::global_id().x;
"""
TAIL = "}\n"


def statements(size):
    """Straight code: `size` statements of arithmetic, memory and small conditions."""
    lines = ["std::uint32_t a = in[i], b = i, c = n; float f = 1.0f + i;"]
    forms = ["a = a * {odd}u + b;", "b ^= (a >> {shift}) + c;", "f = f * 1.25f + static_cast<float>(a & 255u);",
             "if (b > a + {odd}u) c += in[(i + {k}u) % n];", "c = (c << {shift}) | (c >> {back});",
             "out[(i * {odd}u + c) % n] = a ^ {k}u;", "a += static_cast<std::uint32_t>(f);", "b = b < c ? b + {k}u : c - a;"]
    for k in range(size):
        shift = k % 13 + 1
        lines.append(forms[k % len(forms)].format(odd=2 * k + 3, shift=shift, back=32 - shift, k=k))
    return lines + ["out[i] = a + b + c + static_cast<std::uint32_t>(f);"]


def local_arrays(size):
    """Statements that read and write elements of a local array, whose indices are known at run time only."""
    lines = ["std::uint32_t a[64] = {}; std::uint32_t x = in[i];"]
    for k in range(size):
        lines.append(f"a[(x + {k}u) & 63u] += x * {2 * k + 1}u; x ^= a[(x >> {k % 20 + 3}) & 63u];")
    return lines + ["out[i] = x;"]


def cases(size):
    """One switch."""
    lines = ["std::uint32_t h = in[i];", f"switch (h % {size + 10}u) {{"]
    for k in range(size):
        body = f"h = h * {2 * k + 3}u + {k}u;" if k % 3 else f"for (std::uint32_t j = 0; j < (h & 7u); ++j) h += in[(j + {k}u) % n];"
        lines.append(f"case {k}u: {body} {'break;' if k % 5 else '[[fallthrough]];'}")
    return lines + ["default: h = 5; }", "out[i] = h;"]


def nested_conditions(size):
    """Conditions in one another, with code before and behind each."""
    lines = ["std::uint32_t h = in[i];"]
    for k in range(size):
        lines.append(f"h = h * {2 * k + 3}u + 1u; if (h & {1 << k % 7}u) {{")
    for k in range(size):
        lines.append(f"h ^= in[(h + {k}u) % n]; }} else {{ h += {k}u; }}")
    return lines + ["out[i] = h;"]


def nested_loops(size):
    """Loops in one another, each with a way out of the outermost."""
    lines = ["std::uint32_t h = in[i];"]
    for k in range(size):
        lines.append(f"for (std::uint32_t j{k} = 0; j{k} < (h & 3u); ++j{k}) {{ h = h * 5u + j{k}; if (h == {k}u) goto done;")
    return lines + ["h += in[h % n];"] + ["}"] * size + ["done:", "out[i] = h;"]


def returns(size):
    """Early returns in a row."""
    lines = ["std::uint32_t h = in[i];"]
    for k in range(size):
        lines.append(f"h = h * {2 * k + 3}u + {k}u; if ((h & 1023u) == {k % 1024}u) {{ out[i] = h + {k}u; return; }}")
    return lines + ["out[i] = h;"]


def loops(size):
    """Loops one after the other."""
    lines = ["std::uint32_t h = in[i];"]
    for k in range(size):
        lines.append(f"for (std::uint32_t j = 0; j < (h & {k % 7 + 8}u); ++j) {{ h += in[(h + j) % n]; if (h % {k + 11}u == 0) break; }}")
    return lines + ["out[i] = h;"]


# Each shape with its sizes, which double.
SHAPES = [
    (statements, (1000, 2000, 4000, 8000)),
    (local_arrays, (500, 1000, 2000, 4000)),
    (loops, (125, 250, 500, 1000)),
    (returns, (125, 250, 500, 1000)),
    (cases, (125, 250, 500, 1000)),
    (nested_conditions, (25, 50, 100, 200)),
    (nested_loops, (25, 50, 100, 200)),
]


def source(shape, size):
    return HEAD + "".join(f"  {line}\n" for line in shape(size)) + TAIL
