// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/text/parser.h"

#include <unordered_map>

#include "ir/text/fast_flags.h"
#include "ir/text/parser_base.h"

namespace spirea::kir {
namespace {

class Parser : ParserBase {
 public:
  Parser(std::string_view text, std::string_view file)
      : ParserBase(text, file), module_(std::make_unique<Module>()) {}

  std::unique_ptr<Module> module() {
    expect_word("kir");
    const Token version = token_;
    if (integer<unsigned>() != 1) fail_at(version, "this version of KIR text is not known");
    while (!at(TokenKind::End)) {
      if (accept_word("loc"))
        location_entry();
      else if (accept_word("constant"))
        constant_object();
      else if (accept_word("kernel"))
        kernel();
      else
        fail("expected 'loc', 'constant' or 'kernel'");
    }
    return std::move(module_);
  }

 private:
  // ---- module level

  void location_entry() {
    const Token id = expect(TokenKind::Location, "a location number");
    Location location;
    location.file = string();
    location.line = integer<std::uint32_t>();
    location.column = integer<std::uint32_t>();
    location.function = string();
    if (accept_word("at")) location.inlined_at = location_id();
    const std::size_t before = module_->locations.size();
    const LocId added = module_->locations.add(location);
    if (added <= before || std::to_string(added) != id.text)
      fail_at(id, "locations must be different and numbered from 1 in order");
  }

  LocId location_id() {
    const Token token = expect(TokenKind::Location, "a location");
    const auto id = parse_number<LocId>(token, token.text, 10);
    if (id == 0 || id > module_->locations.size()) fail_at(token, "location is not defined before");
    return id;
  }
  LocId optional_location() { return at(TokenKind::Location) ? location_id() : 0; }

  ObjectAttr object_attr() {
    ObjectAttr attr;
    expect_word("size");
    attr.size = integer<std::uint64_t>();
    expect_word("align");
    attr.align = integer<std::uint32_t>();
    if (accept_word("element")) attr.element = type();
    return attr;
  }

  void constant_object() {
    auto constant = std::make_unique<ConstantObject>();
    constant->name = expect(TokenKind::Symbol, "a name with '@'").text;
    constant->attr = object_attr();
    expect_word("bytes");
    const Token bytes = expect(TokenKind::String, "a string of hexadecimal digits");
    if (bytes.text.size() % 2 != 0) fail_at(bytes, "odd number of hexadecimal digits");
    for (std::size_t i = 0; i < bytes.text.size(); i += 2)
      constant->bytes.push_back(
          parse_number<std::uint8_t>(bytes, std::string_view(bytes.text).substr(i, 2), 16));
    constant->location = optional_location();
    module_->constants.push_back(std::move(constant));
  }

  void kernel() {
    values_.clear();
    labels_.clear();
    module_->kernels.push_back(std::make_unique<Kernel>());
    Kernel& kernel = *module_->kernels.back();
    abi::Manifest& m = kernel.manifest;
    m.name = expect(TokenKind::Symbol, "the kernel's name with '@'").text;
    expect_word("key");
    m.key = string();
    expect_word("display");
    m.display = string();
    expect_word("file");
    m.file = string();
    expect_word("line");
    m.line = integer<std::uint32_t>();
    if (accept_word("workgroup")) {
      m.workgroup_size.emplace();
      for (std::uint32_t& size : *m.workgroup_size) size = integer<std::uint32_t>();
    }
    if (accept_word("subgroup")) m.subgroup_size = integer<std::uint32_t>();
    if (accept_word("shared")) m.shared_bytes = integer<std::uint32_t>();
    m.uses_dynamic_shared = accept_word("dynamic_shared");
    kernel.location = optional_location();
    expect_punct('{');
    while (accept_word("message")) message(m.messages.emplace_back());
    while (accept_word("param")) param(kernel);
    expect_word("body");
    expect_punct('{');
    region(kernel.body, 0);
    expect_punct('}');
  }

  void message(abi::Message& message) {
    const Token kind = expect(TokenKind::Word, "a kind of message");
    const auto parsed = abi::parse_message_kind(kind.text);
    if (!parsed) fail_at(kind, "unknown kind of message '" + kind.text + "'");
    message.kind = *parsed;
    message.text = string();
    message.arguments = string();
    expect_word("file");
    message.file = string();
    expect_word("line");
    message.line = integer<std::uint32_t>();
  }

  void param(Kernel& kernel) {
    abi::Param& p = kernel.manifest.params.emplace_back();
    if (accept_word("buffer"))
      p.kind = abi::ParamKind::Buffer;
    else
      expect_word("value");
    p.name = string();
    expect_word("type");
    p.type = string();
    expect_word("size");
    p.size = integer<std::uint32_t>();
    expect_word("align");
    p.align = integer<std::uint32_t>();
    if (p.kind == abi::ParamKind::Buffer) {
      expect_word("element");
      p.element = string();
      p.element_size = integer<std::uint32_t>();
      p.element_align = integer<std::uint32_t>();
      expect_word("access");
      const Token access = expect(TokenKind::Word, "an access");
      const auto parsed = abi::parse_access(access.text);
      if (!parsed) fail_at(access, "unknown access '" + access.text + "'");
      p.access = *parsed;
      p.may_alias = accept_word("may_alias");
    }
    expect_word("leaves");
    expect_punct('(');
    while (!at_punct(')')) {
      if (!p.leaves.empty()) expect_punct(',');
      leaf(kernel, p);
    }
    take();
  }

