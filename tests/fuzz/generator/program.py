# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program: a namespace with classes, functions and one kernel, the same for the same seed."""

import random

from .control_flow import ControlFlow
from .model import BOOL, FLOATS, INTEGERS, U32, U64, Field, Function, Jumps, Record, Scope, Type, Variable

SLOTS = 16  # elements of `data` that one invocation owns
# Constructs that can be left out, and those that are an error of the compiler for now.
FEATURES = frozenset({"bit-fields", "machines", "odd-sizes", "sort", "stored-pointers"})
KNOWN_GAPS = frozenset()


class Program(ControlFlow):
    """`text` is the namespace; `name` its name, which has the kernel `run`."""

    def __init__(self, seed, features=FEATURES, size=40):
        self.random = random.Random(seed)
        self.seed = seed
        self.features = features
        self.name_count = 0
        self.records = []
        self.scope = Scope()
        self.budget = 0
        self.cost = 1
        self.fuel = ""
        parts = [self.record() for _ in range(self.random.randrange(3))]
        for _ in range(self.random.randrange(4)):
            self.budget = self.random.randrange(4, 14)
            parts.append(self.random.choice([self.free_function, self.free_function, self.template])())
        self.budget = self.random.randrange(size // 2, size * 3 // 2)
        parts.append(self.kernel())
        lines = [line for part in parts for line in part]
        self.namespace = f"p{seed}"
        self.text = "\n".join([f"namespace {self.namespace} {{"] + lines + ["}", ""])

    def name(self, prefix):
        self.name_count += 1
        return f"{prefix}_{self.name_count}"  # f32 is a type

    # Classes

    def record(self):
        record = Record(self.name("C"), [])
        for _ in range(self.random.randrange(2, 6)):
            type_ = self.random.choice(INTEGERS + FLOATS + [BOOL])
            length = self.random.choice([1, 1, 1, 2, 4])
            width = 0
            if "bit-fields" in self.features and length == 1 and type_.integer and self.random.random() < 0.25:
                width = self.random.randrange(1 if type_.kind == "u" else 2, type_.bits + 1)
            record.fields.append(Field(self.name("f"), type_, length, width))
        record.fields[0].width = 0
        lines = [f"struct {record.name} {{"]
        for f in record.fields:
            suffix = f" : {f.width}" if f.width else f"[{f.length}]" if f.length > 1 else ""
            lines.append(f"  {f.type.name} {f.name}{suffix};")
        lines += self.maker(record) + self.method(record)
        self.records.append(record)
        return lines + ["};"]

    def maker(self, record):
        """Every byte of each field gets a value."""
        first = Variable("x", record.fields[0].type)
        outer, self.scope = self.scope, Scope()
        self.scope.variables.append(first)
        lines = [f"  static {record.name} make({first.type.name} x) {{", f"    {record.name} r{{}};"]
        for f in record.fields:
            for i in range(f.length):
                index = f"[{i}]" if f.length > 1 else ""
                lines.append(f"    r.{f.name}{index} = {self.expression(f.type, 2)};")
        self.scope = outer
        return lines + ["    return r;", "  }"]

    def method(self, record):
        outer, self.scope = self.scope, Scope()
        for f in record.fields:
            shape = "array" if f.length > 1 else "scalar"
            name = f"{f.type.name}({f.name})" if f.width else f.name
            self.scope.variables.append(Variable(name, f.type, shape, f.length, constant=True))
        function = Function(self.name("m"), self.random.choice(INTEGERS + FLOATS), self.scalars(1))
        self.budget = 3
        parameter = function.parameters[0]
        lines = [f"  {function.result.name} {function.name}({parameter.type.name} {parameter.name}) const {{"]
        lines += self.body(function, 2, 1) + ["  }"]
        self.scope = outer
        record.methods.append(function)
        return lines

    # Functions

    def parameter(self):
        """(declaration, Variable)"""
        type_ = self.random.choice(INTEGERS + [U32, U32])
        shape = self.choose([(5, "scalar"), (2, "cursor"), (1, "pointer"), (2, "object" if self.records else "scalar")])
        constant = self.random.random() < 0.4
        if shape == "object":
            record = self.random.choice(self.records)
            v = Variable(self.name("x"), record.fields[0].type, "object", record=record, constant=constant)
            by_value = constant and self.random.random() < 0.5
            return f"{'const ' * constant}{record.name}{'' if by_value else '&'} {v.name}", v
        if shape == "scalar":
            v = Variable(self.name("x"), self.random.choice(INTEGERS + FLOATS))
            return f"{v.type.name} {v.name}", v
        length = self.random.choice([2, 4]) if shape == "cursor" else 1
        v = Variable(self.name("x"), type_, shape, length, constant=constant, local=False)
        return f"{'const ' * constant}{type_.name}* {v.name}", v

    def free_function(self):
        parameters = [self.parameter() for _ in range(self.random.randrange(1, 4))]
        variables = [v for _, v in parameters]
        pure = all(v.shape == "scalar" or v.constant for v in variables)
        result = self.random.choice(INTEGERS + FLOATS + [BOOL] + ([] if pure else [None]))
        function = Function(self.name("f"), result, variables, pure=pure)
        head = f"static {result.name if result else 'void'} {function.name}({', '.join(d for d, _ in parameters)}) {{"
        lines = [head] + self.body(function, self.budget, 0) + ["}"]
        self.scope.callables.append(function)
        return lines

    def template(self):
        """A function template of an unsigned type and a count, used with two types."""
        name = self.name("t")
        t = Type("T", "u", 32)
        function = Function(name, t, [Variable(self.name("x"), t), Variable(self.name("x"), t)])
        n = Variable("N", U32, constant=True)
        outer, self.scope = self.scope, Scope()  # calls of others would need conversions
        self.scope.variables.append(n)
        a, b = (p.name for p in function.parameters)
        lines = ["template <class T, u32 N>", f"static T {name}(T {a}, T {b}) {{"]
        lines += self.body(function, self.budget, 0) + ["}"]
        self.scope = outer
        for type_ in (U32, U64):
            of = f"{name}<{type_.name}, {self.random.randrange(1, 40)}>"
            self.scope.callables.append(
                Function(of, type_, [Variable("", type_), Variable("", type_)], cost=function.cost))
        return lines

    # The kernel

    def kernel(self):
        self.scope = Scope(self.scope)
        self.fuel = self.name("fuel")
        lines = ["[[spirea::kernel]] void run(std::span<const u32> in, std::span<u32> data, std::span<u64> out) {",
                 "  const u32 id = spirea::global_id().x;",
                 "  if (id >= out.size()) return;",
                 f"  u32* const mine = data.data() + id * {SLOTS};",
                 "  u64 trace = id;",
                 "  u32 scratch = in[id & 63u];",
                 f"  [[maybe_unused]] u32 {self.fuel} = {self.random.randrange(10, 60)};"]
        kept = [Variable("trace", U64), Variable("scratch", U32)]
        self.scope.variables += [Variable("id", U32, constant=True),
                                 Variable("mine", U32, "cursor", SLOTS, local=False)] + kept
        for type_ in self.random.sample(INTEGERS + FLOATS, self.random.randrange(1, 4)):
            word = f"in[(id * {self.random.choice([1, 3, 5])}u + {self.random.randrange(64)}u) & 63u]"
            v = Variable(self.name("v"), type_)
            value = f"tame({type_.name}({word}))" if type_.kind == "f" else f"{type_.name}({word})"
            if type_.bits == 64 and type_.integer:
                value = f"{type_.name}(u64({word}) * 0x9e3779b97f4a7c15u)"
            lines.append(f"  {type_.name} {v.name} = {value};")
            self.scope.variables.append(v)
        lines += self.statements(self.budget, Jumps(), 1)
        for v in self.scope.variables:
            lines += self.fold(v)
        return lines + [f"  out[id] = trace ^ planted({self.seed});", "}"]

    def fold(self, v):
        """Everything that is alive at the end goes into the trace."""
        if v.shape in ("pointer", "scalar") and v.name not in ("trace", "id"):
            star = "*" if v.shape == "pointer" else ""
            return [f"  trace = mix(trace, fold({star}{v.name}));"]
        if v.shape == "array":
            return [f"  for (const auto& e : {v.name}) trace = mix(trace, fold(e));"]
        if v.shape == "object":
            result = []
            for f in v.record.fields:
                if f.length > 1:
                    result.append(f"  for (const auto& e : {v.name}.{f.name}) trace = mix(trace, fold(e));")
                else:
                    result.append(f"  trace = mix(trace, fold({f.type.name}({v.name}.{f.name})));")
            return result
        return []
