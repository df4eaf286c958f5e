// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spirea's host API: devices, buffers, launches. docs/runtime.md is the reference.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <spirea/atomic.hpp>
#include <spirea/kernel.hpp>
#include <spirea/native.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#define SPIREA_API __attribute__((visibility("default")))

namespace spirea {

/// Anything that goes wrong: what() names the device, the kernel and the cause, as far as they are known.
class SPIREA_API error : public std::runtime_error {
 public:
  error(const std::string& cause, std::string device = {}, std::string kernel = {});
  ~error() override;
  const std::string& device() const noexcept { return device_; }
  const std::string& kernel() const noexcept { return kernel_; }
  const std::string& cause() const noexcept { return cause_; }

 private:
  std::string cause_, device_, kernel_;
};

enum class backend_kind : std::uint8_t { vulkan, host, interp };
SPIREA_API std::string_view to_string(backend_kind);

/// A device that was found, or one that was looked for and cannot be used.
struct device_info {
  backend_kind backend = backend_kind::host;
  unsigned index = 0;  ///< among the devices of its back end: "vulkan:1"
  std::string name;    ///< as the driver gives it
  bool is_usable = false;
  bool is_software = false;                                     ///< runs on the CPU
  std::string reason;                                           ///< why it cannot be used
  std::vector<std::pair<std::string, std::string>> properties;  ///< what it offers, for people to read
};

/// All devices of all back ends, best first; those that cannot be used last, with the reason. The interpreter
/// is chosen by name alone.
SPIREA_API std::vector<device_info> devices();

class device;
template <class T>
class buffer;

namespace detail {

class device_state;
class queue_state;
class event_state;

struct launch_argument {
  const void* data = nullptr;                ///< a value: the bytes of the C++ parameter
  std::size_t size = 0;                      ///< of the C++ parameter
  std::uint64_t address = 0;                 ///< a buffer: device address of the first element,
  std::uint64_t count = 0;                   ///< number of elements,
  std::uint64_t element_size = 0;            ///< and bytes of one; 0 for a value
  std::size_t extent = std::dynamic_extent;  ///< number of elements that the parameter's type asks for
  const device_state* owner = nullptr;
};

struct launch_shape {
  uint3 extent{1, 1, 1};
  uint3 workgroup{0, 0, 0};  ///< 0: not given
  bool in_workgroups = false;
  unsigned rank = 1;
  std::size_t dynamic_shared = 0;  ///< bytes
};

SPIREA_API std::uint64_t allocate(device_state&, std::uint64_t bytes, std::uint64_t align);
SPIREA_API void release(device_state&, std::uint64_t address) noexcept;
SPIREA_API void write(device_state&, std::uint64_t address, const void* data, std::uint64_t bytes);
SPIREA_API void read(device_state&, std::uint64_t address, void* data, std::uint64_t bytes);
SPIREA_API void fill(device_state&, std::uint64_t address, const void* element, std::uint64_t element_size,
                     std::uint64_t count);
/// Bytes of `count` elements; the largest number there is in place of one that is larger.
constexpr std::uint64_t byte_count(std::uint64_t count, std::uint64_t size) {
  return count > ~std::uint64_t{0} / size ? ~std::uint64_t{0} : count * size;
}
SPIREA_API void check_range(const char* what, std::uint64_t first, std::uint64_t count, std::uint64_t size);
SPIREA_API std::shared_ptr<event_state> launch(const std::shared_ptr<device_state>&, const char* kernel_key,
                                               const launch_shape&, const launch_argument*,
                                               std::size_t count);

}  // namespace detail

/// What a kernel has printed with printf.
struct kernel_message {
  std::string_view kernel;  ///< as C++ writes it: "scale(std::span<float>)"
  uint3 invocation;         ///< its global id
  std::string_view file;    ///< of the call of printf
  std::uint32_t line;
  std::string_view text;
};

/// A device to run kernels on. Copies share the device.
class SPIREA_API device {
 public:
  /// The best one, or what the environment variable SPIREA_DEVICE names.
  device();
  /// "vulkan", "vulkan:1", "vulkan:llvmpipe" (part of the name), "host", "interp". Throws error if there is
  /// none.
  explicit device(std::string_view selector);
  std::string name() const;
  backend_kind backend() const;
  const device_info& info() const;
  /// False if f32 arithmetic and comparisons of the device take subnormal numbers (below 2^-126) for zero.
  bool keeps_subnormals_f32() const;
  /// Waits for everything launched on the device.
  void wait();
  /// Calls the handler for each message of kernels launched from now on, once somebody waits for them, in the
  /// order of launches and, within an invocation, of calls. Without one, or with an empty one, the text goes
  /// to stdout. Holds for all that share the device.
  void on_message(std::function<void(const kernel_message&)> handler);

