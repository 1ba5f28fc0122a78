"""The general parser of one instruction: every opcode with everything LLVM may print on its line.

`body` reads ordinary lines by pattern and hands the others to `read_instruction`, which goes word by word and
reports what it cannot read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from .instructions import (
    Alloca,
    AtomicRMW,
    Binary,
    Branch,
    Call,
    CallBase,
    CallBranch,
    Cast,
    Compare,
    CompareExchange,
    ExtractElement,
    ExtractValue,
    Fence,
    Freeze,
    GetElementPtr,
    IndirectBranch,
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
    VAArg,
)
from .opcodes import CASTS, CONVENTIONS, FAST_MATH, FLAGS, FLOAT_BINARY, INTEGER_BINARY
from .reader import Reader, result_of_gep
from .types import I1, METADATA, PTR, FunctionType, Type, function_type, pointer_type, struct_type
from .values import ConstantInt, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .function import Block
    from .module import Module

_GEP_FLAGS: Final = frozenset(("inbounds", "nusw", "nuw"))
_TAILS: Final = ("tail", "musttail", "notail")
_ORDERINGS: Final = frozenset(("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst", "syncscope"))


_C = TypeVar("_C", bound=CallBase)


class Forward(Value):
    """Stands for a local that is used before its definition has been read."""

    __slots__ = ("text",)

    def __init__(self, type_: Type, text: str) -> None:
        self.type = type_
        self.text = text


class Scope(Protocol):
    """What the general parser asks of the function being read."""

    @property
    def module(self) -> Module: ...
    @property
    def blocks(self) -> Mapping[str, Block]: ...
    def local(self, type_: Type, text: str) -> Value: ...


class _Line(Reader):
    """A reader of one instruction."""

    __slots__ = ("scope",)

    def __init__(self, scope: Scope, text: str) -> None:
        super().__init__(scope.module, text, scope.local)
        self.scope = scope

    def label(self) -> Block:
        self.expect("label")
        return self.bare_label()

    def bare_label(self) -> Block:
        return self.scope.blocks[self.next()]

    def metadata(self) -> str:
        """`, !dbg !5, …` at the end of the line."""
        self.accept(",")
        text = self.rest()
        if text and not text.startswith("!"):
            raise self.error(f"cannot read '{text[:60]}'")
        self.at = len(self.tokens) - 2
        return text

    def pair(self) -> tuple[Value, Value]:
        """`T a, b`."""
        type_ = self.type()
        a = self.value(type_)
        self.expect(",")
        return a, self.value(type_)

    def align(self) -> int:
        """`, align 8`, if that is next."""
        if self.word == "," and self.tokens[self.at + 1] == "align":
            self.at += 2
            return self.integer()
        return 0

    def ordering(self) -> str:
        """`syncscope("…") acquire …` as text."""
        first = self.at
        while self.word in _ORDERINGS:
            if self.next() == "syncscope":
                self.expect("(")
                self.skip_balanced()
        return self.slice(first, self.at)

    def indices(self) -> list[int]:
        found: list[int] = []
        while self.word == "," and self.tokens[self.at + 1].isdigit():
            self.at += 1
            found.append(self.integer())
        return found


def read_instruction(scope: Scope, text: str) -> tuple[str, Instruction]:
    """The local's text (`%x`, empty for none) and the instruction on this line."""
    line = _Line(scope, text)
    name = ""
    if line.tokens[1] == "=":
        name = line.next()
        line.next()
    op = line.next()
    read = _READERS.get(op)
    if read is None:
        raise line.error(f"unknown instruction '{op}'")
    instruction = read(line, op)
    instruction.metadata = line.metadata()
    return name, instruction


def _binary(line: _Line, op: str) -> Instruction:
    flags = line.words(FLAGS)
    a, b = line.pair()
    return Binary(op, a, b, flags)


def _negate(line: _Line, _: str) -> Instruction:
    flags = line.words(FLAGS)
    return Negate(line.typed_value(), flags)


def _cast(line: _Line, op: str) -> Instruction:
    flags = line.words(FLAGS)
    value = line.typed_value()
    line.expect("to")
    return Cast(op, value, line.type(), flags)


def _compare(line: _Line, op: str) -> Instruction:
    flags = line.words(FLAGS)
    predicate = line.next()
    a, b = line.pair()
    return Compare(op, predicate, a, b, flags)


def _select(line: _Line, _: str) -> Instruction:
    flags = line.words(FLAGS)
    condition = line.typed_value()
    line.expect(",")
    a = line.typed_value()
    line.expect(",")
    return Select(condition, a, line.typed_value(), flags)


