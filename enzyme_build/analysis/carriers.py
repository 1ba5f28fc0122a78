"""Carriers: which values carry numbers, be it as the bits of an integer.

A floating-point value does. An integer does if memory or other values say that it is a number's bits, if numbers are
packed into it, or if nobody uses it as an integer and it comes from where outsiders may have put a number. What only
may carry bits of a number is *watched*: it moves while the derivative runs, where it is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.types import FLOAT, FloatType, IntType, PointerType, Type
from enzyme_build.ir.values import Argument, Constant, ConstantInt, Value

from .bits import SMALLEST, bits_of
from .kinds import Kind
from .mixed_words import is_word
from .number_places import Sure
from .objects import objects
from .offsets import scalar_leaves

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from .bitflow import BitFlow
    from .contents import Content
    from .memory import Memory
    from .packing import Packing

_SHIFTS = ("shl", "lshr", "ashr")
_NARROW = 32
_FROM_BITS = (ir.Cast, ir.Binary, ir.Phi, ir.Select, ir.Freeze, ir.ExtractElement, ir.InsertElement, ir.ShuffleVector)
"""What is refused where it is computed from integers that carry numbers."""


class Carriers:
    """Answers for one function; results are remembered."""

    def __init__(self, memory: Memory, packing: Packing, bit_flow: BitFlow) -> None:
        self._memory = memory
        self._packing = packing
        self._bit_flow = bit_flow
        self._known: dict[Value, bool] = {}
        self._watched: set[Value] = set()
        self._asked: dict[Value, bool] = {}
        """Merges of values that are looked at for the sake of another, and whether each was met again."""
        self._read: dict[Function, Mapping[Value, list[ir.Instruction]]] = {}

    def number(self, value: Value) -> bool:
        """Does it carry a number, or a part of one?"""
        known = self._known.get(value)
        if known is not None:
            return known
        if value in self._asked:  # around a loop: what else is merged tells
            self._asked[value] = True
            return False
        found = not isinstance(value, Constant) and self._type_carries(value, value.type)
        if found or not any(self._asked.values()):
            self._known[value] = found
        return found

    def _type_carries(self, value: Value, type_: Type) -> bool:
        if isinstance(type_, FloatType):
            return True
        if isinstance(type_, PointerType):
            return False
        for path, leaf, _ in scalar_leaves(self._memory.layout, type_):
            if isinstance(leaf, FloatType):
                return True
            if isinstance(leaf, IntType) and leaf.bits >= 16:
                content = self._content(value, path)
                if content is not None and self._joins_numbers(value, content):
                    continue
                counts = content is not None and self._counts(value, content)
                if content is not None and _may_be_number(content) and not (is_word(content) or counts):
                    return not self._only_counts(value)
                if self._is_product(value):
                    self._watched.add(value)
                    return True
                if self._packing.parts(value, path) and not counts:
                    return True
                if content is not None and content.kind is Kind.UNKNOWN and leaf.bits >= 32 and self._moved(value):
                    return True
        sure = self._bit_flow.sure(value)
        if sure is Sure.MAYBE:
            self._watched.add(value)
        return sure is not Sure.NO

    def _is_product(self, value: Value) -> bool:
        """Is this computed from integers by the language's rules, to which only possibly a number was moved, so that
        no part of it is left? It goes where numbers are if it is a member of a variant."""
        if not isinstance(value, ir.Binary) or self._bit_flow.sure(value) is not Sure.MAYBE:
            return False
        return bool(self._packing.parts(value)) and self._packing.tears(value, _variables(value))

    def _content(self, value: Value, path: tuple[int, ...]) -> Content | None:
        """What an integer holds; of what is several things in different objects, by where it comes from and goes to."""
        content = self._memory.contents.get((value, path))
        if content is None or content.kind is not Kind.MIXED:
            return content
        return objects(self._memory).content(self._memory.function, value, path) or content

    def _joins_numbers(self, value: Value, content: Content) -> bool:
        """Is this an integer that goes where numbers come from elsewhere, and none of their bits come here? Structs
        with such members are followed as a whole (see `struct_bits`)."""
        none = self._bit_flow.sure(value) is Sure.NO and value not in self._bit_flow.untold
        return content.only_number is not None and none

    def decide(self, value: Value, *, carries: bool) -> None:
        """Override what the value itself tells."""
        self._known[value] = carries

    def may_be_part(self, argument: Argument) -> bool:
        """May this integer be a part of a number, and no whole one?"""
        if self._bit_flow.sure(argument) is Sure.NO or not self.number(argument):
            return False
        float_type, size = self._memory.integer_kind(argument)[1], self._memory.layout.store_size
        whole = float_type is not None and size(float_type) == size(argument.type)
        return not whole and self._packing.lanes(argument) is None

    def is_watched(self, value: Value) -> bool:
        """Is it only possible that it carries bits of a number?"""
        return self.number(value) and value in self._watched

    def only_watched(self, varied: Collection[Value], values: Collection[Value]) -> frozenset[Value]:
        """What is watched, as far as nothing that carries a number for sure is computed from it."""
        watched = {v for v in varied if v in self._watched}
        passed = {v for v in watched if self._is_passed_as_number(v)}
        watched -= passed
        pending = [v for v in (*values, *passed) if v not in watched and isinstance(v, _FROM_BITS)]
        while pending:
            value = pending.pop()
            found = [o for o in value.operands if o in watched]
            watched.difference_update(found)
            pending += [o for o in found if isinstance(o, _FROM_BITS)]
        return frozenset(watched)

    def _is_passed_as_number(self, value: Value) -> bool:
        """Is it given to a function, or returned to one, that has a number there? Nobody looks at it on the way. What
        is computed is no number unless bits were changed, which callees look at where they store it."""
        if isinstance(value, ir.Binary) or not self._packing.parts(value):
            return False
        return any(
            isinstance(user, ir.Return) or (isinstance(user, ir.CallBase) and self._is_seen(user.callee))
            for user in self._users.get(value, ())
        )

    @property
    def _users(self) -> Mapping[Value, list[ir.Instruction]]:
        return self._users_in(self._memory.function)

    def _counts(self, value: Value, content: Content) -> bool:
        """Is this word, which is a number in other objects, one that the program computes with as an integer?"""
        if not is_word(content) and not _is_half(content):
            return False
        if isinstance(value, ir.Binary) and self._packing.tears(value, _variables(value)):
            return True
        seen: set[Value] = set()
        pending = [value]
        while pending:
            at = pending.pop()
            for user in self._users.get(at, ()):
                if isinstance(user, ir.Binary) and self._packing.tears(user, [at]):
                    return True
                if isinstance(user, ir.MERGES) and user not in seen:
                    seen.add(user)
                    pending.append(user)
        return False

    def _only_counts(self, value: Value) -> bool:
        """Does the program only compare this integer, and compute addresses with it, also in what it calls?"""
        seen: set[Value] = set()
        pending = [(self._memory.function, value)]
        while pending:
            function, at = pending.pop()
            if at in seen:
                continue
            seen.add(at)
            for user in self._users_in(function).get(at, ()):
                match user:
                    case ir.Compare() | ir.Switch():
                        pass
                    case ir.GetElementPtr() if user.operands[0] is not at:
                        pass
                    case ir.Cast(op="trunc" | "zext" | "sext") | ir.Binary() | ir.Phi() | ir.Select():
                        pending.append((function, user))
                    case ir.CallBase(callee=Function() as callee) if self._is_seen(callee):
                        formals = callee.arguments[: len(user.arguments)]
                        if at in user.arguments[len(formals) :]:
                            return False
                        given = zip(formals, user.arguments, strict=False)
                        pending += [(callee, formal) for formal, actual in given if actual is at]
                    case _:
                        return False
        return True

    def _users_in(self, function: Function) -> Mapping[Value, list[ir.Instruction]]:
        if function not in self._read:
            self._read[function] = users(function)
        return self._read[function]

    def may_be_number(self, value: Value) -> bool:
        """Is it moved on, and nobody uses it as an integer?"""
        if value in self._packing.counted:
            return False
        pending, seen = [value], {value}
        while pending:
            at = pending.pop()
            content = self._memory.contents.get((at, ()))
            if content is not None and content.kind in (Kind.INTEGER, Kind.POINTER):
                continue
            if at not in self._packing.emptied:
                return True
            if not _is_computed(at):
                pending += (o for o in _moved_by(at) if o not in seen)
                seen.update(pending)
        return False

    def _is_seen(self, callee: Value) -> bool:
        return isinstance(callee, Function) and self._memory.module.is_defined(callee.name)

    def _stores(self, user: ir.Instruction, value: Value) -> bool:
        """Is a value only stored or returned here, maybe by a callee?"""
        if not isinstance(user, ir.CallBase):
            return isinstance(user, ir.Store | ir.Return)
        callee = user.callee
        if not isinstance(callee, Function) or not self._is_seen(callee):
            return False
        read = self._users_in(callee)
        formals = (formal for formal, actual in zip(callee.arguments, user.arguments, strict=False) if actual is value)
        return all(isinstance(i, ir.Store) for formal in formals for i in read.get(formal, ()))

    def _moved(self, value: Value) -> bool:
        """Is this read from memory that outsiders see, maybe by a callee? What nobody uses as an integer may be a
        number."""
        if isinstance(value, ir.Load):
            place = self._memory.place(value.pointer)
            return place is not None and place.region.external
        if isinstance(value, ir.CallBase):
            return self._is_seen(value.callee) and all(self._stores(i, value) for i in self._users.get(value, ()))
        if not isinstance(value, ir.Phi | ir.Select):
            return False
        is_first = not self._asked
        self._asked[value] = False
        found = any(self.number(o) and o not in self._watched for o in ir.merged(value))
        if is_first:
            self._asked.clear()
        elif found:
            del self._asked[value]
        return found


def _is_half(content: Content) -> bool:
    """Is this a `float` in some objects and an integer in others?"""
    return content.kind is Kind.MIXED and content.is_aligned and content.claimed_numbers == {FLOAT}


def _may_be_number(content: Content) -> bool:
    """May this be a number? A pointer at some times and an integer at others is none."""
    told = bool(content.claimed_numbers)
    return content.kind is Kind.FLOAT or (content.kind is Kind.MIXED and told)


def _is_computed(value: Value) -> bool:
    """Is this shifted by less than a byte, so that it is a number of no type that has room in it?"""
    if not isinstance(value, ir.Binary) or value.op not in _SHIFTS or bits_of(value) > _NARROW:
        return False
    amount = value.operands[1]
    return isinstance(amount, ConstantInt) and amount.value % 8 != 0


def _moved_by(value: Value) -> list[Value]:
    """What an integer is put together of, but for constants and what has no room for a number."""
    assert isinstance(value, ir.Instruction)
    operands = value.operands[1:] if isinstance(value, ir.Select) else value.operands
    return [o for o in operands if not isinstance(o, Constant) and bits_of(o) >= SMALLEST]


def _variables(i: ir.Instruction) -> list[Value]:
    return [operand for operand in i.operands if not isinstance(operand, Constant)]
