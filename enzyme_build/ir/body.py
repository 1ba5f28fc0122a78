"""Bodies of functions: one pattern for each ordinary line, and the `general` parser for every other.

The patterns accept what LLVM prints for the instructions that make up real programs; a line they do not match is
read word by word, so a pattern may be narrow but must never match what it does not understand. Continuation lines
(`invoke`, `landingpad`, `switch`) are joined first. An operand used before its definition is a `Forward` until the
function ends; the place of its user is noted, so that no instruction is visited twice.
"""

from __future__ import annotations

import gc
import re
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError

from .function import Block, DebugRecord, Function
from .general import Forward, read_instruction
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
from .names import local_text, unquote
from .opcodes import CASTS, FLOAT_BINARY, INTEGER_BINARY
from .types import I1, PTR, Type
from .values import MetadataOperand, Value, const_int

if TYPE_CHECKING:
    from collections.abc import Callable

    from .module import Module

# A plain or vector type; then also aggregates without nesting.
_T = r"(\w+|<\d+ x \w+>)"
_A = r"(\w+|%[-\w.$]+|<\d+ x \w+>|\[\d+ x [\w.%]+\]|\{[^{}]*\}|%\"[^\"]*\")"
_O = r"([^ ,<\[{\"]+|(?:splat|getelementptr[a-z ]*) \([^()\"]*\)|<[^<>()\"]*>|[%@]\"[^\"]*\")"
_L = r"(%[-\w.$]+|%\"[^\"]*\")"
_M = r"(?:, (![^;]*))?"
_FLAGS = r"((?:n[a-z]+ |fast |exact |disjoint |reassoc |arcp |contract |afn |samesign )*)"
_INDICES = r"((?:, \d+)+)"

_binary: Final = re.compile(f"{_FLAGS}{_T} {_O}, {_O}{_M}").fullmatch
_unary: Final = re.compile(f"{_FLAGS}{_A} {_O}{_M}").fullmatch
_cast: Final = re.compile(f"{_FLAGS}{_T} {_O} to {_T}{_M}").fullmatch
_compare: Final = re.compile(rf"{_FLAGS}([a-z]+) {_T} {_O}, {_O}{_M}").fullmatch
_select: Final = re.compile(rf"{_FLAGS}(i1|<\d+ x i1>) {_O}, {_A} {_O}, (?:\w+|<\d+ x \w+>) {_O}{_M}").fullmatch
_phi: Final = re.compile(rf"{_FLAGS}{_A} ((?:\[ {_O}, {_L} \](?:, )?)+){_M}").fullmatch
_incoming: Final = re.compile(rf"\[ {_O}, {_L} \]").findall
_load: Final = re.compile(rf"(volatile )?{_A}, ptr {_O}(?:, align (\d+))?{_M}").fullmatch
_store: Final = re.compile(rf"(volatile )?{_A} {_O}, ptr {_O}(?:, align (\d+))?{_M}").fullmatch
_gep: Final = re.compile(rf"((?:inbounds |nusw |nuw )*){_A}, ptr {_O}((?:, i\d+ [^ ,<\[{{\"(]+)+){_M}").fullmatch
_alloca: Final = re.compile(rf"{_A}(?:, (i\d+) {_O})?(?:, align (\d+))?{_M}").fullmatch
_jump: Final = re.compile(f"label {_L}{_M}").fullmatch
_branch: Final = re.compile(f"i1 {_O}, label {_L}, label {_L}{_M}").fullmatch
_call: Final = re.compile(
    r"((?:[^@%\"]++|%[-\w.$]++(?=[ )]))*+)([@%][-\w.$]+|@\"[^\"]*\")\((.*)\)([^()\",;!]*)(?:, (![^;\"]*))?"
).fullmatch
_invoke: Final = re.compile(rf"(.*\)[^()\"\[]*) to label {_L} unwind label {_L}{_M}").fullmatch
_argument: Final = re.compile(
    r"([^,()\"%@{]*(?:(?:\((?:[^()\"]++|\"[^\"]*\")*+\)|\{[^{}\"]*\})[^,()\"%@{]*)*)"
    r" ([%@]?[-+\w.$]+|[@%]\"[^\"]*\")(?:, |$)"
).match
_cleanup: Final = re.compile(rf"{_A} cleanup{_M}").fullmatch
_switch: Final = re.compile(
    rf"(i\d+) {_O}, label {_L} \[((?: i\d+ -?\d+, label (?:%[-\w.$]+|%\"[^\"]*\"))*+) ?\]{_M}"
).fullmatch
_case: Final = re.compile(rf" i\d+ (-?\d+), label {_L}").findall
_extract_value: Final = re.compile(rf"{_A} {_O}{_INDICES}{_M}").fullmatch
_insert_value: Final = re.compile(rf"{_A} {_O}, {_A} {_O}{_INDICES}{_M}").fullmatch
_extract_element: Final = re.compile(f"{_T} {_O}, {_T} {_O}{_M}").fullmatch
_three: Final = re.compile(f"{_T} {_O}, {_T} {_O}, {_T} {_O}{_M}").fullmatch
_record: Final = re.compile(r"(#dbg_\w+\([^%{}(]*)(%[-\w.$]+)(, [^%{}]*)").fullmatch
_record_local: Final = re.compile(r"%(?:[-\w.$]+|\"[^\"]*\")(?=[,)])").finditer
_label: Final = re.compile(r"([-\w.$]+|\"[^\"]*\"):").match


