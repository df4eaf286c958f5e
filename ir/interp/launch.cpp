// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_map>

#include "ir/interp/faults.h"
#include "ir/interp/program.h"
#include "ir/interp/workgroup.h"

namespace spirea::interp {
namespace {

using kir::Diagnostic;

/// What all invocations of a launch share.
class Launch {
 public:
  Launch(const Program& program, Memory& memory, const Options& options)
      : program_(program), memory_(memory), options_(options), frame_(program.frame) {}

  kir::Result<void> prepare(std::span<const std::byte> block, const Grid& grid) {
    windows_.resize(program_.allocation_window(memory_.allocations().size()));
    add_constants();
    add_objects();
    add_shared_objects(grid.dynamic_shared);
    for (std::size_t i = 0; i < memory_.allocations().size(); ++i)
      windows_[program_.allocation_window(i)] = allocation_window(i);
    return read_arguments(block);
  }

  kir::Result<void> run_grid(const Grid& grid, std::uint64_t& steps) {
    Invocation v{program_,      options_,        frame_.data(),
                 frame_.data(), windows_.data(), static_cast<std::uint32_t>(windows_.size())};
    v.released = &released_;
    v.clock = &clock_;
    std::optional<Workgroup> workgroup;
    if (program_.is_cooperative) workgroup.emplace(program_, invocations(grid), subgroup_size());
    auto& [global, local, group, groups, size, global_size] = v.position;
    groups = grid.num_workgroups;
    size = grid.workgroup_size;
    for (int d = 0; d < 3; ++d) global_size[d] = groups[d] * size[d];
    for (group[2] = 0; group[2] < groups[2]; ++group[2])
      for (group[1] = 0; group[1] < groups[1]; ++group[1])
        for (group[0] = 0; group[0] < groups[0]; ++group[0])
          if (!(workgroup ? run_together(*workgroup, v, steps) : run_workgroup(v, steps)))
            return std::move(v.fault);
    for (const auto& [slot, races] : races_)
      if (!races.is_valid())
        return Diagnostic::error("not enough memory to detect data races in a buffer of " +
                                 std::to_string(memory_.allocations()[slot - kFirstAllocation].size) +
                                 " bytes");
    return {};
  }

 private:
  static std::uint32_t invocations(const Grid& grid) {
    return grid.workgroup_size[0] * grid.workgroup_size[1] * grid.workgroup_size[2];
  }
  std::uint32_t subgroup_size() const {
    return program_.kernel->manifest.subgroup_size.value_or(options_.subgroup_size);
  }

  bool run_together(Workgroup& workgroup, Invocation& v, std::uint64_t& steps) {
    std::fill(shared_.begin(), shared_.end(), 0xcd);
    std::fill(shared_undefined_.begin(), shared_undefined_.end(), 0xff);
    if (shared_races_) shared_races_->clear();
    return workgroup.run(v, steps);
  }

  bool run_workgroup(Invocation& v, std::uint64_t& steps) {
    auto& [global, local, group, groups, size, global_size] = v.position;
    for (local[2] = 0; local[2] < size[2]; ++local[2])
      for (local[1] = 0; local[1] < size[1]; ++local[1])
        for (local[0] = 0; local[0] < size[0]; ++local[0]) {
          for (int d = 0; d < 3; ++d) global[d] = group[d] * size[d] + local[d];
          // Beyond 2^32 invocations numbers repeat, and a race of two with the same one is not seen.
          if (++v.number == 0) v.number = 1;
          clear_private();
          v.order = {};
          v.order.now = clock_;
          v.order.released = &released_;
          set_subgroup(v);
          run(program_.code.data(), v, steps);
          if (!v.fault) return false;
        }
    return true;
  }

  /// Without meetings a subgroup is nothing but numbers.
  void set_subgroup(Invocation& v) const {
    const auto& local = v.position[1];
    const auto& size = v.position[4];
    const std::uint32_t index = (local[2] * size[1] + local[1]) * size[0] + local[0];
    const std::uint32_t n = subgroup_size(), count = size[0] * size[1] * size[2];
    v.subgroup = {n, index % n, index / n, (count + n - 1) / n};
  }

