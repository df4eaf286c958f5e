# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generator knows of C++: types, variables, classes, functions, and what is in scope."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Type:
    """A scalar type; `kind` is u (unsigned), s (signed), f (floating point) or b (bool)."""

    name: str
    kind: str
    bits: int

    @property
    def integer(self):
        return self.kind in "us"


U8, U16, U32, U64 = (Type(f"u{n}", "u", n) for n in (8, 16, 32, 64))
S8, S16, S32, S64 = (Type(f"i{n}", "s", n) for n in (8, 16, 32, 64))
F32, F64 = Type("f32", "f", 32), Type("f64", "f", 64)
BOOL = Type("bool", "b", 8)
UNSIGNED = [U8, U16, U32, U64]
INTEGERS = [S32, U32, S64, U64, S8, U8, S16, U16]
FLOATS = [F32, F64]


@dataclasses.dataclass
class Variable:
    """A name that expressions may read, and assignments write unless it is constant.

    `shape`: scalar, array (of `length`, a power of two), pointer (to one), cursor (to `length` of them), table
    (of `length` pointers), object (of class `record`).
    """

    name: str
    type: Type
    shape: str = "scalar"
    length: int = 1
    record: object = None
    constant: bool = False
    local: bool = True  # in private memory: its address may mix with those of other locals


@dataclasses.dataclass
class Field:
    name: str
    type: Type
    length: int = 1
    width: int = 0  # bits of a bit-field


@dataclasses.dataclass
class Record:
    """A class. `make`, its named constructor, takes a value of `fields[0].type`."""

    name: str
    fields: list
    methods: list = dataclasses.field(default_factory=list)  # pure Functions


@dataclasses.dataclass
class Function:
    """Parameters are Variables. A pure one has no side effects, so that it may stand anywhere in an expression."""

    name: str
    result: Type  # None: void
    parameters: list
    pure: bool = True
    cost: int = 1  # how many iterations of loops a call may run


class Scope:
    """Names in scope, and what a jump from here can reach."""

    def __init__(self, parent=None, function=None):
        self.parent = parent
        self.function = function or (parent.function if parent else None)
        self.variables = []
        self.callables = []
        self.depth = parent.depth + 1 if parent else 0

    def all(self):
        scope, found = self, []
        while scope:
            found += scope.variables
            scope = scope.parent
        return found

    def all_callables(self):
        scope, found = self, []
        while scope:
            found += scope.callables
            scope = scope.parent
        return found


@dataclasses.dataclass
class Jumps:
    """The jumps that a statement may end with."""

    loops: int = 0  # loops around it, within the function
    in_switch: bool = False  # `break` would leave a switch
    labels: tuple = ()  # labels after constructs around it
    result: Type = None  # what `return` takes
    can_return: bool = False
    iterations: int = 1  # product of the trip counts around it