class _Blocks(dict[str, Block]):
    """Blocks by label text (`%entry`), made at their first mention."""

    __slots__ = ()

    def __missing__(self, text: str) -> Block:
        block = self[text] = Block(None if text[1].isdigit() else unquote(text[1:]))
        return block


class BodyParser:
    """State while one body is read: the locals by text, and where forward references stand."""

    __slots__ = ("blocks", "forwards", "get", "instructions", "locals", "module", "parameters", "records", "types")

    def __init__(self, module: Module) -> None:
        self.module = module
        self.types = module.type_table
        self.parameters = module.parameter_table
        self.locals: dict[str, Value] = {}
        self.get = self.locals.get
        self.blocks = _Blocks()
        self.instructions: list[Instruction] = []
        self.forwards: list[tuple[list[Instruction], int]] = []
        self.records: list[tuple[DebugRecord, list[str]]] = []

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
        match = _binary(rest)
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
        match = _compare(rest)
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
        match = _cast(rest)
        if match is None:
            return None
        flags, kind, a, target, metadata = match.groups()
        value = self.get(a) or self.operand(self.types[kind], a)
        return Cast(op, value, self.types[target], flags and flags[:-1], None, metadata or "")

    def negate(self, _: str, rest: str) -> Instruction | None:
        match = _unary(rest)
        if match is None:
            return None
        flags, kind, a, metadata = match.groups()
        return Negate(self.get(a) or self.operand(self.types[kind], a), flags and flags[:-1], None, metadata or "")

    def freeze(self, _: str, rest: str) -> Instruction | None:
        match = _unary(rest)
        if match is None or match[1]:
            return None
        _, kind, a, metadata = match.groups()
        return Freeze(self.get(a) or self.operand(self.types[kind], a), None, metadata or "")

    def select(self, _: str, rest: str) -> Instruction | None:
        match = _select(rest)
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
        match = _phi(rest)
        if match is None:
            return None
        type_ = self.types[match[2]]
        get = self.get
        blocks = self.blocks
        operands = []
        predecessors = []
        for value, label in _incoming(match[3]):
            operands.append(get(value) or self.operand(type_, value))
            predecessors.append(blocks[label])
        return Phi(type_, operands, predecessors, match[1] and match[1][:-1], None, match[6] or "")

    def load(self, _: str, rest: str) -> Instruction | None:
        match = _load(rest)
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
        match = _store(rest)
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
        match = _gep(rest)
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
        match = _alloca(rest)
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
        match = _invoke(rest)
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
        match = _call(rest)
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
            part = _argument(listed, place)
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
        match = _extract_value(rest)
        if match is None:
            return None
        kind, aggregate, listed, metadata = match.groups()
        type_ = self.types[kind]
        indices = [int(index) for index in listed[2:].split(", ")]
        value = self.get(aggregate) or self.operand(type_, aggregate)
        return ExtractValue(self.module.element_type(type_, indices), value, indices, None, metadata or "")

    def insert_value(self, _: str, rest: str) -> Instruction | None:
        match = _insert_value(rest)
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
        match = _extract_element(rest)
        if match is None:
            return None
        kind, vector, index_kind, index, metadata = match.groups()
        return ExtractElement(
            self.local(self.types[kind], vector), self.local(self.types[index_kind], index), None, metadata or ""
        )

    def insert_element(self, _: str, rest: str) -> Instruction | None:
        match = _three(rest)
        if match is None:
            return None
        k1, a, k2, b, k3, c, metadata = match.groups()
        types = self.types
        return InsertElement(
            self.local(types[k1], a), self.local(types[k2], b), self.local(types[k3], c), None, metadata or ""
        )

    def shuffle_vector(self, _: str, rest: str) -> Instruction | None:
        match = _three(rest)
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
        match = _branch(rest)
        blocks = self.blocks
        if match is None:
            match = _jump(rest)
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
        match = _unary(rest)
        if match is None or match[1]:
            return None
        return Return(self.local(self.types[match[2]], match[3]), match[4] or "")

    def resume(self, _: str, rest: str) -> Instruction | None:
        match = _unary(rest)
        if match is None or match[1]:
            return None
        return Resume(self.local(self.types[match[2]], match[3]), match[4] or "")

    def landing_pad(self, _: str, rest: str) -> Instruction | None:
        """Only the most common one: a cleanup without clauses."""
        match = _cleanup(rest)
        return None if match is None else LandingPad(self.types[match[1]], (), cleanup=True, metadata=match[2] or "")

    def switch(self, _: str, rest: str) -> Instruction | None:
        match = _switch(rest)
        if match is None:
            return None
        kind, value, default, listed, metadata = match.groups()
        type_ = self.types[kind]
        blocks = self.blocks
        cases = [(const_int(type_, int(number)), blocks[label]) for number, label in _case(listed)]
        return Switch(self.local(type_, value), blocks[default], cases, metadata or "")

    def unreachable(self, _: str, rest: str) -> Instruction | None:
        return Unreachable(rest)

    # The body -----------------------------------------------------------------------------------------------------

    def record(self, block: Block, line: str) -> None:
        """Keep a `#dbg_…` line with holes where its locals stand."""
        index = len(block.instructions)
        match = _record(line)
        if match is not None:
            value = self.get(match[2])
            if value is not None:
                block.records.append(DebugRecord(index, f"{match[1]}{{}}{match[3]}", (value,)))
                return
        text: list[str] = []
        names: list[str] = []
        place = 0
        for local in _record_local(line):
            text += (line[place : local.start()].replace("{", "{{").replace("}", "}}"), "{}")
            names.append(local[0])
            place = local.end()
        text.append(line[place:].replace("{", "{{").replace("}", "}}"))
        record = DebugRecord(index, "".join(text))
        block.records.append(record)
        if names:
            self.records.append((record, names))

    def parse(self, function: Function, text: str) -> None:
        """Fill `function` from `text`, what stands between its braces."""
        unnamed = 0
        for argument in function.arguments:
            if argument.name is None:
                self.locals[f"%{unnamed}"] = argument
                unnamed += 1
            else:
                self.locals[local_text(argument.name)] = argument
        self._lines(function, _joined(text), f"%{unnamed}")
        self._resolve(function)

    def _lines(self, function: Function, text: str, first_label: str) -> None:
        block: Block | None = None
        handlers = _HANDLERS
        locals_ = self.locals
        for line in text.split("\n"):
            if line[:3] == "  %":
                name, _, rest = line.partition(" = ")
                op, _, rest = rest.partition(" ")
                name = name[2:]
            elif line[:2] != "  ":
                stripped = line.strip()
                if not stripped or stripped[0] == ";":
                    continue
                match = _label(stripped)
                if match is None:
                    raise InputError(f"cannot read line '{stripped[:200]}' of function @{function.name}")
                block = function.add_block(self.blocks["%" + match[1]])
                self.instructions = block.instructions
                continue
            else:
                stripped = line.strip()
                name = ""
                op, _, rest = stripped.partition(" ")
                if op[:1] in "#;":
                    if op[:4] == "#dbg":
                        if block is None:
                            block = function.add_block(self.blocks[first_label])
                            self.instructions = block.instructions
                        self.record(block, stripped)
                    continue
            if block is None:
                block = function.add_block(self.blocks[first_label])
                self.instructions = block.instructions
            handler = handlers.get(op)
            instruction = handler(self, op, rest) if handler is not None else None
            if instruction is None:
                name, instruction = read_instruction(self, line.strip())
            if name:
                second = name[1]
                instruction.name = None if second in "0123456789" else name[1:] if second != '"' else unquote(name[1:])
                locals_[name] = instruction
            instruction.block = block
            block.instructions.append(instruction)

    def _resolve(self, function: Function) -> None:
        """Put definitions in the place of forward references, and locals into debug records."""
        get = self.get
        for instructions, index in self.forwards:
            instruction = instructions[index]
            operands = instruction.operands
            for position, operand in enumerate(operands):
                if type(operand) is Forward:
                    value = get(operand.text)
                    if value is None:
                        raise InputError(f"{operand.text} is not defined in function @{function.name}")
                    operands[position] = value
                elif type(operand) is MetadataOperand:
                    operand.operands = tuple(get(o.text, o) if type(o) is Forward else o for o in operand.operands)
        for record, names in self.records:
            for name in names:
                value = get(name) or self.blocks.get(name)
                if value is None:
                    raise InputError(f"{name} is not defined in function @{function.name}")
                record.operands.append(value)
        if len(function.blocks) != len(self.blocks):
            missing = next(t for t, b in self.blocks.items() if b.function is None)
            raise InputError(f"block {missing} is not defined in function @{function.name}")