  void clear_private() {
    if (program_.private_bytes == 0) return;
    std::memset(private_.data(), 0xcd, private_.size());
    std::memset(private_undefined_.data(), 0xff, private_undefined_.size());
  }

  void add_constants() {
    std::size_t largest = 0;
    for (const auto& constant : program_.module->constants)
      largest = std::max(largest, constant->bytes.size());
    all_defined_.resize(largest);
    for (std::size_t i = 0; i < program_.module->constants.size(); ++i) {
      auto& bytes = program_.module->constants[i]->bytes;
      Window& window = windows_[program_.constant_window(i)];
      window.kind = WindowKind::Constant;
      window.can_write = false;
      window.index = static_cast<std::uint32_t>(i);
      window.begin = slot_address(kFirstConstant + i);
      window.size = bytes.size();
      window.data = bytes.data();
      window.undefined = all_defined_.data();
    }
  }

  void add_objects() {
    private_.resize(program_.private_bytes);
    private_undefined_.resize(program_.private_bytes);
    for (std::size_t i = 0; i < program_.objects.size(); ++i) {
      if (program_.objects[i].is_shared) continue;
      Window& window = windows_[program_.object_window(i)];
      window.kind = WindowKind::Object;
      window.index = static_cast<std::uint32_t>(i);
      window.begin = slot_address(kFirstObject + i);
      window.size = program_.objects[i].op->as<kir::ObjectAttr>().size;
      window.data = private_.data() + program_.objects[i].offset;
      window.undefined = private_undefined_.data() + program_.objects[i].offset;
    }
  }

  /// Workgroup memory: the objects, and behind them what the launch asks for.
  void add_shared_objects(std::uint64_t dynamic) {
    const std::uint64_t bytes = program_.workgroup_bytes + (program_.has_dynamic_shared ? dynamic : 0);
    shared_.resize(bytes);
    shared_undefined_.resize(bytes);
    if (options_.detect_races && bytes != 0) shared_races_.emplace(bytes);
    for (std::size_t i = 0; i < program_.objects.size(); ++i)
      if (program_.objects[i].is_shared)
        add_shared(i, program_.objects[i].offset, program_.objects[i].op->as<kir::ObjectAttr>().size);
    if (program_.has_dynamic_shared) add_shared(program_.objects.size(), program_.workgroup_bytes, dynamic);
  }
  void add_shared(std::size_t i, std::uint64_t offset, std::uint64_t size) {
    Window& window = windows_[program_.object_window(i)];
    window.kind = WindowKind::Workgroup;
    window.index = static_cast<std::uint32_t>(i);
    window.begin = slot_address(kFirstObject + i);
    window.size = size;
    window.data = shared_.data() + offset;
    window.undefined = shared_undefined_.data() + offset;
    window.races = shared_races_ ? &*shared_races_ : nullptr;
    window.race_offset = offset;
  }

  Window allocation_window(std::size_t i) {
    const Allocation& allocation = memory_.allocations()[i];
    Window window;
    window.index = static_cast<std::uint32_t>(i);
    window.begin = slot_address(kFirstAllocation + i);
    window.kind = allocation.released ? WindowKind::Released : WindowKind::Allocation;
    if (allocation.released) return window;
    window.size = allocation.size;
    window.data = allocation.bytes.data.get();
    window.undefined = allocation.bytes.undefined.get();
    return window;
  }

  kir::Result<void> read_arguments(std::span<const std::byte> block) {
    const abi::Manifest& manifest = program_.kernel->manifest;
    if (block.size() < manifest.block_size())
      return Diagnostic::error("argument block of kernel '" + manifest.name + "' has " +
                               std::to_string(block.size()) + " bytes, expected " +
                               std::to_string(manifest.block_size()));
    std::size_t argument = 0;
    for (std::size_t p = 0; p < manifest.params.size(); ++p) {
      const abi::Param& param = manifest.params[p];
      const std::size_t first = argument;
      for (const abi::Leaf& leaf : param.leaves) read_leaf(leaf, block, program_.arguments[argument++]);
      if (param.kind != abi::ParamKind::Buffer) continue;
      if (auto result = add_buffer(p, first); !result) return result;
    }
    detect_races();
    return {};
  }