  void leaf(Kernel& kernel, abi::Param& p) {
    const Token name = expect(TokenKind::Value, "a value name with '%'");
    expect_punct(':');
    const Token word = expect(TokenKind::Word, "a scalar type");
    const auto scalar = abi::parse_scalar(word.text);
    if (!scalar) fail_at(word, "unknown scalar type '" + word.text + "'");
    abi::Leaf& leaf = p.leaves.emplace_back();
    leaf.scalar = *scalar;
    expect_word("at");
    leaf.block_offset = integer<std::uint32_t>();
    expect_word("from");
    leaf.source_offset = integer<std::uint32_t>();
    define(name, kernel.body.add_argument(type_of(*scalar)));
  }

  // ---- values and labels

  void define(const Token& name, Value* value) {
    if (!values_.try_emplace(name.text, value).second)
      fail_at(name, "'%" + name.text + "' is already defined");
    if (name.text.find_first_not_of("0123456789") != std::string::npos) value->name = name.text;
  }

  Value* value() {
    const Token name = expect(TokenKind::Value, "a value with '%'");
    const auto it = values_.find(name.text);
    if (it == values_.end()) fail_at(name, "'%" + name.text + "' is not defined before its use");
    return it->second;
  }

  // ---- regions and ops

  void region(Region& region, unsigned depth) {
    if (depth > kMaxParseDepth) fail("regions are nested too deeply");
    while (!at_punct('}')) {
      if (at(TokenKind::End)) fail("expected '}'");
      op(region, depth);
    }
    take();
  }

  void op(Region& region, unsigned depth) {
    std::vector<Token> results;
    if (at(TokenKind::Value)) {
      do results.push_back(expect(TokenKind::Value, "a value with '%'"));
      while (accept_punct(','));
      expect_punct('=');
    }
    const Token word = expect(TokenKind::Word, "an operation");
    const auto opcode = parse_opcode(word.text);
    if (!opcode) fail_at(word, "unknown operation '" + word.text + "'");
    std::unique_ptr<Op> op = Op::create(*opcode, {}, {});
    if (is_structured(*opcode)) {
      structured(*op, results, depth);
    } else {
      const Token literal = attribute(*op);
      result_types(*op, results);
      if (info(*opcode).attr == AttrKind::Literal) op->attr = LiteralAttr{literal_bits(literal, *op)};
      op->location = optional_location();
    }
    for (std::size_t i = 0; i < results.size(); ++i) define(results[i], op->result(i));
    region.append(std::move(op));
  }

  void result_types(Op& op, const std::vector<Token>& results) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      expect_punct(i == 0 ? ':' : ',');
      op.add_result(type());
    }
  }

  void operands(Op& op) {
    if (!at(TokenKind::Value)) return;
    do op.add_operand(value());
    while (accept_punct(','));
  }

  /// Operands and attribute in the order of the text form; returns the token of a literal.
  Token attribute(Op& op) {
    switch (info(op.opcode()).attr) {
      case AttrKind::None: operands(op); break;
      case AttrKind::Literal: {
        op.attr = LiteralAttr{};
        if (!at(TokenKind::Number) && !at_word("null")) fail("expected a number or 'null'");
        return take();
      }
      case AttrKind::Fast: fast(op); break;
      case AttrKind::Object: op.attr = object_attr(); break;
      case AttrKind::Symbol: op.attr = SymbolAttr{expect(TokenKind::Symbol, "a symbol with '@'").text}; break;
      case AttrKind::Scale: {
        operands(op);
        ScaleAttr scale;
        expect_word("scale");
        scale.scale = integer<std::int64_t>();
        expect_word("disp");
        scale.displacement = integer<std::int64_t>();
        op.attr = scale;
        break;
      }
      case AttrKind::Memory: {
        operands(op);
        MemoryAttr memory;
        expect_word("align");
        memory.align = integer<std::uint32_t>();
        memory.is_volatile = accept_word("volatile");
        op.attr = memory;
        break;
      }
      case AttrKind::Dim: op.attr = dim(); break;
      case AttrKind::Atomic: {
        operands(op);
        AtomicAttr atomic;
        expect_word("align");
        atomic.align = integer<std::uint32_t>();
        atomic.scope = named("scope", parse_scope);
        atomic.order = named("order", parse_order);
        atomic.is_volatile = accept_word("volatile");
        op.attr = atomic;
        break;
      }
      case AttrKind::Sync: {
        SyncAttr sync;
        sync.scope = named("scope", parse_scope);
        sync.order = named("order", parse_order);
        op.attr = sync;
        break;
      }
      case AttrKind::Group: {
        operands(op);
        GroupAttr group;
        group.kind = word_of("a kind of group operation", parse_group_kind);
        if (group.kind == GroupAttr::Kind::Clustered) group.size = integer<std::uint32_t>();
        op.attr = group;
        break;
      }
      case AttrKind::Cases: break;
      case AttrKind::Target: target(op); break;
    }
    return {};
  }