def _joined(text: str) -> str:
    """The body with every instruction on one line."""
    if "\n          " in text:
        text = text.replace("\n          ", " ")
    if "switch" in text:
        text = text.replace("\n    i", " i").replace("\n  ]", " ]")
    return text


_HANDLERS: Final[dict[str, Callable[[BodyParser, str, str], Instruction | None]]] = {
    **dict.fromkeys(FLOAT_BINARY | INTEGER_BINARY, BodyParser.binary),
    **dict.fromkeys(CASTS, BodyParser.cast),
    "icmp": BodyParser.compare,
    "fcmp": BodyParser.compare,
    "fneg": BodyParser.negate,
    "freeze": BodyParser.freeze,
    "select": BodyParser.select,
    "phi": BodyParser.phi,
    "load": BodyParser.load,
    "store": BodyParser.store,
    "getelementptr": BodyParser.getelementptr,
    "alloca": BodyParser.alloca,
    "call": BodyParser.call,
    "tail": BodyParser.tail_call,
    "musttail": BodyParser.tail_call,
    "notail": BodyParser.tail_call,
    "extractvalue": BodyParser.extract_value,
    "insertvalue": BodyParser.insert_value,
    "extractelement": BodyParser.extract_element,
    "insertelement": BodyParser.insert_element,
    "shufflevector": BodyParser.shuffle_vector,
    "br": BodyParser.branch,
    "ret": BodyParser.ret,
    "invoke": BodyParser.invoke,
    "landingpad": BodyParser.landing_pad,
    "switch": BodyParser.switch,
    "resume": BodyParser.resume,
    "unreachable": BodyParser.unreachable,
    "unreachable,": BodyParser.unreachable,
}


def parse_body(module: Module, function: Function, text: str) -> None:
    """Read `text` into the blocks of `function`."""
    # Thousands of objects that all stay alive: the collector would only walk them again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        BodyParser(module).parse(function, text)
    finally:
        if collecting:
            gc.enable()