  const std::shared_ptr<detail::device_state>& state() const { return state_; }

 private:
  std::shared_ptr<detail::device_state> state_;
};

/// A part of a buffer, as a kernel argument.
template <class T>
struct buffer_view {
  const buffer<T>* owner;
  std::size_t first, count;
};

/// Memory of a device for `size()` elements of a trivially copyable type. Move-only.
template <class T>
class buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a buffer's elements must be trivially copyable");

 public:
  /// Contents unspecified.
  buffer(device& d, std::size_t n) : state_(d.state()), size_(n) {
    if (n != 0) address_ = detail::allocate(*state_, detail::byte_count(n, sizeof(T)), alignof(T));
  }
  /// A copy of host data.
  buffer(device& d, std::span<const T> data) : buffer(d, data.size()) { write(data); }
  template <class Range>
  requires(std::is_convertible_v<const Range&, std::span<const T>> && !std::is_integral_v<Range>)
      buffer(device& d, const Range& range)
      : buffer(d, std::span<const T>(range)) {}
  buffer(device& d, std::initializer_list<T> data)
      : buffer(d, std::span<const T>(data.begin(), data.size())) {}

  buffer(buffer&& other) noexcept
      : state_(std::move(other.state_)),
        address_(std::exchange(other.address_, 0)),
        size_(std::exchange(other.size_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    if (this == &other) return *this;
    free();
    state_ = std::move(other.state_);
    address_ = std::exchange(other.address_, 0);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { free(); }

  /// Number of elements.
  std::size_t size() const { return size_; }
  /// Sets every element.
  void fill(const T& value) {
    if (size_ != 0) detail::fill(*state_, address_, &value, sizeof(T), size_);
  }
  /// Copies host data to the elements from `first` on, after everything launched before.
  void write(std::span<const T> data, std::size_t first = 0) {
    detail::check_range("write", first, data.size(), size_);
    if (!data.empty()) detail::write(*state_, address_ + first * sizeof(T), data.data(), data.size_bytes());
  }
  /// Copies the elements from `first` on to the host, after everything launched before.
  void read(std::span<T> data, std::size_t first = 0) const {
    detail::check_range("read", first, data.size(), size_);
    if (!data.empty()) detail::read(*state_, address_ + first * sizeof(T), data.data(), data.size_bytes());
  }
  std::vector<T> to_vector() const {
    if constexpr (std::is_same_v<T, bool>) {  // a vector of those is no array
      const auto values = std::make_unique<bool[]>(size_);
      read(std::span<bool>(values.get(), size_));
      return std::vector<bool>(values.get(), values.get() + size_);
    } else {
      std::vector<T> result(size_);
      read(result);
      return result;
    }
  }
  /// `count` elements from `first` on, as a kernel argument.
  buffer_view<T> subspan(std::size_t first, std::size_t count) const {
    detail::check_range("subspan", first, count, size_);
    return {this, first, count};
  }
  /// Addresses on the device, to store inside structs; not to be dereferenced on the host.
  std::span<T> device_span() const { return {reinterpret_cast<T*>(address_), size_}; }

  std::uint64_t address() const { return address_; }
  const std::shared_ptr<detail::device_state>& state() const { return state_; }

 private:
  void free() noexcept {
    if (address_ != 0) detail::release(*state_, address_);
    address_ = 0;
  }

  std::shared_ptr<detail::device_state> state_;
  std::uint64_t address_ = 0;
  std::size_t size_ = 0;
};

template <class T>
buffer(device&, const std::vector<T>&) -> buffer<T>;

/// A launch of at least so many invocations: each extent is rounded up to whole workgroups.
class grid {
 public:
  explicit grid(std::size_t x) : grid(x, 1, 1, 1) {}
  grid(std::size_t x, std::size_t y) : grid(x, y, 1, 2) {}
  grid(std::size_t x, std::size_t y, std::size_t z) : grid(x, y, z, 3) {}
  /// For kernels without [[spirea::workgroup_size]].
  grid workgroup(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) const {
    grid result = *this;
    result.shape_.workgroup = {x, y, z};
    return result;
  }
  /// Bytes of workgroup memory for spirea::dynamic_shared().
  grid dynamic_shared(std::size_t bytes) const {
    grid result = *this;
    result.shape_.dynamic_shared = bytes;
    return result;
  }
  const detail::launch_shape& shape() const { return shape_; }

 protected:
  SPIREA_API grid(std::size_t x, std::size_t y, std::size_t z, unsigned rank);
  detail::launch_shape shape_;
};

/// The same in workgroups.
class groups : public grid {
 public:
  explicit groups(std::size_t x) : groups(x, 1, 1, 1) {}
  groups(std::size_t x, std::size_t y) : groups(x, y, 1, 2) {}
  groups(std::size_t x, std::size_t y, std::size_t z) : groups(x, y, z, 3) {}
  groups workgroup(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) const {
    groups result = *this;
    result.shape_.workgroup = {x, y, z};
    return result;
  }
  groups dynamic_shared(std::size_t bytes) const {
    groups result = *this;
    result.shape_.dynamic_shared = bytes;
    return result;
  }

 private:
  groups(std::size_t x, std::size_t y, std::size_t z, unsigned rank) : grid(x, y, z, rank) {
    shape_.in_workgroups = true;
  }
};

/// A launch on its way.
class SPIREA_API event {
 public:
  event() = default;
  explicit event(std::shared_ptr<detail::event_state> state) : state_(std::move(state)) {}
  /// Returns when the launch is complete; throws error if it failed.
  void wait();
  bool done();
  /// Time on the device, from start to end. Waits.
  std::chrono::nanoseconds duration();

 private:
  std::shared_ptr<detail::event_state> state_;
};

/// Launches in order. A device has one default queue, which `launch(device&, ...)` uses; all queues of a
/// device share its order in this version.
class queue {
 public:
  explicit queue(device& d) : device_(d) {}
  device& owner() { return device_; }

 private:
  device device_;
};

namespace detail {

/// Converts one argument of launch() for a parameter of type P. `Index` counts the kernel's parameters from
/// 1, so that an error names the parameter.
template <std::size_t Index, class P>
struct parameter {
  P value;
  template <class A>
  explicit parameter(A&& argument) : value(std::forward<A>(argument)) {}
  launch_argument argument() const {
    launch_argument result;
    result.data = &value;
    result.size = sizeof(P);
    return result;
  }
};

template <class P, class T, std::size_t Extent>
struct buffer_parameter {
  launch_argument bound;
  explicit buffer_parameter(const buffer<std::remove_const_t<T>>& b) : buffer_parameter(b, 0, b.size()) {}
  explicit buffer_parameter(const buffer_view<std::remove_const_t<T>>& v)
      : buffer_parameter(*v.owner, v.first, v.count) {}
  buffer_parameter(const buffer<std::remove_const_t<T>>& b, std::size_t first, std::size_t count) {
    bound.size = sizeof(P);
    bound.address = b.address() + first * sizeof(T);
    bound.count = count;
    bound.element_size = sizeof(T);
    bound.extent = Extent;
    bound.owner = b.state().get();
  }
  launch_argument argument() const { return bound; }
};

template <std::size_t Index, class T, std::size_t N>
struct parameter<Index, std::span<T, N>> : buffer_parameter<std::span<T, N>, T, N> {
  using buffer_parameter<std::span<T, N>, T, N>::buffer_parameter;
};
template <std::size_t Index, class T>
struct parameter<Index, T*> : buffer_parameter<T*, T, std::dynamic_extent> {
  using buffer_parameter<T*, T, std::dynamic_extent>::buffer_parameter;
};

/// True if launch() can pass an `Argument` for a kernel's parameter of type `Parameter`.
template <class Parameter, class Argument>
inline constexpr bool is_passable = std::is_convertible_v<Argument, Parameter>;
template <class T, std::size_t N, class A>
inline constexpr bool is_passable<std::span<T, N>, A> =
    std::is_same_v<std::remove_cvref_t<A>, buffer<std::remove_const_t<T>>> ||
    std::is_same_v<std::remove_cvref_t<A>, buffer_view<std::remove_const_t<T>>>;
template <class T, class A>
inline constexpr bool is_passable<T*, A> = is_passable<std::span<T>, A>;

/// Its name appears in the compiler's message: which parameter, of which type, was given what.
template <std::size_t Index, class Parameter, class Argument>
struct check_argument_for_parameter {
  static_assert(
      is_passable<Parameter, Argument>,
      "spirea::launch: this argument does not fit the kernel's parameter (a span or pointer takes a "
      "spirea::buffer of its element type; other parameters convert as in a call)");
  static constexpr bool value = true;
};

template <auto Kernel, class Type = decltype(Kernel)>
struct launcher {
  template <class... A>
  static event run(const device&, const launch_shape&, A&&...) {
    static_assert(sizeof(Type) == 0, "spirea::launch: a kernel is a function that returns void");
    return {};
  }
};
template <auto Kernel, class... P>
struct launcher<Kernel, void (*)(P...) noexcept> : launcher<Kernel, void (*)(P...)> {};

template <auto Kernel, class... P>
struct launcher<Kernel, void (*)(P...)> {
  template <class... A>
  static event run(const device& d, const launch_shape& shape, A&&... arguments) {
    static_assert(sizeof...(A) == sizeof...(P), "spirea::launch: wrong number of arguments for the kernel");
    if constexpr (sizeof...(A) == sizeof...(P))
      return with_indices(d, shape, std::index_sequence_for<P...>(), std::forward<A>(arguments)...);
  }

 private:
  template <std::size_t... I, class... A>
  static event with_indices(const device& d, const launch_shape& shape, std::index_sequence<I...>,
                            A&&... arguments) {
    (void)(check_argument_for_parameter<I + 1, P, A>::value && ...);
    if constexpr ((is_passable<P, A> && ...))  // one error is enough
      return with_parameters(d, shape, parameter<I + 1, P>(std::forward<A>(arguments))...);
    else
      return {};
  }
  template <class... Bound>
  static event with_parameters(const device& d, const launch_shape& shape, const Bound&... bound) {
    const launch_argument list[sizeof...(Bound) + 1] = {bound.argument()...};
    return event(detail::launch(d.state(), typeid(kernel_tag<Kernel>).name(), shape, list, sizeof...(Bound)));
  }
};

}  // namespace detail

#ifdef __SPIREA_DEVICE__
// The device compile needs no more than the kernel's name, which makes the instance of a template kernel; the
// function is host code and never emitted.
template <auto Kernel, class Target, class... Args>
event launch(Target&, const grid&, Args&&...) {
  return {};
}
#else
/// Runs a kernel on a device or queue. Arguments are those of the kernel: a span or pointer parameter takes a
/// buffer (or buffer.subspan()) of its element type, values convert as in a call. Throws error if the launch
/// is not possible.
template <auto Kernel, class... Args>
event launch(device& d, const grid& g, Args&&... arguments) {
  return detail::launcher<Kernel>::run(d, g.shape(), std::forward<Args>(arguments)...);
}
template <auto Kernel, class... Args>
event launch(queue& q, const grid& g, Args&&... arguments) {
  return detail::launcher<Kernel>::run(q.owner(), g.shape(), std::forward<Args>(arguments)...);
}
#endif

}  // namespace spirea
