// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/printer.h"

#include <algorithm>

#include "ir/text/fast_flags.h"
#include "ir/text/lexer.h"
#include "ir/text/names.h"

namespace spirea::kir {
namespace {

std::string hex(std::uint64_t bits, unsigned width) {
  constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (unsigned shift = width; shift > 0; shift -= 4) result += digits[bits >> (shift - 4) & 15];
  return result;
}

std::string sigil(char mark, const std::string& name) {
  return mark + (is_plain_name(name) ? name : quote(name));
}

std::string object_text(const ObjectAttr& attr) {
  std::string out = " size " + std::to_string(attr.size) + " align " + std::to_string(attr.align);
  if (attr.element) out += " element " + to_string(*attr.element);
  return out;
}

class Printer {
 public:
  explicit Printer(PrintedModule* out) : out_(out) {}

  void module(const Module& module) {
    text() += "kir 1\n";
    if (module.locations.size() != 0) text() += "\n";
    for (LocId id = 1; id <= module.locations.size(); ++id) location_entry(id, module.locations[id]);
    if (!module.constants.empty()) text() += "\n";
    for (const auto& constant : module.constants) constant_object(*constant);
    for (const auto& k : module.kernels) {
      text() += "\n";
      kernel(*k);
    }
  }

  void kernel(const Kernel& kernel) {
    const Names names(kernel);
    names_ = &names;
    header(kernel);
    text() += "body {\n";
    region(kernel.body, 1);
    text() += "}\n}\n";
    names_ = nullptr;
  }

  void op(const Op& op, const Names& names, unsigned depth) {
    names_ = &names;
    print_op(op, depth);
    names_ = nullptr;
  }

 private:
  std::string& text() { return out_->text; }

  void location_entry(LocId id, const Location& l) {
    text() += "loc !" + std::to_string(id) + " " + quote(l.file) + " " + std::to_string(l.line) + " " +
              std::to_string(l.column) + " " + quote(l.function);
    if (l.inlined_at != 0) text() += " at !" + std::to_string(l.inlined_at);
    text() += "\n";
  }

  void constant_object(const ConstantObject& constant) {
    text() += "constant " + sigil('@', constant.name) + object_text(constant.attr) + " bytes \"";
    for (const std::uint8_t byte : constant.bytes) text() += hex(byte, 8);
    text() += "\"" + location(constant.location) + "\n";
  }

  void header(const Kernel& kernel) {
    const abi::Manifest& m = kernel.manifest;
    text() += "kernel " + sigil('@', m.name) + " key " + quote(m.key) + " display " + quote(m.display) +
              " file " + quote(m.file) + " line " + std::to_string(m.line);
    if (m.workgroup_size) {
      text() += " workgroup";
      for (const std::uint32_t size : *m.workgroup_size) text() += " " + std::to_string(size);
    }
    if (m.subgroup_size) text() += " subgroup " + std::to_string(*m.subgroup_size);
    if (m.shared_bytes != 0) text() += " shared " + std::to_string(m.shared_bytes);
    if (m.uses_dynamic_shared) text() += " dynamic_shared";
    text() += location(kernel.location) + " {\n";
    for (const abi::Message& message : m.messages)
      text() += "  message " + std::string(abi::to_string(message.kind)) + " " + quote(message.text) + " " +
                quote(message.arguments) + " file " + quote(message.file) + " line " +
                std::to_string(message.line) + "\n";
    std::size_t argument = 0;
    for (const abi::Param& p : m.params) param(kernel, p, argument);
  }