def _phi(line: _Line, _: str) -> Instruction:
    flags = line.words(FLAGS)
    type_ = line.type()
    operands: list[Value] = []
    blocks: list[Block] = []
    while line.accept("["):
        operands.append(line.value(type_))
        line.expect(",")
        blocks.append(line.bare_label())
        line.expect("]")
        if line.tokens[line.at + 1] != "[":
            break
        line.expect(",")
    return Phi(type_, operands, blocks, flags)


def _load(line: _Line, _: str) -> Instruction:
    atomic = line.accept("atomic")
    volatile = line.accept("volatile")
    type_ = line.type()
    line.expect(",")
    pointer = line.typed_value()
    ordering = line.ordering() if atomic else ""
    return Load(type_, pointer, line.align(), volatile=volatile, ordering=ordering)


def _store(line: _Line, _: str) -> Instruction:
    atomic = line.accept("atomic")
    volatile = line.accept("volatile")
    value = line.typed_value()
    line.expect(",")
    pointer = line.typed_value()
    ordering = line.ordering() if atomic else ""
    return Store(value, pointer, line.align(), volatile=volatile, ordering=ordering)


def _getelementptr(line: _Line, _: str) -> Instruction:
    flags = line.words(_GEP_FLAGS)
    source_type = line.type()
    line.expect(",")
    base = line.typed_value()
    indices: list[Value] = []
    while line.word == "," and not line.tokens[line.at + 1].startswith("!"):
        line.at += 1
        indices.append(line.typed_value())
    return GetElementPtr(result_of_gep(base, indices), source_type, base, indices, flags)


def _alloca(line: _Line, _: str) -> Instruction:
    modifiers = line.words(frozenset(("inalloca", "swifterror")))
    type_ = line.type()
    count: Value | None = None
    align = 0
    space = 0
    while line.word == "," and not line.tokens[line.at + 1].startswith("!"):
        line.at += 1
        if line.accept("align"):
            align = line.integer()
        elif line.word == "addrspace":
            space = line.address_space()
        else:
            count = line.typed_value()
    suffix = f"addrspace({space})" if space else ""
    return Alloca(pointer_type(space), type_, count, align, modifiers, suffix)


def _tail_call(line: _Line, op: str) -> Instruction:
    line.expect("call")
    call = _call_parts(line, Call)
    call.tail = op
    return call


def read_call_head(line: Reader) -> tuple[str, str, str, Type, FunctionType | None]:
    """Flags, calling convention, result attributes, result type, and the function type where it is written out."""
    flags = line.words(FAST_MATH)
    convention = read_convention(line)
    result_attributes = line.attributes()
    type_ = line.type()
    if isinstance(type_, FunctionType):
        return flags, convention, result_attributes, type_.result, type_
    return flags, convention, result_attributes, type_, None


def read_convention(line: Reader) -> str:
    word = line.word
    if word in CONVENTIONS or (word[:2] == "cc" and word[2:].isdigit()):
        return line.next()
    if word == "cc":
        line.at += 1
        return f"cc {line.integer()}"
    return ""


def _call_parts(line: _Line, make: type[_C]) -> _C:
    flags, convention, result_attributes, result, explicit = read_call_head(line)
    callee = line.value(PTR)
    line.expect("(")
    arguments: list[Value] = []
    texts: list[str] = []
    while not line.accept(")"):
        if line.accept("..."):
            # `musttail` in a variadic function hands its own variable arguments on; the printer knows.
            continue
        type_ = line.type()
        if type_ is METADATA:
            texts.append("")
            arguments.append(line.metadata_operand())
        else:
            texts.append(line.attributes())
            arguments.append(line.value(type_))
        if line.word != ")":
            line.expect(",")
    first = line.at
    while line.word not in ("", ",", "[", "to"):
        if line.next() == "(":
            line.skip_balanced()
    attributes = line.slice(first, line.at)
    bundles = ""
    if line.word == "[":
        first = line.at
        line.next()
        line.skip_balanced("]")
        bundles = line.slice(first + 1, line.at - 1)
    return make(
        explicit or function_type(result, tuple(a.type for a in arguments)),
        callee,
        arguments,
        argument_attributes=texts,
        flags=flags,
        convention=convention,
        result_attributes=result_attributes,
        function_attributes=attributes,
        bundles=bundles,
    )


def _call(line: _Line, _: str) -> Instruction:
    return _call_parts(line, Call)


def _invoke(line: _Line, _: str) -> Instruction:
    invoke = _call_parts(line, Invoke)
    line.expect("to")
    invoke.normal = line.label()
    line.expect("unwind")
    invoke.unwind = line.label()
    return invoke


def _callbr(line: _Line, _: str) -> Instruction:
    branch = _call_parts(line, CallBranch)
    line.expect("to")
    branch.fallthrough = line.label()
    line.expect("[")
    branch.indirect = []
    while not line.accept("]"):
        branch.indirect.append(line.label())
        line.accept(",")
    return branch