  void read_leaf(const abi::Leaf& leaf, std::span<const std::byte> block, std::uint32_t slot) {
    const kir::Type type = kir::type_of(leaf.scalar);
    std::uint64_t bits = 0;
    std::memcpy(&bits, block.data() + leaf.block_offset, abi::source_bytes(leaf.scalar));
    if (type.is_bool()) bits = bits != 0 ? 1 : 0;
    frame_[slot].bits = bits;
    if (type.is_ptr()) frame_[slot].window = allocation_window_of(bits);
  }

  std::uint32_t allocation_window_of(std::uint64_t address) {
    const std::uint64_t index = slot_of(address) - kFirstAllocation;
    return index < memory_.allocations().size() ? program_.allocation_window(index) : 0;
  }

  /// A buffer argument may be accessed from its address to its end: that of the allocation if it has no
  /// count.
  kir::Result<void> add_buffer(std::size_t p, std::size_t first) {
    const abi::Param& param = program_.kernel->manifest.params[p];
    Slot& address = frame_[program_.arguments[first]];
    const Window allocation = windows_[address.window];
    if (allocation.kind != WindowKind::Allocation) return {};  // an access says that it is null or released
    const std::uint64_t offset = address.bits - allocation.begin;
    std::uint64_t size = offset <= allocation.size ? allocation.size - offset : 0;
    if (param.leaves.size() > 1) {
      const std::uint64_t elements = frame_[program_.arguments[first + 1]].bits;
      if (offset > allocation.size || elements > size / param.element_size)
        return Diagnostic::error("buffer argument '" + param.name + "' of " + std::to_string(elements) +
                                 " elements reaches beyond its allocation of " +
                                 std::to_string(allocation.size) + " bytes");
      size = elements * param.element_size;
    }
    Window& window = windows_[program_.param_window(p)] = allocation;
    window.kind = WindowKind::Buffer;
    window.index = static_cast<std::uint32_t>(p);
    window.begin = address.bits;
    window.size = size;
    window.data += offset;
    window.undefined += offset;
    window.race_offset = offset;
    window.can_read = param.access != abi::Access::Write;
    window.can_write = param.access != abi::Access::Read;
    address.window = program_.param_window(p);
    return {};
  }

  /// Races need a writer: allocations that no argument can write to need no detection.
  void detect_races() {
    if (!options_.detect_races) return;
    const auto windows = std::span(windows_).subspan(program_.param_window(0));
    for (const Window& window : windows) {
      const bool is_reached =
          window.kind == WindowKind::Buffer || program_.has_raw_pointers || is_value(window);
      if (window.size != 0 && window.can_write && is_reached) add_races(slot_of(window.begin));
    }
    for (Window& window : windows) {
      const auto found = races_.find(slot_of(window.begin));
      if (found != races_.end()) window.races = &found->second;
    }
  }

  void add_races(std::uint64_t slot) {
    if (!races_.contains(slot)) races_.try_emplace(slot, memory_.allocations()[slot - kFirstAllocation].size);
  }

  /// Pointers inside of values may access all of their allocation.
  bool is_value(const Window& window) const {
    return std::any_of(program_.arguments.begin(), program_.arguments.end(),
                       [&](std::uint32_t slot) { return &windows_[frame_[slot].window] == &window; });
  }

