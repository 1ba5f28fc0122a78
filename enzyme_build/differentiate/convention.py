"""How the user's rule functions are called: which of their parameters is what.

The primal's parameters are read as the C arguments they were made of; those of a rule function are then matched with
them: every argument, its shadow behind it where it has one, then what the seed and the tape became. Structs passed or
returned by value are *images*: bytes in memory, of which the calling convention makes registers, memory and `sret`.
"""

from __future__ import annotations

import itertools
from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.ir.types import VOID, PointerType
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Argument

_IN_MEMORY = regex(r"\b(byval|byref|sret)\(((?:[^()]|\([^()]*\))*)\)")
_REGISTER = regex(r"(.+)\.coerce\d+")
_MOST_PATTERNS = 1 << 12
EIGHTBYTE = 8


class Kind(Enum):
    RESULT = "memory for a struct result"
    POINTER = "pointer"
    NUMBER = "number"
    STRUCT = "struct passed by value in memory"
    OTHER = "integer"


@dataclass(frozen=True, slots=True)
class Formal:
    """One parameter of the primal; `type` is the struct's for those in memory."""

    index: int
    kind: Kind
    type: Type
    struct: str = ""
    """The name of the struct passed by value that it is one register of; clang calls them `s.coerce0` …"""


@dataclass(frozen=True, slots=True)
class Slot:
    """What a rule function's parameter takes: the primal's argument `index`, or its shadow."""

    index: int
    shadow: bool = False


Pattern = tuple[Slot, ...]


def in_memory(module: Module, argument: Argument) -> tuple[str, Type] | None:
    """("byval" or "sret", the struct's type) of a parameter that is memory for a struct.

    `byref` is what the pass's model of a function has where the program has `byval` (see `by_value`).
    """
    found = _IN_MEMORY.search(argument.attributes)
    return (found[1].replace("byref", "byval"), module.parse_type(found[2])) if found else None


def formals(module: Module, function: Function) -> list[Formal]:
    """The primal's parameters as the C arguments they stand for."""
    result = []
    for argument in function.arguments:
        memory = in_memory(module, argument)
        if memory is not None:
            kind, type_ = (Kind.RESULT if memory[0] == "sret" else Kind.STRUCT), memory[1]
        else:
            type_ = argument.type
            kind = (
                Kind.POINTER if isinstance(type_, PointerType) else Kind.NUMBER if type_.is_float_like else Kind.OTHER
            )
        register = _REGISTER.fullmatch(argument.name or "")
        result.append(Formal(argument.index, kind, type_, register[1] if register else ""))
    return result


def _together(formals: Sequence[Formal]) -> list[tuple[Formal, ...]]:
    """The arguments of the source: one parameter each, or those that hold one struct."""
    found: list[tuple[Formal, ...]] = []
    for formal in formals:
        if formal.struct and found and found[-1][0].struct == formal.struct:
            found[-1] = (*found[-1], formal)
        else:
            found.append((formal,))
    return found


def arguments_of(module: Module, rule: Function) -> tuple[Type | None, list[Argument]]:
    """The struct that a rule function returns in memory, and its other parameters."""
    first = in_memory(module, rule.arguments[0]) if rule.arguments else None
    if first is not None and first[0] == "sret":
        return first[1], rule.arguments[1:]
    return None, rule.arguments


def patterns(
    module: Module, primal: Sequence[Formal], given: Sequence[Argument], *, tangents: bool, whole: bool
) -> Iterator[Pattern]:
    """The ways in which the parameters `given` (all, or the first) are arguments and shadows; most shadows first.

    Pointers have shadows; with `tangents` numbers and structs too. A rule that needs no shadow of one may leave it out.
    """
    kinds = (Kind.POINTER, Kind.NUMBER, Kind.STRUCT) if tangents else (Kind.POINTER,)
    arguments = _together([formal for formal in primal if formal.kind is not Kind.RESULT])
    shadowed = [argument for argument in arguments if any(formal.kind in kinds for formal in argument)]
    tried = 0
    for count in range(len(shadowed), -1, -1):
        for chosen in itertools.combinations(shadowed, count):
            tried += 1
            if tried > _MOST_PATTERNS:
                return
            pattern = tuple(
                Slot(formal.index, shadow)
                for argument in arguments
                for shadow in ((False, True) if argument in chosen else (False,))
                for formal in argument
            )
            if (len(pattern) == len(given) or not whole) and _fits(module, primal, pattern, given):
                yield pattern


def _fits(module: Module, primal: Sequence[Formal], pattern: Pattern, given: Sequence[Argument]) -> bool:
    if len(given) < len(pattern):
        return False
    for slot, argument in zip(pattern, given, strict=False):
        formal = primal[slot.index]
        memory = in_memory(module, argument)
        type_ = memory[1] if memory is not None else argument.type
        by_value = memory is not None and memory[0] == "byval"
        if by_value != (formal.kind is Kind.STRUCT):
            return False
        same = module.layout.alloc_size(type_) == module.layout.alloc_size(formal.type) if by_value else False
        if type_ is not formal.type and not same:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Image:
    """A struct of C by its size in bytes, and where its members begin."""

    size: int
    offsets: tuple[int, ...]

    def is_size(self, size: int) -> bool:
        """Is a value of `size` bytes what the convention makes of it? Registers hold eight bytes, or a power of two."""
        if self.size <= EIGHTBYTE:
            return self.size <= size <= 1 << max(self.size - 1, 0).bit_length()
        return self.size <= size <= -(-self.size // EIGHTBYTE) * EIGHTBYTE


def c_struct(layout: DataLayout, members: Sequence[Type | int]) -> Image:
    """A struct of these members; one known by its number of bytes only is aligned as its neighbours need."""
    offsets, at, widest = [], 0, 1
    for member in members:
        if isinstance(member, int):
            offsets.append(at)
            at += member
            continue
        align = layout.alignment(member)
        widest = max(widest, align)
        at = -(-at // align) * align
        offsets.append(at)
        at += layout.alloc_size(member)
    return Image(-(-at // widest) * widest, tuple(offsets))


def registers(module: Module, parameters: Sequence[Argument]) -> tuple[Type | None, int]:
    """The struct (or value) that these parameters pass by value, and its size without padding at the end."""
    from enzyme_build.ir.types import struct_type

    if not parameters:
        return None, 0
    memory = in_memory(module, parameters[0])
    if len(parameters) == 1:
        type_ = memory[1] if memory is not None else parameters[0].type
        size = module.layout.alloc_size(type_) if memory is not None else module.layout.store_size(type_)
        return type_, size
    return (
        struct_type(tuple(p.type for p in parameters)),
        EIGHTBYTE * (len(parameters) - 1) + module.layout.store_size(parameters[-1].type),
    )


_C_NAMES = {"ptr": "void *", "i8": "char", "i16": "short", "i32": "int", "i64": "long", "x86_fp80": "long double"}


def c_name(type_: Type) -> str:
    """A type as the hints of messages write it."""
    if type_ is VOID:
        return "void"
    return _C_NAMES.get(type_.text, type_.text.removeprefix("%struct.").removeprefix("%"))