  void param(const Kernel& kernel, const abi::Param& p, std::size_t& argument) {
    const bool buffer = p.kind == abi::ParamKind::Buffer;
    text() += std::string("  param ") + (buffer ? "buffer " : "value ") + quote(p.name) + " type " +
              quote(p.type) + " size " + std::to_string(p.size) + " align " + std::to_string(p.align);
    if (buffer) {
      text() += " element " + quote(p.element) + " " + std::to_string(p.element_size) + " " +
                std::to_string(p.element_align) + " access " + std::string(abi::to_string(p.access));
      if (p.may_alias) text() += " may_alias";
    }
    text() += " leaves (";
    for (std::size_t i = 0; i < p.leaves.size(); ++i, ++argument) {
      const abi::Leaf& leaf = p.leaves[i];
      if (i != 0) text() += ", ";
      const Value* value =
          argument < kernel.body.arguments().size() ? kernel.body.argument(argument) : nullptr;
      text() += sigil('%', names_->of(value)) + ": " + std::string(abi::to_string(leaf.scalar)) + " at " +
                std::to_string(leaf.block_offset) + " from " + std::to_string(leaf.source_offset);
    }
    text() += ")\n";
  }

  std::string location(LocId id) { return id == 0 ? "" : " !" + std::to_string(id); }
  std::string value(const Value* v) { return sigil('%', names_->of(v)); }

  void region(const Region& region, unsigned depth) {
    for (const Op& op : region) print_op(op, depth);
  }

  void print_op(const Op& op, unsigned depth) {
    text().append(depth * 2, ' ');
    place(op, depth * 2 + 1);
    for (std::size_t i = 0; i < op.num_results(); ++i) text() += (i == 0 ? "" : ", ") + value(op.result(i));
    if (op.num_results() != 0) text() += " = ";
    text() += mnemonic(op.opcode());
    if (is_structured(op.opcode()))
      structured(op, depth);
    else
      text() += simple(op) + types(op) + location(op.location) + "\n";
  }

  std::string types(const Op& op) {
    std::string out;
    for (std::size_t i = 0; i < op.num_results(); ++i)
      out += (i == 0 ? " : " : ", ") + to_string(op.result(i)->type());
    return out;
  }

  std::string operands(const Op& op) {
    std::string out;
    for (std::size_t i = 0; i < op.num_operands(); ++i) out += (i == 0 ? " " : ", ") + value(op.operand(i));
    return out;
  }

  std::string simple(const Op& op) {
    return std::visit([&](const auto& attr) { return attribute(op, attr); }, op.attr);
  }

  std::string attribute(const Op& op, const std::monostate&) { return operands(op); }
  std::string attribute(const Op& op, const LiteralAttr& literal) {
    const Type type = op.num_results() == 1 ? op.result()->type() : Type();
    if (type.is_ptr() && literal.bits == 0) return " null";
    if (type.is_float()) return " 0x" + hex(literal.bits, type.bits());
    return " " + std::to_string(literal.bits);
  }
  std::string attribute(const Op& op, const FastAttr& fast) {
    std::string out;
    for (const FastFlagName& flag : kFastFlags)
      if (fast.has(flag.flag)) out += " " + std::string(flag.name);
    return out + operands(op);
  }
  std::string attribute(const Op&, const ObjectAttr& object) { return object_text(object); }
  std::string attribute(const Op&, const SymbolAttr& symbol) { return " " + sigil('@', symbol.name); }
  std::string attribute(const Op& op, const ScaleAttr& scale) {
    return operands(op) + " scale " + std::to_string(scale.scale) + " disp " +
           std::to_string(scale.displacement);
  }
  std::string attribute(const Op& op, const MemoryAttr& memory) {
    return operands(op) + " align " + std::to_string(memory.align) + (memory.is_volatile ? " volatile" : "");
  }
  std::string attribute(const Op& op, const AtomicAttr& atomic) {
    return operands(op) + " align " + std::to_string(atomic.align) + " scope " +
           std::string(to_string(atomic.scope)) + " order " + std::string(to_string(atomic.order)) +
           (atomic.is_volatile ? " volatile" : "");
  }
  std::string attribute(const Op&, const SyncAttr& sync) {
    return " scope " + std::string(to_string(sync.scope)) + " order " + std::string(to_string(sync.order));
  }
  std::string attribute(const Op& op, const GroupAttr& group) {
    return operands(op) + " " + std::string(to_string(group.kind)) +
           (group.kind == GroupAttr::Kind::Clustered ? " " + std::to_string(group.size) : "");
  }
  std::string attribute(const Op&, const Dim& dim) {
    constexpr const char* names[] = {" x", " y", " z"};
    return names[static_cast<std::size_t>(dim)];
  }
  std::string attribute(const Op& op, const CasesAttr&) { return operands(op); }
  std::string attribute(const Op& op, const TargetAttr& target) {
    std::string out = " @" + names_->label(target.op);
    if (op.num_operands() == 0) return out;
    out += "(";
    for (std::size_t i = 0; i < op.num_operands(); ++i) out += (i == 0 ? "" : ", ") + value(op.operand(i));
    return out + ")";
  }

