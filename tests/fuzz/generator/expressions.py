# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions: each has exactly the type asked for, no side effects, and a value that the standard defines.

Floating-point values stay in a range where no operation overflows or gives a subnormal number, which devices may
flush: `tame` (prelude.h) brings each result back.
"""

from .model import BOOL, F32, F64, FLOATS, INTEGERS, U8, U32, U64, UNSIGNED


class Expressions:
    """Needs `self.random` and `self.scope`."""

    def choose(self, table):
        """An entry of [(weight, value)]."""
        return self.random.choices([v for _, v in table], [w for w, _ in table])[0]

    def expression(self, type_, depth):
        if type_ == BOOL:
            return self.condition(depth)
        if depth <= 0 or self.random.random() < 0.12:
            return self.leaf(type_)
        return self.floating(type_, depth) if type_.kind == "f" else self.integer(type_, depth)

    # Leaves

    def literal(self, type_):
        if type_ == BOOL:
            return self.random.choice(["true", "false"])
        if type_.kind == "f":
            value = self.random.choice([0.5, 1.0, 3.0, -2.25, 0.1, 1e-3, 117.7, -4096.5, 1 / 3])
            return f"{type_.name}({value!r})"
        bits = type_.bits if type_.kind == "u" else type_.bits - 1
        value = self.random.choice([0, 1, 2, 3, 5, 7, 10, 31, 100, 1 << bits - 1, (1 << bits) - 1,
                                    self.random.getrandbits(bits), self.random.getrandbits(bits // 2)])
        value &= (1 << bits) - 1
        if type_.kind == "s" and self.random.random() < 0.4:
            return f"{type_.name}(-{value}ll)"
        return f"{type_.name}({value}{'ull' if type_.kind == 'u' else 'll'})"

    def leaf(self, type_):
        chance = self.random.random()
        if chance < 0.12:
            return self.literal(type_)
        found = self.readable(type_)
        if found and chance < 0.85:
            return self.random.choice(found)
        # What comes from a variable of another type is not known to the compiler, either.
        source = self.random.choice(INTEGERS)
        found = self.readable(source)
        if not found or type_.name == "T":
            return self.literal(type_)
        text = self.random.choice(found)
        if type_ == BOOL:
            return f"(({text} & {1 << self.random.randrange(7)}) != 0)"
        return f"tame({type_.name}({text}))" if type_.kind == "f" else f"{type_.name}({text})"

    def readable(self, type_):
        """Expressions that read a variable, an element or a field of the type."""
        result = []
        for v in self.scope.all():
            if v.shape == "object":
                result += self.members(v, type_)
            elif v.type == type_:
                if v.shape == "scalar":
                    result += [v.name] * 2
                elif v.shape == "pointer":
                    result.append(f"*{v.name}")
                elif v.shape == "table":
                    result.append(f"*{v.name}[{self.index(v.length)}]")
                else:
                    result.append(f"{v.name}[{self.index(v.length)}]")
        return result

    def members(self, v, type_):
        for f in v.record.fields:
            if f.type == type_:
                text = f"{v.name}.{f.name}" + (f"[{self.index(f.length)}]" if f.length > 1 else "")
                yield f"{type_.name}({text})" if f.width else text  # a bit-field would be promoted to int

    def index(self, length):
        """In range: a constant, or the low bits of a variable."""
        names = [v.name for v in self.scope.all() if v.shape == "scalar" and v.type.integer]
        if not names or self.random.random() < 0.3:
            return str(self.random.randrange(length))
        name = self.random.choice(names)
        if self.random.random() < 0.3:
            name = f"({name} {self.random.choice('+-^')} {self.random.randrange(1, 9)}u)"
        return f"u32({name}) & {length - 1}u"

    # Conditions

    def condition(self, depth):
        if depth <= 0:
            return self.leaf(BOOL) if self.random.random() < 0.4 else self.comparison(0)
        kind = self.choose([(6, "compare"), (2, "logic"), (1, "not"), (1, "bit"), (1, "leaf"), (1, "pointers")])
        if kind == "logic":
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return f"({a} {self.random.choice(['&&', '||', '!=', '=='])} {b})"
        if kind == "not":
            return f"!{self.condition(depth - 1)}"
        if kind == "bit":
            return f"(({self.expression(U32, depth - 1)} >> {self.random.randrange(32)} & 1u) != 0)"
        if kind == "leaf":
            return self.leaf(BOOL)
        if kind == "pointers":
            return self.pointer_comparison() or self.comparison(depth - 1)
        return self.comparison(depth - 1)

    def comparison(self, depth):
        known = [v.type for v in self.scope.all() if v.type in INTEGERS + FLOATS]
        type_ = self.random.choice(known or INTEGERS)
        if type_.integer and self.random.random() < 0.5:  # either may well be true
            mask = self.random.choice([1, 3, 7, 15])
            operator = self.random.choice(["<", ">", "==", "!="])
            return f"(({self.expression(type_, depth)} & {mask}) {operator} {self.random.randrange(mask + 1)})"
        operator = self.random.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"({self.expression(type_, depth)} {operator} {self.expression(type_, depth)})"

    def pointer_comparison(self):
        """Within one array, where order and difference mean something; or equality of any two."""
        found = [v for v in self.scope.all() if v.shape in ("pointer", "array") and v.local and v.type != BOOL]
        if not found:
            return None
        a = self.random.choice(found)
        if a.shape == "array":
            return f"(&{a.name}[{self.index(a.length)}] <= &{a.name}[{self.index(a.length)}])"
        others = [v for v in found if v.shape == "pointer" and v.type == a.type and v is not a]
        return f"({a.name} == {self.random.choice(others).name})" if others else None

    # Integers

    def integer(self, type_, depth):
        make = self.choose([
            (7, self.arithmetic), (3, self.bitwise), (3, self.shift), (2, self.division), (3, self.conversion),
            (2, self.choice), (2, self.call), (1, self.function), (1, self.unary), (2, self.punned), (4, self.plain),
        ])
        return make(type_, depth - 1)

    def plain(self, type_, _):
        return self.leaf(type_)

    def arithmetic(self, type_, depth):
        a, b = self.expression(type_, depth), self.expression(type_, depth)
        operator = self.random.choice("+-*")
        if type_.kind == "s":
            return f"{ {'+': 'add', '-': 'sub', '*': 'mul'}[operator] }<{type_.name}>({a}, {b})"
        # Narrow operands would be promoted to int, whose product may overflow.
        return f"{type_.name}(1u * {a} {operator} {b})" if operator == "*" else f"{type_.name}({a} {operator} {b})"

    def bitwise(self, type_, depth):
        operator = self.random.choice("&|^")
        return f"{type_.name}({self.expression(type_, depth)} {operator} {self.expression(type_, depth)})"

    def shift(self, type_, depth):
        amount = self.random.choice([str(self.random.randrange(type_.bits)),
                                     f"({self.expression(U32, depth - 1)} & {type_.bits - 1}u)"])
        return f"{type_.name}({self.expression(type_, depth)} {self.random.choice(['<<', '>>'])} {amount})"

    def division(self, type_, depth):
        a, b = self.expression(type_, depth), self.expression(type_, depth)
        operation = self.random.choice(["quotient", "remainder"])
        if type_.kind == "u" and self.random.random() < 0.4:
            return f"{type_.name}({a} {'/' if operation == 'quotient' else '%'} {type_.name}({b} | 1))"
        if self.random.random() < 0.3:
            b = f"{type_.name}({self.random.choice([2, 3, 5, 7, 10, 16, 100])})"
        return f"{operation}<{type_.name}>({a}, {b})"

    def conversion(self, type_, depth):
        if self.random.random() < 0.2:
            return f"to_integer<{type_.name}>({self.expression(self.random.choice(FLOATS), depth)})"
        source = self.random.choice(INTEGERS + [BOOL])
        return f"{type_.name}({self.expression(source, depth)})"

    def choice(self, type_, depth):
        return f"({self.condition(depth)} ? {self.expression(type_, depth)} : {self.expression(type_, depth)})"

    def unary(self, type_, depth):
        a = self.expression(type_, depth)
        if self.random.random() < 0.5:
            return f"{type_.name}(~{a})"
        return f"sub<{type_.name}>({type_.name}(0), {a})"

    def function(self, type_, depth):
        """Of the standard library."""
        a = self.expression(type_, depth)
        if type_.bits == 64 and self.random.random() < 0.3:
            return f"high_product({a}, {self.expression(type_, depth)})"
        if type_.kind == "u" and self.random.random() < 0.6:
            name = self.random.choice(["std::popcount", "std::countl_zero", "std::countr_zero", "std::rotl",
                                       "std::rotr", "std::bit_width"])
            second = f", int({self.expression(U8, depth - 1)})" if "rot" in name else ""
            return f"{type_.name}({name}({a}{second}))"
        b = self.expression(type_, depth)
        return f"{self.random.choice(['std::min', 'std::max'])}<{type_.name}>({a}, {b})"

    def call(self, type_, depth):
        """Of a pure function, lambda or method with this result."""
        candidates = [(f.name, f) for f in self.scope.all_callables() if f.pure and f.result == type_]
        for v in self.scope.all():
            if v.shape == "object":
                candidates += [(f"{v.name}.{m.name}", m) for m in v.record.methods if m.result == type_]
        candidates = [(n, f) for n, f in candidates if f.cost <= self.affordable()]
        if not candidates:
            return self.leaf(type_)
        name, function = self.random.choice(candidates)
        arguments = [self.argument(p, depth) for p in function.parameters]
        return self.leaf(type_) if None in arguments else f"{name}({', '.join(arguments)})"

    def argument(self, parameter, depth):
        """For a parameter of any shape; None if nothing in scope fits."""
        if parameter.shape == "scalar":
            return self.expression(parameter.type, depth)
        if parameter.shape == "object":
            found = [v.name for v in self.scope.all() if v.shape == "object" and v.record is parameter.record
                     and (parameter.constant or not v.constant)]
            value = f"{parameter.record.name}::make({self.expression(parameter.record.fields[0].type, depth)})"
            return self.random.choice(found + [value]) if parameter.constant else self.pick(found)
        found = [v for v in self.scope.all() if v.type == parameter.type and v.shape in ("array", "cursor")
                 and v.length >= parameter.length and (parameter.constant or not v.constant)]
        if parameter.length == 1:
            found += [v for v in self.scope.all() if v.type == parameter.type and v.shape == "pointer"
                      and (parameter.constant or not v.constant)]
        if not found:
            return None
        v = self.random.choice(found)
        spare = v.length - parameter.length
        if v.shape != "pointer" and spare and self.random.random() < 0.5:
            return f"{v.name} + {self.random.randrange(spare + 1)}"
        return v.name

    def pick(self, items):
        return self.random.choice(items) if items else None

    def punned(self, type_, depth):
        """The bytes of something else."""
        ways = []
        if type_ == U32:
            ways.append(lambda: f"bits_of({self.expression(F32, depth)})")
        if type_ == U64:
            ways.append(lambda: f"bits_of({self.expression(F64, depth)})")
        if type_ == U8:
            ways.append(lambda: f"byte_of({self.expression(U32, depth)}, {self.expression(U32, depth - 1)})")
        arrays = [v for v in self.scope.all() if v.shape == "array" and v.type.integer
                  and v.length * v.type.bits >= type_.bits * 2]
        if arrays and type_.name != "T":  # whose size is not known here
            v = self.random.choice(arrays)
            last = (v.length * v.type.bits - type_.bits) // 8
            ways.append(lambda: f"bytes_at<{type_.name}>({v.name}, "
                                f"u32({self.expression(U32, depth - 1)} % {last + 1}u))")
        if type_.kind == "s":
            ways.append(lambda: f"std::bit_cast<{type_.name}>({self.expression(self.unsigned_of(type_), depth)})")
        return self.random.choice(ways)() if ways else self.leaf(type_)

    def unsigned_of(self, type_):
        return next(u for u in UNSIGNED if u.bits == type_.bits)

    # Floating point

    def floating(self, type_, depth):
        kind = self.choose([(5, "arithmetic"), (2, "convert"), (1, "other"), (1, "root"), (1, "choice"), (1, "bits"),
                            (1, "pick"), (1, "call")])
        name = type_.name
        if kind == "convert":
            source = self.random.choice(INTEGERS)
            return f"tame({name}({self.expression(source, depth - 1)}))"
        if kind == "other":
            return f"tame({name}({self.expression(F64 if type_ == F32 else F32, depth - 1)}))"
        if kind == "root":
            return f"std::sqrt(std::fabs({self.expression(type_, depth - 1)}))"
        if kind == "choice":
            return self.choice(type_, depth - 1)
        if kind == "bits":
            bits = U32 if type_ == F32 else U64
            return f"tame(std::bit_cast<{name}>({self.expression(bits, depth - 1)}))"
        if kind == "pick":
            a, b = self.expression(type_, depth - 1), self.expression(type_, depth - 1)
            return f"{self.random.choice(['std::min', 'std::max'])}<{name}>({a}, {b})"
        if kind == "call":
            return self.call(type_, depth - 1)
        text = self.expression(type_, depth - 1)
        for _ in range(self.random.randrange(1, 4)):  # more would leave the range
            text = f"({text} {self.random.choice('+-*/')} {self.expression(type_, depth - 2)})"
        return f"tame({text})"
