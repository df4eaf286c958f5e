// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random expressions, as a directed graph of ops, against a direct evaluation of the graph.
#include <random>

#include "tests/interp/support.h"

namespace spirea::interp::test {
namespace {

unsigned width(unsigned type) { return 8u << type; }  // i8, i16, i32, i64

u64 low(u64 value, unsigned bits) { return bits == 64 ? value : value & ((u64{1} << bits) - 1); }
i64 sign(u64 value, unsigned bits) { return static_cast<i64>(value << (64 - bits)) >> (64 - bits); }

struct Node {
  std::string op;
  unsigned type = 0;
  std::vector<std::size_t> operands;
  u64 value = 0;
};

/// What the op gives, in the widths of the node and its first operand.
u64 evaluate(const std::string& op, unsigned bits, unsigned from, const std::vector<u64>& x) {
  const auto s = [&](std::size_t i) { return sign(x[i], bits); };
  if (op == "add") return low(x[0] + x[1], bits);
  if (op == "sub") return low(x[0] - x[1], bits);
  if (op == "mul") return low(x[0] * x[1], bits);
  if (op == "and") return x[0] & x[1];
  if (op == "or") return x[0] | x[1];
  if (op == "xor") return x[0] ^ x[1];
  if (op == "smin") return low(static_cast<u64>(std::min(s(0), s(1))), bits);
  if (op == "smax") return low(static_cast<u64>(std::max(s(0), s(1))), bits);
  if (op == "umin") return std::min(x[0], x[1]);
  if (op == "umax") return std::max(x[0], x[1]);
  if (op == "shl") return low(x[0] << x[1], bits);
  if (op == "lshr") return x[0] >> x[1];
  if (op == "ashr") return low(static_cast<u64>(s(0) >> x[1]), bits);
  if (op == "udiv") return x[0] / x[1];
  if (op == "urem") return x[0] % x[1];
  if (op == "sdiv") return low(static_cast<u64>(s(0) / s(1)), bits);
  if (op == "srem") return low(static_cast<u64>(s(0) % s(1)), bits);
  if (op == "popcount") return static_cast<u64>(__builtin_popcountll(x[0]));
  if (op == "iabs") return low(s(0) < 0 ? -x[0] : x[0], bits);
  if (op == "trunc" || op == "zext") return low(x[0], bits);
  if (op == "sext") return low(static_cast<u64>(sign(x[0], from)), bits);
  if (op == "select") return x[0] < x[1] ? x[0] : x[1];  // of ult
  throw std::logic_error("no reference for " + op);
}

class Graph {
 public:
  explicit Graph(unsigned seed) : random_(seed) {
    for (unsigned type = 0; type < 4; ++type)
      for (int i = 0; i < 3; ++i) nodes_.push_back({"const", type, {}, interesting(width(type))});
    for (int i = 0; i < 40; ++i) add();
  }

  std::string text() const {
    std::string ops;
    for (std::size_t i = 0; i < nodes_.size(); ++i) ops += line(i);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::string n = std::to_string(i), bytes = std::to_string(width(nodes_[i].type) / 8);
      ops += "  %p" + n + " = offset %out, %zero scale 0 disp " + std::to_string(8 * i) +
             " : ptr<global>\n  store %p" + n + ", %v" + n + " align " + bytes + "\n";
    }
    return "  %zero = const 0 : i64\n" + ops;
  }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  u64 interesting(unsigned bits) {
    const u64 edge[] = {0, 1, ~u64{0}, u64{1} << (bits - 1), (u64{1} << (bits - 1)) - 1, 7};
    return low(random_() % 2 == 0 ? edge[random_() % 6] : random_() >> random_() % 64, bits);
  }
  std::size_t pick(unsigned type) {
    for (;;)
      if (const std::size_t i = random_() % nodes_.size(); nodes_[i].type == type) return i;
  }

  void add() {
    static const std::vector<std::string> ops = {
        "add",  "sub",  "mul",  "and",  "or",   "xor",      "smin", "smax",  "umin", "umax", "shl",   "lshr",
        "ashr", "udiv", "urem", "sdiv", "srem", "popcount", "iabs", "trunc", "zext", "sext", "select"};
    Node node{ops[random_() % ops.size()], static_cast<unsigned>(random_() % 4), {}, 0};
    unsigned from = node.type;
    if (node.op == "trunc" || node.op == "zext" || node.op == "sext") {
      const bool narrows = node.op == "trunc";
      if (node.type == (narrows ? 3 : 0)) return;
      from = narrows ? node.type + 1 + random_() % (3 - node.type) : random_() % node.type;
      node.operands = {pick(from)};
    } else if (node.op == "popcount" || node.op == "iabs") {
      node.operands = {pick(node.type)};
    } else {
      node.operands = {pick(node.type), pick(node.type)};
    }
    std::vector<u64> values;
    for (const std::size_t i : node.operands) values.push_back(nodes_[i].value);
    const unsigned bits = width(node.type);
    if (node.op == "shl" || node.op.ends_with("shr"))
      if (values[1] >= bits) return;
    if (node.op.ends_with("div") || node.op.ends_with("rem"))
      if (values[1] == 0 || (values[0] == u64{1} << (bits - 1) && values[1] == low(~u64{0}, bits))) return;
    node.value = evaluate(node.op, bits, width(from), values);
    nodes_.push_back(node);
  }

  std::string line(std::size_t i) const {
    const Node& node = nodes_[i];
    const std::string n = std::to_string(i), type = " : i" + std::to_string(width(node.type)) + "\n";
    if (node.op == "const") return "  %v" + n + " = const " + std::to_string(node.value) + type;
    std::string operands;
    for (const std::size_t operand : node.operands)
      operands += (operands.empty() ? "%v" : ", %v") + std::to_string(operand);
    if (node.op == "select")
      return "  %c" + n + " = ult " + operands + " : i1\n  %v" + n + " = select %c" + n + ", " + operands +
             type;
    return "  %v" + n + " = " + node.op + " " + operands + type;
  }

  std::mt19937_64 random_;
  std::vector<Node> nodes_;
};

TEST(Property, random_integer_expressions) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    const Graph graph(seed);
    Machine machine(KernelText().buffer("out", "write", 8).with(graph.text()));
    const u64 out = machine.buffer(std::vector<u64>(graph.nodes().size()));
    ASSERT_EQ(machine.error(), "") << graph.text();
    const auto results = machine.read<u64>(out, graph.nodes().size());
    for (std::size_t i = 0; i < results.size(); ++i)
      ASSERT_EQ(results[i], graph.nodes()[i].value) << "seed " << seed << ", value " << i << "\n"
                                                    << graph.text();
  }
}

}  // namespace
}  // namespace spirea::interp::test