def _extract_value(line: _Line, _: str) -> Instruction:
    aggregate = line.typed_value()
    indices = line.indices()
    return ExtractValue(line.module.element_type(aggregate.type, indices), aggregate, indices)


def _insert_value(line: _Line, _: str) -> Instruction:
    aggregate = line.typed_value()
    line.expect(",")
    element = line.typed_value()
    return InsertValue(aggregate, element, line.indices())


def _values(line: _Line, count: int) -> list[Value]:
    found = [line.typed_value()]
    while len(found) < count:
        line.expect(",")
        found.append(line.typed_value())
    return found


def _extract_element(line: _Line, _: str) -> Instruction:
    vector, index = _values(line, 2)
    return ExtractElement(vector, index)


def _insert_element(line: _Line, _: str) -> Instruction:
    vector, element, index = _values(line, 3)
    return InsertElement(vector, element, index)


def _shuffle_vector(line: _Line, _: str) -> Instruction:
    a, b = _values(line, 2)
    line.expect(",")
    mask = line.typed_constant()
    return ShuffleVector(line.module.shuffle_type(a.type, mask.type), a, b, mask)


def _freeze(line: _Line, _: str) -> Instruction:
    return Freeze(line.typed_value())


def _va_arg(line: _Line, _: str) -> Instruction:
    pointer = line.typed_value()
    line.expect(",")
    return VAArg(line.type(), pointer)


def _fence(line: _Line, _: str) -> Instruction:
    return Fence(line.ordering())


def _compare_exchange(line: _Line, _: str) -> Instruction:
    modifiers = line.words(frozenset(("weak", "volatile")))
    pointer, expected, replacement = _values(line, 3)
    ordering = line.ordering()
    return CompareExchange(
        struct_type((expected.type, I1)),
        pointer,
        expected,
        replacement,
        modifiers=modifiers,
        ordering=ordering,
        align=line.align(),
    )


def _atomic_rmw(line: _Line, _: str) -> Instruction:
    volatile = line.accept("volatile")
    op = line.next()
    pointer, value = _values(line, 2)
    ordering = line.ordering()
    return AtomicRMW(op, pointer, value, ordering=ordering, align=line.align(), volatile=volatile)


def _landing_pad(line: _Line, _: str) -> Instruction:
    type_ = line.type()
    cleanup = line.accept("cleanup")
    clauses: list[tuple[str, Value]] = []
    while line.word in ("catch", "filter"):
        kind = line.next()
        clauses.append((kind, line.typed_value()))
    return LandingPad(type_, clauses, cleanup=cleanup)


def _return(line: _Line, _: str) -> Instruction:
    return Return() if line.accept("void") else Return(line.typed_value())


def _branch(line: _Line, _: str) -> Instruction:
    if line.word == "label":
        return Jump(line.label())
    condition = line.typed_value()
    line.expect(",")
    then = line.label()
    line.expect(",")
    return Branch(condition, then, line.label())


def _switch(line: _Line, _: str) -> Instruction:
    value = line.typed_value()
    line.expect(",")
    default = line.label()
    line.expect("[")
    cases: list[tuple[ConstantInt, Block]] = []
    while not line.accept("]"):
        constant = line.typed_constant()
        if not isinstance(constant, ConstantInt):
            raise line.error("expected an integer")
        line.expect(",")
        cases.append((constant, line.label()))
    return Switch(value, default, cases)


def _indirect_branch(line: _Line, _: str) -> Instruction:
    address = line.typed_value()
    line.expect(",")
    line.expect("[")
    targets: list[Block] = []
    while not line.accept("]"):
        targets.append(line.label())
        line.accept(",")
    return IndirectBranch(address, targets)


def _resume(line: _Line, _: str) -> Instruction:
    return Resume(line.typed_value())


def _unreachable(_line: _Line, _: str) -> Instruction:
    return Unreachable()


_READERS: Final[dict[str, Callable[[_Line, str], Instruction]]] = {
    **dict.fromkeys(FLOAT_BINARY | INTEGER_BINARY, _binary),
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(_TAILS, _tail_call),
    "fneg": _negate,
    "icmp": _compare,
    "fcmp": _compare,
    "select": _select,
    "phi": _phi,
    "load": _load,
    "store": _store,
    "getelementptr": _getelementptr,
    "alloca": _alloca,
    "call": _call,
    "invoke": _invoke,
    "callbr": _callbr,
    "extractvalue": _extract_value,
    "insertvalue": _insert_value,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
    "shufflevector": _shuffle_vector,
    "freeze": _freeze,
    "va_arg": _va_arg,
    "fence": _fence,
    "cmpxchg": _compare_exchange,
    "atomicrmw": _atomic_rmw,
    "landingpad": _landing_pad,
    "ret": _return,
    "br": _branch,
    "switch": _switch,
    "indirectbr": _indirect_branch,
    "resume": _resume,
    "unreachable": _unreachable,
}