  void structured(const Op& op, unsigned depth) {
    if (op.is(Opcode::If) || op.is(Opcode::Switch)) text() += operands(op);
    text() += " @" + names_->label(&op);
    if (op.is(Opcode::Loop)) loop_arguments(op);
    text() += types(op) + location(op.location) + " {\n";
    if (op.is(Opcode::Switch)) {
      switch_regions(op, depth);
    } else {
      for (std::size_t i = 0; i < op.num_regions(); ++i) {
        if (i != 0) {
          text().append(depth * 2, ' ');
          text() += "} else {\n";
        }
        region(op.region(i), depth + 1);
      }
    }
    text().append(depth * 2, ' ');
    text() += "}\n";
  }

  void loop_arguments(const Op& op) {
    if (op.num_operands() == 0) return;
    text() += " (";
    for (std::size_t i = 0; i < op.num_operands(); ++i) {
      if (i != 0) text() += ", ";
      const bool has = i < op.region().arguments().size();
      text() += (has ? value(op.region().argument(i)) : "%?") + " = " + value(op.operand(i)) + " : " +
                (has ? to_string(op.region().argument(i)->type()) : "?");
    }
    text() += ")";
  }

  void switch_regions(const Op& op, unsigned depth) {
    const auto& cases = op.as<CasesAttr>().values;
    for (std::size_t i = 0; i < op.num_regions(); ++i) {
      text().append(depth * 2, ' ');
      if (i < cases.size()) {
        text() += "case ";
        for (std::size_t k = 0; k < cases[i].size(); ++k)
          text() += (k == 0 ? "" : ", ") + std::to_string(cases[i][k]);
      } else {
        text() += "default";
      }
      text() += ": {\n";
      region(op.region(i), depth + 1);
      text().append(depth * 2, ' ');
      text() += "}\n";
    }
  }

  void place(const Op& op, std::uint32_t column) {
    line_ += static_cast<std::uint32_t>(
        std::count(text().begin() + static_cast<std::ptrdiff_t>(counted_), text().end(), '\n'));
    counted_ = text().size();
    out_->places[&op] = {line_, column};
  }

  PrintedModule* out_;
  const Names* names_ = nullptr;
  std::uint32_t line_ = 1;
  std::size_t counted_ = 0;
};

}  // namespace

std::string print(const Module& module) { return print_with_places(module).text; }

std::string print(const Module&, const Kernel& kernel) {
  PrintedModule out;
  Printer(&out).kernel(kernel);
  return std::move(out.text);
}

std::string print(const Op& op) {
  const Kernel* kernel = kernel_of(&op);
  PrintedModule out;
  static const Kernel no_kernel;
  const Names names(kernel == nullptr ? no_kernel : *kernel);
  Printer(&out).op(op, names, 0);
  return std::move(out.text);
}

PrintedModule print_with_places(const Module& module) {
  PrintedModule out;
  Printer(&out).module(module);
  return out;
}

}  // namespace spirea::kir
