// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "codegen-spirv/grammar/instructions.h"
#include "codegen-spirv/spirv.h"

namespace spirea::spirv {

/// The parts of a module in the order of "Logical Layout of a Module" (SPIR-V specification, section 2.4).
/// Capabilities, extensions and the memory model come from the requirements when the module is finished.
enum class Section : std::uint8_t {
  ExtInstImport,
  EntryPoint,
  ExecutionMode,
  DebugSource,
  DebugName,
  Annotation,
  Global,
  Function
};
inline constexpr std::size_t kNumSections = 8;

/// Collects instructions by section; types and constants are unique.
class ModuleWriter {
 public:
  Id new_id() { return Id{next_id_++}; }

  template <class Inst>
  void emit(Section section, const Inst& inst) {
    Encoder encoder;
    inst.encode(encoder);
    inst.require(requirements_);
    append(sections_[static_cast<std::size_t>(section)], Inst::opcode, encoder.words());
  }
  /// Instructions with a result: fills in a new id and returns it.
  template <class Inst>
  Id define(Section section, Inst inst) {
    inst.result = new_id();
    emit(section, inst);
    return inst.result;
  }

  Id type_void();
  Id type_bool();
  Id type_int(unsigned bits);
  Id type_float(unsigned bits);
  Id type_vector(Id element, unsigned n);
  Id type_array(Id element, std::uint64_t n);
  Id type_array(Id element, Id length);
  Id type_pointer(spv::StorageClass, Id pointee);
  Id type_function_void();
  Id type_function(Id result, std::vector<Id> parameters);
  Id type_pair(Id member);  ///< struct of two equal members, for extended multiplication

  Id constant(Id type, unsigned bits, std::uint64_t value);
  Id constant_u32(std::uint32_t value) { return constant(type_int(32), 32, value); }
  Id constant_bool(bool);
  Id constant_composite(Id type, const std::vector<Id>& parts);
  Id undef(Id type);

  Id glsl();  ///< the import of GLSL.std.450
  void name(Id, const std::string&);
  void decorate(Id, spv::Decoration, std::vector<Word> operands = {});
  /// Declares a capability that no instruction alone tells.
  void require(spv::Capability capability) { requirements_.any_of({capability}); }

  /// The whole module for the environment, or a message about what the environment lacks.
  kir::Result<Words> finish(Environment);

 private:
  using Key = std::tuple<spv::Op, std::vector<Word>>;
  static void append(std::vector<Word>&, spv::Op, const std::vector<Word>& operands);

  /// The id of an equal instruction of the Global section, or a new one.
  template <class Inst>
  Id unique(Inst inst) {
    Encoder encoder;
    inst.encode(encoder);
    Id& id = unique_[{Inst::opcode, encoder.words()}];
    if (id.value == 0) id = define(Section::Global, std::move(inst));
    return id;
  }

  std::array<std::vector<Word>, kNumSections> sections_;
  std::map<Key, Id> unique_;
  Requirements requirements_;
  Word next_id_ = 1;
  Id glsl_;
};

}  // namespace spirea::spirv
