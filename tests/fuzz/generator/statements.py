# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements: declarations, assignments, calls, and every form of control flow. Loops count down or spend `fuel`,
which each function has of its own, so that every program ends."""

import dataclasses

from .expressions import Expressions
from .model import BOOL, FLOATS, INTEGERS, U32, U64, Function, Jumps, Scope, Variable

SCALARS = INTEGERS + FLOATS + [BOOL]


class Statements(Expressions):
    """Needs what Expressions needs, `self.name(prefix)` for new names, and `self.features`."""

    def block(self, count, jumps, indent, before=()):
        """`count` statements in braces, in a scope of their own that has the variables of `before`."""
        outer, self.scope = self.scope, Scope(self.scope)
        self.scope.variables += before
        lines = self.statements(count, jumps, indent + 1)
        self.scope = outer
        return ["{"] + lines + ["  " * indent + "}"]

    def statements(self, count, jumps, indent):
        lines = []
        for _ in range(count):
            if self.budget <= 0:  # no body is empty
                lines += self.trace(jumps, indent) if not lines else []
                break
            self.budget -= 1
            lines += self.statement(jumps, indent)
        if jumps.loops and self.random.random() < 0.25 or jumps.labels and self.random.random() < 0.25:
            lines += self.guarded_jump(jumps)
        return ["  " * indent + line if not line.startswith(" ") and line else line for line in lines]

    def statement(self, jumps, indent):
        nested = self.scope.depth < 7
        make = self.choose([
            (5, self.declare), (6, self.assign), (3, self.trace), (2, self.call_statement), (2, self.guarded_jump_),
            (1, self.copy_bytes), (2, self.point), (3 * nested, self.if_), (2 * nested, self.count_loop),
            (2 * nested, self.fuel_loop), (2 * nested, self.switch), (1 * nested, self.region),
            (("machines" in self.features) * nested, self.machine), (1 * nested, self.lambda_), (1, self.walk),
            (1.5 * ("stored-pointers" in self.features), self.stored_pointers), (1 * nested, self.backward),
        ])
        return make(jumps, indent)

    def value(self, type_):
        return self.expression(type_, self.random.randrange(1, 4))

    # Data

    def declare(self, _jumps, _indent):
        shape = self.choose([(6, "scalar"), (2, "array"), (2, "object" if self.records else "scalar")])
        if shape == "object":
            return self.declare_object()
        type_ = self.random.choice(SCALARS)
        name = self.name("v" if shape == "scalar" else "a")
        if shape == "scalar":
            constant = self.random.random() < 0.2
            line = f"{'const ' * constant}{type_.name} {name} = {self.value(type_)};"
            self.scope.variables.append(Variable(name, type_, constant=constant))
            return [line]
        length = self.random.choice([2, 4, 8, 16])
        constant = self.random.random() < 0.15
        if constant:
            values = ", ".join(self.literal(type_) for _ in range(length))
            lines = [f"static constexpr {type_.name} {name}[{length}] = {{{values}}};"]
        else:
            values = ", ".join(self.expression(type_, 1) for _ in range(length))
            lines = [f"{type_.name} {name}[{length}] = {{{values}}};"]
        self.scope.variables.append(Variable(name, type_, "array", length, constant=constant, local=not constant))
        return lines

    def declare_object(self):
        record = self.random.choice(self.records)
        name = self.name("o")
        same = [v.name for v in self.scope.all() if v.shape == "object" and v.record is record]
        made = f"{record.name}::make({self.value(record.fields[0].type)})"
        line = f"{record.name} {name} = {self.random.choice(same + [made])};"
        self.scope.variables.append(Variable(name, record.fields[0].type, "object", record=record))
        return [line]

    def places(self):
        """(text, type) of what may be assigned to."""
        result = []
        for v in self.scope.all():
            if v.constant:
                continue
            if v.shape == "object":
                for f in v.record.fields:
                    index = f"[{self.index(f.length)}]" if f.length > 1 else ""
                    result.append((f"{v.name}.{f.name}{index}", f.type))
            elif v.shape == "scalar":
                result.append((v.name, v.type))
            elif v.shape == "pointer":
                result.append((f"*{v.name}", v.type))
            elif v.shape == "table":
                result.append((f"*{v.name}[{self.index(v.length)}]", v.type))
            else:
                result.append((f"{v.name}[{self.index(v.length)}]", v.type))
        return result

    def assign(self, _jumps, _indent):
        places = self.places()
        if not places:
            return self.declare(_jumps, _indent)
        place, type_ = self.random.choice(places)
        if type_.kind == "u" and self.random.random() < 0.4:
            operator = self.random.choice(["+=", "-=", "^=", "|=", "&="] + (["*="] if type_.bits >= 32 else []))
            return [f"{place} {operator} {self.value(type_)};"]
        if type_.kind == "u" and self.random.random() < 0.2:
            return [f"{self.random.choice(['++', '--'])}{place};"]
        return [f"{place} = {self.value(type_)};"]

    def trace(self, _jumps, _indent):
        """What the program does, in order, is in `trace`."""
        traces = [v.name for v in self.scope.all() if v.name == "trace" and not v.constant]
        if not traces:
            return self.assign(_jumps, _indent)
        return [f"{traces[0]} = mix({traces[0]}, {self.value(U64)});"]

    def point(self, _jumps, _indent):
        """A pointer or reference to a variable, an element or a field; or another target for one that exists."""
        pointers = [v for v in self.scope.all() if v.shape in ("pointer", "table") and v.local and v.name.startswith("p")]
        if pointers and self.random.random() < 0.6:
            p = self.random.choice(pointers)
            targets = self.targets(p.type, p.scope)
            a, b = self.random.choice(targets), self.random.choice(targets)
            place = f"{p.name}[{self.index(p.length)}]" if p.shape == "table" else p.name
            if self.random.random() < 0.5:
                return [f"{place} = {self.condition(1)} ? {a} : {b};"]
            return [f"if ({self.condition(1)}) {place} = {a};"]
        type_ = self.random.choice(SCALARS)
        targets = self.targets(type_, self.scope)
        if not targets:
            return self.declare(_jumps, _indent)
        target = self.random.choice(targets)
        if self.random.random() < 0.3:
            name = self.name("r")
            self.scope.variables.append(Variable(name, type_))
            return [f"{type_.name}& {name} = *{target};"]
        v = Variable(self.name("p"), type_, "pointer")
        v.scope = self.scope  # what it may point at later: all that outlives it
        self.scope.variables.append(v)
        return [f"{type_.name}* {v.name} = {target};"]

    def targets(self, type_, scope):
        """Addresses of `type_` in private memory that is alive for as long as the scope."""
        current, self.scope = self.scope, scope
        result = []
        for v in scope.all():
            if v.constant or not v.local:
                continue
            if v.shape == "object":
                for f in v.record.fields:
                    if f.type == type_ and not f.width:
                        result.append(f"&{v.name}.{f.name}" + (f"[{self.random.randrange(f.length)}]"
                                                               if f.length > 1 else ""))
            elif v.type == type_ and v.shape == "scalar":
                result.append(f"&{v.name}")
            elif v.type == type_ and v.shape == "array":
                result.append(f"&{v.name}[{self.random.randrange(v.length)}]")
        self.scope = current
        return result

    def stored_pointers(self, _jumps, _indent):
        """A table of pointers, a list, or a pointer that may be null."""
        type_ = self.random.choice(SCALARS)
        targets = self.targets(type_, self.scope)
        kind = self.random.choice(["table", "list", "null"])
        if kind == "list":
            return self.linked_list()
        if not targets:
            return self.declare(_jumps, _indent)
        if kind == "null":
            p = self.name("z")
            lines = [f"{type_.name}* {p} = nullptr;"]
            lines += [f"if ({self.condition(1)}) {p} = {self.random.choice(targets)};" for _ in range(2)]
            return lines + [f"if ({p} != nullptr) *{p} = {self.value(type_)};"]
        length = self.random.choice([2, 4, 8])
        v = Variable(self.name("p"), type_, "table", length)
        v.scope = self.scope
        entries = ", ".join(self.random.choice(targets) for _ in range(length))
        self.scope.variables.append(v)
        return [f"{type_.name}* {v.name}[{length}] = {{{entries}}};"]

    def linked_list(self):
        """Nodes among locals, walked and changed."""
        type_ = self.random.choice(INTEGERS)
        node, p = self.name("N"), self.name("q")
        length = self.random.randrange(2, 5)
        names = [self.name("n") for _ in range(length)]
        lines = [f"struct {node} {{ {type_.name} value; {node}* next; }};"]
        for i, name in enumerate(names):
            after = "nullptr" if i == 0 else f"{self.condition(1)} ? &{names[i - 1]} : &{self.random.choice(names[:i])}"
            lines.append(f"{node} {name} = {{{self.value(type_)}, {after}}};")
        if length > 2 and self.random.random() < 0.5:
            lines.append(f"if ({self.condition(1)}) {names[-1]}.next->next = nullptr;")
        start = f"{self.condition(1)} ? &{names[-1]} : &{self.random.choice(names)}"
        total = Variable(self.name("v"), type_)
        lines.append(f"{type_.name} {total.name} = 0;")
        t = type_.name
        lines.append(f"for ({node}* {p} = {start}; {p} != nullptr; {p} = {p}->next) {{ "
                     f"{total.name} = add<{t}>(mul<{t}>({total.name}, {t}(31)), {p}->value); "
                     f"{p}->value = sub<{t}>({p}->value, {total.name}); }}")
        self.scope.variables.append(total)
        return lines

    def copy_bytes(self, _jumps, _indent):
        """memcpy, memmove within one array, or memset."""
        arrays = [v for v in self.scope.all() if v.shape == "array" and v.type.integer and not v.constant]
        if not arrays:
            return self.declare(_jumps, _indent)
        to, source = self.random.choice(arrays), self.random.choice(arrays)
        size = min(to.length * to.type.bits, source.length * source.type.bits) // 8
        if to is source:
            if self.random.random() < 0.5:
                return [f"std::memset({to.name}, int({self.expression(U32, 1)} & 255u), {size});"]
            count = self.random.randrange(1, to.length)
            a, b = self.random.choice([(0, to.length - count), (to.length - count, 0)])
            return [f"std::memmove({to.name} + {a}, {to.name} + {b}, {count} * sizeof({to.type.name}));"]
        odd = self.random.randrange(1, size + 1)
        count = self.random.choice([size, size, odd if "odd-sizes" in self.features else size // 2])
        return [f"std::memcpy({to.name}, {source.name}, {count});"]

    def walk(self, _jumps, _indent):
        """A loop whose variable is a pointer; or an algorithm."""
        arrays = [v for v in self.scope.all() if v.shape == "array" and v.type.integer and not v.constant]
        sums = [v for v in self.scope.all() if v.shape == "scalar" and v.type.integer and not v.constant]
        if not arrays or not sums:
            return self.declare(_jumps, _indent)
        a, total = self.random.choice(arrays), self.random.choice(sums)
        t = total.type.name
        p = self.name("q")
        return self.random.choice([
            [f"for (const {a.type.name}* {p} = {a.name}; {p} != {a.name} + {a.length}; ++{p}) "
             f"{total.name} = add<{t}>(mul<{t}>({total.name}, {t}(31)), {t}(*{p}));"],
            [f"for ({a.type.name}& {p} : {a.name}) {p} = add<{a.type.name}>({p}, {a.type.name}({total.name}));"],
            [f"std::sort({a.name}, {a.name} + {a.length});" if "sort" in self.features else
             f"std::rotate({a.name}, {a.name} + {self.random.randrange(a.length)}, {a.name} + {a.length});"],
            [f"std::reverse({a.name}, {a.name} + {a.length});"],
            [f"{total.name} = {t}(std::max_element({a.name}, {a.name} + {a.length}) - {a.name});"],
            [f"{{ {a.type.name}* {p} = {a.name} + ({self.index(a.length)}); "
             f"while ({p} > {a.name} && {self.condition(1)}) *{p}-- = {self.expression(a.type, 1)}; }}"],
        ])

    # Calls

    def call_statement(self, jumps, _indent):
        """Of any function; its arguments have no side effects, so that their order does not matter."""
        found = [f for f in self.scope.all_callables() if f.cost * jumps.iterations <= 4000]
        if not found:
            return self.assign(jumps, _indent)
        f = self.random.choice(found)
        arguments = [self.argument(p, 2) for p in f.parameters]
        if None in arguments:
            return self.assign(jumps, _indent)
        self.cost = max(self.cost, f.cost * jumps.iterations)
        call = f"{f.name}({', '.join(arguments)})"
        if f.result is None:
            return [f"{call};"]
        name = self.name("v")
        self.scope.variables.append(Variable(name, f.result))
        return [f"{f.result.name} {name} = {call};"]

    def lambda_(self, jumps, indent):
        """Captures by reference (then calls are statements) or by copy."""
        by_copy = self.random.random() < 0.5
        result = self.random.choice(SCALARS)
        f = Function(self.name("l"), result, self.scalars(self.random.randrange(3)), pure=by_copy)
        outer, self.scope = self.scope, Scope(self.scope)
        if by_copy:  # what it captures is constant inside, and so are pointers' targets, which would be shared
            visible = [dataclasses.replace(v, constant=True) for v in outer.all() if v.shape not in ("pointer", "table")]
            callables = outer.all_callables()
            self.scope = Scope()
            self.scope.depth = outer.depth + 1
            self.scope.variables += visible
            self.scope.callables += [c for c in callables if c.pure]
        parameters = ", ".join(f"{p.type.name} {p.name}" for p in f.parameters)
        body = self.body(f, min(self.budget, 4), indent)
        self.scope = outer
        self.scope.callables.append(f)
        lines = [f"auto {f.name} = [{'=' if by_copy else '&'}]({parameters}) -> {result.name} {{"] + body
        return lines + ["  " * indent + "};"]

    def scalars(self, count):
        return [Variable(self.name("x"), self.random.choice(SCALARS)) for _ in range(count)]

    def body(self, function, count, indent):
        """The statements of a function in braces that are already there, and its return."""
        outer, self.scope = self.scope, Scope(self.scope)
        saved, self.fuel = self.fuel, self.name("fuel")
        self.scope.variables += function.parameters
        jumps = Jumps(result=function.result, can_return=True)
        outer_cost, self.cost = self.cost, 1
        lines = self.statements(count, jumps, indent + 1)
        if function.result is not None:
            lines.append("  " * (indent + 1) + f"return {self.value(function.result)};")
        lines.insert(0, "  " * (indent + 1) + f"[[maybe_unused]] u32 {self.fuel} = {self.random.randrange(4, 20)};")
        function.cost, self.cost = max(self.cost, 1), outer_cost
        self.scope, self.fuel = outer, saved
        return lines