  const Program& program_;
  Memory& memory_;
  const Options& options_;
  std::vector<Slot> frame_;
  std::vector<Window> windows_;
  std::vector<std::uint8_t> private_, private_undefined_;
  std::vector<std::uint8_t> all_defined_;
  std::vector<std::uint8_t> shared_, shared_undefined_;
  std::optional<RaceShadow> shared_races_;
  std::vector<std::uint32_t> released_;  ///< time of the last release, by invocation
  std::uint32_t clock_ = 1;
  std::unordered_map<std::uint64_t, RaceShadow> races_;  ///< by the number of the range of addresses
};

kir::Result<void> check_grid(const abi::Manifest& manifest, const Grid& grid) {
  for (int d = 0; d < 3; ++d) {
    if (grid.workgroup_size[d] == 0) return Diagnostic::error("the workgroup size is zero");
    if (std::uint64_t{grid.num_workgroups[d]} * grid.workgroup_size[d] >
        std::numeric_limits<std::uint32_t>::max())
      return Diagnostic::error("the grid has more than 2^32 - 1 invocations in a dimension");
  }
  if (manifest.workgroup_size && *manifest.workgroup_size != grid.workgroup_size)
    return Diagnostic::error("the workgroup size is not the one that kernel '" + manifest.name + "' states");
  return {};
}

}  // namespace

std::uint32_t Invocation::window_of(std::uint64_t address, kir::Space space) const {
  const std::uint64_t slot = slot_of(address);
  switch (space) {
    case kir::Space::Global: {
      const std::uint64_t first = program.allocation_window(0), index = slot - kFirstAllocation;
      return index < num_windows - first ? static_cast<std::uint32_t>(first + index) : 0;
    }
    case kir::Space::Workgroup:
    case kir::Space::Private: {
      const std::uint64_t index = slot - kFirstObject;
      return index <= program.objects.size() ? program.object_window(index) : 0;
    }
    case kir::Space::Constant: {
      const std::uint64_t index = slot - kFirstConstant;
      return index < program.module->constants.size() ? program.constant_window(index) : 0;
    }
    case kir::Space::Generic: {
      if (slot >= kFirstObject) return window_of(address, kir::Space::Private);
      return window_of(address, slot >= kFirstConstant ? kir::Space::Constant : kir::Space::Global);
    }
  }
  return 0;
}

void run(const Instr* from, Invocation& v, std::uint64_t& steps) {
  std::uint64_t left = v.options.max_steps - steps;
  for (const Instr* i = from; i != nullptr; --left) {
    if (left == 0) {
      fault(i, v,
            "the launch exceeds " + std::to_string(v.options.max_steps) +
                " steps: an infinite loop, or a limit that is too low");
      break;
    }
    i = i->run(i, v);
  }
  steps = v.options.max_steps - left;
}

Executable::Executable(const kir::Module& module, const kir::Kernel& kernel, Subnormals subnormals)
    : program_(std::make_unique<Program>(decode(module, kernel, subnormals))) {}
Executable::Executable(Executable&&) noexcept = default;
Executable& Executable::operator=(Executable&&) noexcept = default;
Executable::~Executable() = default;

kir::Result<void> Executable::launch(Memory& memory, std::span<const std::byte> block, const Grid& grid,
                                     const Options& options, Statistics* statistics) const {
  if (auto result = check_grid(program_->kernel->manifest, grid); !result) return result;
  if (program_->private_bytes > kMaxPrivate)
    return Diagnostic::error("the local objects of kernel '" + program_->kernel->manifest.name +
                             "' are larger than " + std::to_string(kMaxPrivate) + " bytes");
  if (program_->workgroup_bytes > kMaxWorkgroup || grid.dynamic_shared > kMaxWorkgroup)
    return Diagnostic::error("the workgroup memory of kernel '" + program_->kernel->manifest.name +
                             "' is larger than " + std::to_string(kMaxWorkgroup) + " bytes");
  Launch launch(*program_, memory, options);
  if (auto result = launch.prepare(block, grid); !result) return result;
  std::uint64_t steps = 0;
  auto result = launch.run_grid(grid, steps);
  if (statistics != nullptr) statistics->steps = steps;
  return result;
}

kir::Result<void> launch(Memory& memory, const kir::Module& module, std::string_view name,
                         std::span<const std::byte> block, const Grid& grid, const Options& options,
                         Statistics* statistics) {
  const kir::Kernel* kernel = module.find_kernel(name);
  if (kernel == nullptr) return Diagnostic::error("the module has no kernel '" + std::string(name) + "'");
  return Executable(module, *kernel, options.subnormals).launch(memory, block, grid, options, statistics);
}

}  // namespace spirea::interp