  void fast(Op& op) {
    FastAttr attr;
    while (at(TokenKind::Word)) {
      const Token word = take();
      bool known = false;
      for (const FastFlagName& flag : kFastFlags) {
        if (flag.name != word.text) continue;
        attr.flags |= flag.flag;
        known = true;
      }
      if (!known) fail_at(word, "unknown flag '" + word.text + "'");
    }
    op.attr = attr;
    operands(op);
  }

  /// A word that `parse` knows, after `keyword`.
  template <class T>
  T named(const char* keyword, std::optional<T> (*parse)(std::string_view)) {
    expect_word(keyword);
    return word_of(keyword, parse);
  }
  template <class T>
  T word_of(const char* what, std::optional<T> (*parse)(std::string_view)) {
    const Token word = expect(TokenKind::Word, what);
    const std::optional<T> value = parse(word.text);
    if (!value) fail_at(word, "unknown " + std::string(what) + " '" + word.text + "'");
    return *value;
  }

  Dim dim() {
    if (accept_word("x")) return Dim::X;
    if (accept_word("y")) return Dim::Y;
    expect_word("z");
    return Dim::Z;
  }

  void target(Op& op) {
    const Token label = expect(TokenKind::Symbol, "a label with '@'");
    const auto it = labels_.find(label.text);
    if (it == labels_.end() || it->second == nullptr)
      fail_at(label, "no enclosing operation has the label '@" + label.text + "'");
    op.attr = TargetAttr{it->second};
    if (!accept_punct('(')) return;
    operands(op);
    expect_punct(')');
  }

  std::uint64_t literal_bits(const Token& token, const Op& op) {
    if (op.num_results() != 1) fail_at(token, "a constant has one result");
    const Type type = op.result()->type();
    if (type.is_ptr()) {
      if (token.text != "null") fail_at(token, "the only pointer constant is null");
      return 0;
    }
    const bool is_hex = token.text.starts_with("0x");
    if (!at_number(token) || is_hex != type.is_float())
      fail_at(token, type.is_float() ? "expected the float's bits after 0x" : "expected a decimal number");
    const auto bits = is_hex ? parse_number<std::uint64_t>(token, std::string_view(token.text).substr(2), 16)
                             : parse_number<std::uint64_t>(token, token.text, 10);
    if (type.bits() < 64 && bits >> type.bits() != 0)
      fail_at(token, "constant does not fit " + to_string(type));
    return bits;
  }
  static bool at_number(const Token& token) { return token.kind == TokenKind::Number; }

  // ---- structured ops

  void structured(Op& op, const std::vector<Token>& results, unsigned depth) {
    if (op.is(Opcode::If) || op.is(Opcode::Switch)) op.add_operand(value());
    const Token label = expect(TokenKind::Symbol, "a label with '@'");
    if (!labels_.try_emplace(label.text, &op).second)
      fail_at(label, "label '@" + label.text + "' is already used");
    Region* body = op.is(Opcode::Switch) ? nullptr : &op.add_region();
    if (op.is(Opcode::Loop)) loop_arguments(op);
    result_types(op, results);
    op.location = optional_location();
    expect_punct('{');
    if (body == nullptr) {
      cases(op, depth);
    } else {
      region(*body, depth + 1);
      if (op.is(Opcode::If)) {
        expect_word("else");
        expect_punct('{');
        region(op.add_region(), depth + 1);
      }
    }
    labels_[label.text] = nullptr;  // out of scope, but not free for another op
  }

  void loop_arguments(Op& op) {
    if (!accept_punct('(')) return;
    do {
      const Token name = expect(TokenKind::Value, "a value name with '%'");
      expect_punct('=');
      Value* initial = value();
      op.add_operand(initial);
      expect_punct(':');
      define(name, op.region().add_argument(type()));
    } while (accept_punct(','));
    expect_punct(')');
  }

  void cases(Op& op, unsigned depth) {
    CasesAttr attr;
    while (accept_word("case")) {
      auto& values = attr.values.emplace_back();
      do values.push_back(integer<std::uint64_t>());
      while (accept_punct(','));
      expect_punct(':');
      expect_punct('{');
      region(op.add_region(), depth + 1);
    }
    expect_word("default");
    expect_punct(':');
    expect_punct('{');
    region(op.add_region(), depth + 1);
    expect_punct('}');
    op.attr = std::move(attr);
  }

  std::unique_ptr<Module> module_;
  std::unordered_map<std::string, Value*> values_;
  std::unordered_map<std::string, Op*> labels_;
};

}  // namespace

Result<std::unique_ptr<Module>> parse(std::string_view text, std::string_view file_name) {
  try {
    return Parser(text, file_name).module();
  } catch (const ParseError& error) {
    return error.diagnostic;
  }
}

}  // namespace spirea::kir
