"""Ordinary lines of a function body: one pattern and one method for each family of instructions.

A method returns None for a line that its pattern does not match; `body` then has it read token by token. Types,
parameter prefixes and call heads come from the module's tables, locals from one dictionary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from . import patterns
from .cursor import Forward
from .function import Block
from .instructions import (
    Alloca,
    Binary,
    Branch,
    Call,
    CallBase,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    Freeze,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Instruction,
    Invoke,
    Jump,
    LandingPad,
    Load,
    Negate,
    Phi,
    Resume,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unreachable,
)
from .names import unquote
from .opcodes import CASTS, FLOAT_BINARY, INTEGER_BINARY
from .types import I1, PTR, Type
from .values import Value, const_int

if TYPE_CHECKING:
    from collections.abc import Callable

    from .module import Module


class _Blocks(dict[str, Block]):
    """Blocks by label text (`%entry`), made at their first mention."""

    __slots__ = ()

    def __missing__(self, text: str) -> Block:
        block = self[text] = Block(None if text[1].isdigit() else unquote(text[1:]))
        return block


class LineParser:
    """State while one body is read: the locals by text, and where forward references stand."""

    __slots__ = ("blocks", "forwards", "get", "instructions", "locals", "module", "parameters", "types")

    def __init__(self, module: Module) -> None:
        self.module = module
        self.types = module.type_table
        self.parameters = module.parameter_table
        self.locals: dict[str, Value] = {}
        self.get = self.locals.get
        self.blocks = _Blocks()
        self.instructions: list[Instruction] = []
        self.forwards: list[tuple[list[Instruction], int]] = []

    def operand(self, type_: Type, text: str) -> Value:
        """The value of an operand that is not a local known so far."""
        first = text[0]
        if first == "%":
            self.forwards.append((self.instructions, len(self.instructions)))
            return Forward(type_, text)
        if first == "@":
            return self.module.global_by_text(text)
        return self.module.constant(type_, text)

    def local(self, type_: Type, text: str) -> Value:
        """The local `text`, defined already or later."""
        return self.get(text) or self.operand(type_, text)

    # One method for each family; None: read it the general way ------------------------------------------------------

    def binary(self, op: str, rest: str) -> Instruction | None:
        match = patterns.binary.fullmatch(rest)
        if match is None:
            return None
        flags, kind, a, b, metadata = match.groups()
        get = self.get
        type_ = self.types[kind]
        return Binary(
            op,
            get(a) or self.operand(type_, a),
            get(b) or self.operand(type_, b),
            flags and flags[:-1],
            None,
            metadata or "",
        )

    def compare(self, op: str, rest: str) -> Instruction | None:
        match = patterns.compare.fullmatch(rest)
        if match is None:
            return None
        flags, predicate, kind, a, b, metadata = match.groups()
        get = self.get
        type_ = self.types[kind]
        return Compare(
            op,
            predicate,
            get(a) or self.operand(type_, a),
            get(b) or self.operand(type_, b),
            flags and flags[:-1],
            None,
            metadata or "",
        )

    def cast(self, op: str, rest: str) -> Instruction | None:
        match = patterns.cast.fullmatch(rest)
        if match is None:
            return None
        flags, kind, a, target, metadata = match.groups()
        value = self.get(a) or self.operand(self.types[kind], a)
        return Cast(op, value, self.types[target], flags and flags[:-1], None, metadata or "")

    def negate(self, _: str, rest: str) -> Instruction | None:
        match = patterns.unary.fullmatch(rest)
        if match is None:
            return None
        flags, kind, a, metadata = match.groups()
        return Negate(self.get(a) or self.operand(self.types[kind], a), flags and flags[:-1], None, metadata or "")

    def freeze(self, _: str, rest: str) -> Instruction | None:
        match = patterns.unary.fullmatch(rest)
        if match is None or match[1]:
            return None
        _, kind, a, metadata = match.groups()
        return Freeze(self.get(a) or self.operand(self.types[kind], a), None, metadata or "")

    def select(self, _: str, rest: str) -> Instruction | None:
        match = patterns.select.fullmatch(rest)
        if match is None:
            return None
        flags, condition_kind, condition, kind, a, b, metadata = match.groups()
        get = self.get
        type_ = self.types[kind]
        return Select(
            get(condition) or self.operand(self.types[condition_kind], condition),
            get(a) or self.operand(type_, a),
            get(b) or self.operand(type_, b),
            flags and flags[:-1],
            None,
            metadata or "",
        )

    def phi(self, _: str, rest: str) -> Instruction | None:
        match = patterns.phi.fullmatch(rest)
        if match is None:
            return None
        type_ = self.types[match[2]]
        get = self.get
        blocks = self.blocks
        operands = []
        predecessors = []
        for value, label in patterns.incoming.findall(match[3]):
            operands.append(get(value) or self.operand(type_, value))
            predecessors.append(blocks[label])
        return Phi(type_, operands, predecessors, match[1] and match[1][:-1], None, match[6] or "")

    def load(self, _: str, rest: str) -> Instruction | None:
        match = patterns.load.fullmatch(rest)
        if match is None:
            return None
        volatile, kind, pointer, align, metadata = match.groups()
        return Load(
            self.types[kind],
            self.get(pointer) or self.operand(PTR, pointer),
            int(align) if align else 0,
            volatile=volatile is not None,
            metadata=metadata or "",
        )

    def store(self, _: str, rest: str) -> Instruction | None:
        match = patterns.store.fullmatch(rest)
        if match is None:
            return None
        volatile, kind, value, pointer, align, metadata = match.groups()
        get = self.get
        return Store(
            get(value) or self.operand(self.types[kind], value),
            get(pointer) or self.operand(PTR, pointer),
            int(align) if align else 0,
            volatile=volatile is not None,
            metadata=metadata or "",
        )

    def getelementptr(self, _: str, rest: str) -> Instruction | None:
        match = patterns.gep.fullmatch(rest)
        if match is None:
            return None
        flags, kind, base, listed, metadata = match.groups()
        get = self.get
        indices = []
        for part in listed[2:].split(", "):
            index_kind, _, index = part.partition(" ")
            indices.append(get(index) or self.operand(self.types[index_kind], index))
        return GetElementPtr(
            PTR,
            self.types[kind],
            get(base) or self.operand(PTR, base),
            indices,
            flags and flags[:-1],
            None,
            metadata or "",
        )

    def alloca(self, _: str, rest: str) -> Instruction | None:
        match = patterns.alloca.fullmatch(rest)
        if match is None:
            return None
        kind, count_kind, count, align, metadata = match.groups()
        return Alloca(
            PTR,
            self.types[kind],
            None if count is None else self.local(self.types[count_kind], count),
            int(align) if align else 0,
            metadata=metadata or "",
        )

    def tail_call(self, op: str, rest: str) -> Instruction | None:
        """`tail call …`, `musttail call …`, `notail call …`."""
        if not rest.startswith("call "):
            return None
        return self.call(op, rest[5:], op)

    def invoke(self, _: str, rest: str) -> Instruction | None:
        match = patterns.invoke.fullmatch(rest)
        if match is None:
            return None
        head, normal, unwind, metadata = match.groups()
        invoke = self.call("invoke", head, "", Invoke)
        if isinstance(invoke, Invoke):
            invoke.normal = self.blocks[normal]
            invoke.unwind = self.blocks[unwind]
            invoke.metadata = metadata or ""
        return invoke

    def call(self, _: str, rest: str, tail: str = "", make: type[CallBase] = Call) -> Instruction | None:
        match = patterns.call.fullmatch(rest)
        if match is None:
            return None
        head, callee_text, listed, attributes, metadata = match.groups()
        shape = self.module.call_heads[head]
        if shape is None:
            return None
        flags, convention, result_attributes, result, explicit = shape
        arguments: list[Value] = []
        texts: list[str] = []
        kinds: list[Type] = []
        place = 0
        end = len(listed)
        get = self.get
        parameters = self.parameters
        while place < end:
            part = patterns.argument.match(listed, place)
            if part is None:
                return None
            parameter = parameters[part[1]]
            if parameter is None:
                return None
            value = part[2]
            type_ = parameter[0]
            kinds.append(type_)
            texts.append(parameter[1])
            arguments.append(get(value) or self.operand(type_, value))
            place = part.end()
        function_type = explicit or self.module.function_types[result, *kinds]
        return make(
            function_type,
            get(callee_text) or self.operand(PTR, callee_text),
            arguments,
            argument_attributes=texts,
            tail=tail,
            flags=flags,
            convention=convention,
            result_attributes=result_attributes,
            function_attributes=attributes and attributes.strip(),
            metadata=metadata or "",
        )

    def extract_value(self, _: str, rest: str) -> Instruction | None:
        match = patterns.extract_value.fullmatch(rest)
        if match is None:
            return None
        kind, aggregate, listed, metadata = match.groups()
        type_ = self.types[kind]
        indices = [int(index) for index in listed[2:].split(", ")]
        value = self.get(aggregate) or self.operand(type_, aggregate)
        return ExtractValue(self.module.element_type(type_, indices), value, indices, None, metadata or "")

    def insert_value(self, _: str, rest: str) -> Instruction | None:
        match = patterns.insert_value.fullmatch(rest)
        if match is None:
            return None
        kind, aggregate, element_kind, element, listed, metadata = match.groups()
        return InsertValue(
            self.local(self.types[kind], aggregate),
            self.local(self.types[element_kind], element),
            [int(index) for index in listed[2:].split(", ")],
            None,
            metadata or "",
        )

    def extract_element(self, _: str, rest: str) -> Instruction | None:
        match = patterns.extract_element.fullmatch(rest)
        if match is None:
            return None
        kind, vector, index_kind, index, metadata = match.groups()
        return ExtractElement(
            self.local(self.types[kind], vector), self.local(self.types[index_kind], index), None, metadata or ""
        )

    def insert_element(self, _: str, rest: str) -> Instruction | None:
        match = patterns.three.fullmatch(rest)
        if match is None:
            return None
        k1, a, k2, b, k3, c, metadata = match.groups()
        types = self.types
        return InsertElement(
            self.local(types[k1], a), self.local(types[k2], b), self.local(types[k3], c), None, metadata or ""
        )

    def shuffle_vector(self, _: str, rest: str) -> Instruction | None:
        match = patterns.three.fullmatch(rest)
        if match is None:
            return None
        k1, a, k2, b, k3, mask, metadata = match.groups()
        types = self.types
        return ShuffleVector(
            self.module.shuffle_type(types[k1], types[k3]),
            self.local(types[k1], a),
            self.local(types[k2], b),
            self.module.constant(types[k3], mask),
            None,
            metadata or "",
        )

    def branch(self, _: str, rest: str) -> Instruction | None:
        match = patterns.branch.fullmatch(rest)
        blocks = self.blocks
        if match is None:
            match = patterns.jump.fullmatch(rest)
            return None if match is None else Jump(blocks[match[1]], match[2] or "")
        condition, then, otherwise, metadata = match.groups()
        return Branch(
            self.get(condition) or self.operand(I1, condition),
            blocks[then],
            blocks[otherwise],
            metadata or "",
        )

    def ret(self, _: str, rest: str) -> Instruction | None:
        if rest.startswith("void"):
            return Return(None, rest[6:])
        match = patterns.unary.fullmatch(rest)
        if match is None or match[1]:
            return None
        return Return(self.local(self.types[match[2]], match[3]), match[4] or "")

    def resume(self, _: str, rest: str) -> Instruction | None:
        match = patterns.unary.fullmatch(rest)
        if match is None or match[1]:
            return None
        return Resume(self.local(self.types[match[2]], match[3]), match[4] or "")

    def landing_pad(self, _: str, rest: str) -> Instruction | None:
        """Only the most common one: a cleanup without clauses."""
        match = patterns.cleanup.fullmatch(rest)
        return None if match is None else LandingPad(self.types[match[1]], (), cleanup=True, metadata=match[2] or "")

    def switch(self, _: str, rest: str) -> Instruction | None:
        match = patterns.switch.fullmatch(rest)
        if match is None:
            return None
        kind, value, default, listed, metadata = match.groups()
        type_ = self.types[kind]
        blocks = self.blocks
        cases = [(const_int(type_, int(number)), blocks[label]) for number, label in patterns.case.findall(listed)]
        return Switch(self.local(type_, value), blocks[default], cases, metadata or "")

    def unreachable(self, _: str, rest: str) -> Instruction | None:
        return Unreachable(rest)


HANDLERS: Final[dict[str, Callable[[LineParser, str, str], Instruction | None]]] = {
    **dict.fromkeys(FLOAT_BINARY | INTEGER_BINARY, LineParser.binary),
    **dict.fromkeys(CASTS, LineParser.cast),
    "icmp": LineParser.compare,
    "fcmp": LineParser.compare,
    "fneg": LineParser.negate,
    "freeze": LineParser.freeze,
    "select": LineParser.select,
    "phi": LineParser.phi,
    "load": LineParser.load,
    "store": LineParser.store,
    "getelementptr": LineParser.getelementptr,
    "alloca": LineParser.alloca,
    "call": LineParser.call,
    "tail": LineParser.tail_call,
    "musttail": LineParser.tail_call,
    "notail": LineParser.tail_call,
    "extractvalue": LineParser.extract_value,
    "insertvalue": LineParser.insert_value,
    "extractelement": LineParser.extract_element,
    "insertelement": LineParser.insert_element,
    "shufflevector": LineParser.shuffle_vector,
    "br": LineParser.branch,
    "ret": LineParser.ret,
    "invoke": LineParser.invoke,
    "landingpad": LineParser.landing_pad,
    "switch": LineParser.switch,
    "resume": LineParser.resume,
    "unreachable": LineParser.unreachable,
    "unreachable,": LineParser.unreachable,
}
