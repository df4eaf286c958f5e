# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statements that branch."""

import dataclasses

from .model import U8, U32, Variable
from .statements import Statements


class ControlFlow(Statements):

    def affordable(self):
        return 400

    def inside(self, jumps, trips):
        """The jumps of a loop's body."""
        self.cost = max(self.cost, jumps.iterations * trips)
        return dataclasses.replace(jumps, loops=jumps.loops + 1, in_switch=False, iterations=jumps.iterations * trips)

    def few(self):
        return self.random.randrange(1, 5)

    def guarded_jump_(self, jumps, _indent):
        return self.guarded_jump(jumps)

    def guarded_jump(self, jumps):
        """`if (...) break` and the like."""
        ways = []
        if jumps.loops:
            ways += ["continue"] * 2 + ["break"] * 2
        elif jumps.in_switch:
            ways.append("break")
        ways += [f"goto {label}" for label in jumps.labels] * 2
        if jumps.can_return and self.scope.depth > 2:
            ways.append("return" if jumps.result is None else f"return {self.value(jumps.result)}")
        if not ways:
            return self.assign(jumps, 0)
        return [f"if ({self.condition(2)}) {self.random.choice(ways)};"]

    def if_(self, jumps, indent):
        lines = [f"if ({self.condition(3)}) "]
        body = self.block(self.few(), jumps, indent)
        lines[0] += body[0]
        lines += body[1:]
        while self.random.random() < 0.4:
            last = self.random.random() < 0.6
            body = self.block(self.few(), jumps, indent)
            lines[-1] += " else " + ("" if last else f"if ({self.condition(2)}) ") + body[0]
            lines += body[1:]
            if last:
                break
        return lines

    def count_loop(self, jumps, indent):
        """A `for` with a constant trip count."""
        trips = self.random.randrange(1, 7)
        if jumps.iterations * trips > 200:
            return self.if_(jumps, indent)
        i = Variable(self.name("i"), self.random.choice([U32, U8]), constant=True)
        header = self.random.choice([
            f"for ({i.type.name} {i.name} = 0; {i.name} < {trips}; ++{i.name}) ",
            f"for ({i.type.name} {i.name} = {trips}; {i.name}-- != 0;) ",
            f"for ({i.type.name} {i.name} = 0; {i.name} != {trips * 3}; {i.name} += 3) ",
        ])
        body = self.block(self.few(), self.inside(jumps, trips), indent, [i])
        return [header + body[0]] + body[1:]

    def fuel_loop(self, jumps, indent):
        """A `while`, `do` or endless `for` that ends when a condition says so, or the fuel."""
        if jumps.iterations > 100:
            return self.if_(jumps, indent)
        condition = self.condition(2)
        spend = f"{self.fuel} != 0 && {self.fuel}-- != 0"
        inner = self.inside(jumps, 8)
        body = self.block(self.few(), inner, indent)
        kind = self.random.choice(["while", "do", "for"])
        if kind == "while":
            return [f"while ({spend} && {condition}) " + body[0]] + body[1:]
        if kind == "do":
            return ["do " + body[0]] + body[1:-1] + [body[-1] + f" while ({spend} && {condition});"]
        return ["for (;;) " + body[0], "  " * (indent + 1) + f"if (!({spend})) break;"] + body[1:]

    def switch(self, jumps, indent):
        mask = self.random.choice([3, 7, 7, 15])
        selector = self.random.choice([f"{self.expression(U32, 2)} & {mask}u",
                                       f"u8({self.expression(U8, 2)} & {mask})"])
        labels = self.random.sample(range(mask + 1), self.random.randrange(1, min(mask, 6) + 1))
        arms = [[label] for label in labels]
        for arm in arms:
            if len(arms) > 2 and self.random.random() < 0.2 and arm is not arms[-1]:
                arm += arms.pop()
        if self.random.random() < 0.8:
            arms.insert(self.random.randrange(len(arms) + 1), ["default"])
        pad = "  " * (indent + 1)
        lines = [f"switch (({selector})) {{"]
        for arm in arms:
            names = " ".join("default:" if a == "default" else f"case {a}:" for a in arm)
            # A break inside leaves the switch, not a loop; a continue goes on with the loop.
            body = self.block(self.random.randrange(1, 3), dataclasses.replace(jumps, in_switch=True), indent + 1)
            lines += [f"{pad}{names} {body[0]}"] + body[1:]
            if self.random.random() < 0.6:
                lines.append(pad + "break;")
            else:
                lines.append(pad + "[[fallthrough]];" if arm is not arms[-1] else pad + "break;")
        return lines + ["  " * indent + "}"]

    def region(self, jumps, indent):
        """Statements of any depth that may jump behind them: out of nests of loops and switches."""
        label = self.name("out")
        body = self.block(self.few() + 1, dataclasses.replace(jumps, labels=jumps.labels + (label,)), indent)
        return body + [f"{label}:;"]

    def backward(self, jumps, indent):
        """A loop made of a goto."""
        if jumps.iterations > 100:
            return self.region(jumps, indent)
        label = self.name("again")
        self.cost = max(self.cost, jumps.iterations * 8)
        inner = dataclasses.replace(jumps, iterations=jumps.iterations * 8)
        body = self.block(self.few(), inner, indent)
        jump = f"if ({self.fuel} != 0 && {self.fuel}-- != 0 && {self.condition(2)}) goto {label};"
        return [f"{label}: " + body[0]] + body[1:-1] + ["  " * (indent + 1) + jump] + [body[-1]]

    def machine(self, jumps, indent):
        """Labels that jump among themselves at random: loops with several entries, and loops entered in the middle."""
        if jumps.iterations > 60:
            return self.if_(jumps, indent)
        self.cost = max(self.cost, jumps.iterations * 8)
        inner = dataclasses.replace(jumps, iterations=jumps.iterations * 8)
        labels = [self.name("s") for _ in range(self.random.randrange(2, 5))]
        end = self.name("end")
        spend = f"{self.fuel} != 0 && {self.fuel}-- != 0"
        lines = [f"if ({self.condition(2)}) goto {self.random.choice(labels)};"]
        for label in labels:
            body = self.block(self.random.randrange(1, 3), inner, indent)
            lines += [f"{label}: " + body[0]] + body[1:]
            lines += [f"if (!({spend})) goto {end};"]
            kind = self.random.random()
            if kind < 0.5:
                lines += [f"if ({self.condition(2)}) goto {self.random.choice(labels)};"]
            elif kind < 0.7:
                lines += [f"goto {self.random.choice(labels + [end])};"]
        if self.random.random() < 0.4:  # into the body of a loop
            middle = self.name("mid")
            body = self.block(self.random.randrange(1, 3), self.inside(inner, 1), indent + 1)
            lines.insert(1, f"if ({self.condition(2)}) goto {middle};")
            pad = "  " * (indent + 1)
            lines += [f"while ({spend}) {{", f"{pad}{middle}: " + body[0]] + body[1:]
            lines += [f"{pad}if ({self.condition(2)}) goto {self.random.choice(labels)};", "  " * indent + "}"]
        return lines + [f"{end}:;"]
