// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen-spirv/module_writer.h"

#include "codegen-spirv/capabilities.h"

namespace spirea::spirv {

void ModuleWriter::append(std::vector<Word>& words, spv::Op opcode, const std::vector<Word>& operands) {
  words.push_back(static_cast<Word>(operands.size() + 1) << 16 | static_cast<Word>(opcode));
  words.insert(words.end(), operands.begin(), operands.end());
}

Id ModuleWriter::type_void() { return unique(OpTypeVoid{}); }
Id ModuleWriter::type_bool() { return unique(OpTypeBool{}); }
Id ModuleWriter::type_vector(Id element, unsigned n) {
  return unique(OpTypeVector{.component_type = element, .component_count = n});
}
Id ModuleWriter::type_pointer(spv::StorageClass storage, Id pointee) {
  return unique(OpTypePointer{.storage_class = storage, .type = pointee});
}
Id ModuleWriter::type_function_void() { return unique(OpTypeFunction{.return_type = type_void()}); }
Id ModuleWriter::type_function(Id result, std::vector<Id> parameters) {
  return unique(OpTypeFunction{.return_type = result, .parameter_0_type = std::move(parameters)});
}
Id ModuleWriter::type_pair(Id member) { return unique(OpTypeStruct{.member_0_type = {member, member}}); }

Id ModuleWriter::type_int(unsigned bits) {
  switch (bits) {
    case 8: require(spv::Capability::Int8); break;
    case 16: require(spv::Capability::Int16); break;
    case 64: require(spv::Capability::Int64); break;
    default: break;
  }
  return unique(OpTypeInt{.width = bits, .signedness = 0});
}

Id ModuleWriter::type_float(unsigned bits) {
  if (bits == 16) require(spv::Capability::Float16);
  if (bits == 64) require(spv::Capability::Float64);
  return unique(OpTypeFloat{.width = bits});
}

Id ModuleWriter::type_array(Id element, std::uint64_t n) {
  return type_array(element, constant_u32(static_cast<std::uint32_t>(n)));
}

Id ModuleWriter::type_array(Id element, Id length) {
  return unique(OpTypeArray{.element_type = element, .length = length});
}

Id ModuleWriter::constant(Id type, unsigned bits, std::uint64_t value) {
  return unique(OpConstant{.type = type, .value = {value, bits}});
}

Id ModuleWriter::constant_bool(bool value) {
  return value ? unique(OpConstantTrue{.type = type_bool()}) : unique(OpConstantFalse{.type = type_bool()});
}

Id ModuleWriter::constant_composite(Id type, const std::vector<Id>& parts) {
  return unique(OpConstantComposite{.type = type, .constituents = parts});
}

Id ModuleWriter::undef(Id type) { return unique(OpUndef{.type = type}); }

Id ModuleWriter::glsl() {
  if (glsl_.value == 0) glsl_ = define(Section::ExtInstImport, OpExtInstImport{.name = "GLSL.std.450"});
  return glsl_;
}

void ModuleWriter::name(Id id, const std::string& text) {
  if (!text.empty()) emit(Section::DebugName, OpName{.target = id, .name = text});
}

void ModuleWriter::decorate(Id id, spv::Decoration decoration, std::vector<Word> operands) {
  emit(Section::Annotation,
       OpDecorate{.target = id, .decoration = decoration, .decoration_operands = std::move(operands)});
}

kir::Result<Words> ModuleWriter::finish(Environment environment) {
  const auto declared = deduce_declarations(requirements_, environment);
  if (!declared) return declared.diagnostics();

  const Word version = environment == Environment::Vulkan1_2 ? 0x00010500u : 0x00010600u;
  Words module = {spv::MagicNumber, version, 0u, next_id_, 0u};
  const auto put = [&](const auto& inst) {
    Encoder encoder;
    inst.encode(encoder);
    append(module, std::decay_t<decltype(inst)>::opcode, encoder.words());
  };
  for (const spv::Capability capability : declared->capabilities) put(OpCapability{.capability = capability});
  for (const std::string& extension : declared->extensions) put(OpExtension{.name = extension});
  const auto copy = [&](Section section) {
    const auto& words = sections_[static_cast<std::size_t>(section)];
    module.insert(module.end(), words.begin(), words.end());
  };
  copy(Section::ExtInstImport);
  put(OpMemoryModel{.addressing_model = spv::AddressingModel::PhysicalStorageBuffer64,
                    .memory_model = spv::MemoryModel::Vulkan});
  for (std::size_t i = static_cast<std::size_t>(Section::EntryPoint); i < kNumSections; ++i)
    copy(static_cast<Section>(i));
  return module;
}

}  // namespace spirea::spirv
