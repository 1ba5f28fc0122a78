"""The general parser of one instruction: every opcode with everything LLVM may print on its line.

`body` reads ordinary lines by pattern and hands the others to `read_instruction`, which goes word by word and
reports what it cannot read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from .calls import Bundles
from .cursor import Line, Scope, read_call_head
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
from .opcodes import CASTS, FLAGS, FLOAT_BINARY, INTEGER_BINARY
from .reader import result_of_gep
from .types import I1, METADATA, PTR, function_type, pointer_type, struct_type
from .values import ConstantInt, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from .function import Block

_GEP_FLAGS: Final = frozenset(("inbounds", "nusw", "nuw"))
_TAILS: Final = ("tail", "musttail", "notail")


_C = TypeVar("_C", bound=CallBase)


def read_instruction(scope: Scope, text: str) -> tuple[str, Instruction]:
    """The local's text (`%x`, empty for none) and the instruction on this line."""
    line = Line(scope, text)
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


def _binary(line: Line, op: str) -> Instruction:
    flags = line.words(FLAGS)
    a, b = line.pair()
    return Binary(op, a, b, flags)


def _negate(line: Line, _: str) -> Instruction:
    flags = line.words(FLAGS)
    return Negate(line.typed_value(), flags)


def _cast(line: Line, op: str) -> Instruction:
    flags = line.words(FLAGS)
    value = line.typed_value()
    line.expect("to")
    return Cast(op, value, line.type(), flags)


def _compare(line: Line, op: str) -> Instruction:
    flags = line.words(FLAGS)
    predicate = line.next()
    a, b = line.pair()
    return Compare(op, predicate, a, b, flags)


def _select(line: Line, _: str) -> Instruction:
    flags = line.words(FLAGS)
    condition = line.typed_value()
    line.expect(",")
    a = line.typed_value()
    line.expect(",")
    return Select(condition, a, line.typed_value(), flags)


def _phi(line: Line, _: str) -> Instruction:
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


def _load(line: Line, _: str) -> Instruction:
    atomic = line.accept("atomic")
    volatile = line.accept("volatile")
    type_ = line.type()
    line.expect(",")
    pointer = line.typed_value()
    ordering = line.ordering() if atomic else ""
    return Load(type_, pointer, line.align(), volatile=volatile, ordering=ordering)


def _store(line: Line, _: str) -> Instruction:
    atomic = line.accept("atomic")
    volatile = line.accept("volatile")
    value = line.typed_value()
    line.expect(",")
    pointer = line.typed_value()
    ordering = line.ordering() if atomic else ""
    return Store(value, pointer, line.align(), volatile=volatile, ordering=ordering)


def _getelementptr(line: Line, _: str) -> Instruction:
    flags = line.words(_GEP_FLAGS)
    source_type = line.type()
    line.expect(",")
    base = line.typed_value()
    indices: list[Value] = []
    while line.word == "," and not line.tokens[line.at + 1].startswith("!"):
        line.at += 1
        indices.append(line.typed_value())
    return GetElementPtr(result_of_gep(base, indices), source_type, base, indices, flags)


def _alloca(line: Line, _: str) -> Instruction:
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


def _tail_call(line: Line, op: str) -> Instruction:
    line.expect("call")
    call = _call_parts(line, Call)
    call.tail = op
    return call


def _call_parts(line: Line, make: type[_C]) -> _C:
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
    return make(
        explicit or function_type(result, tuple(a.type for a in arguments)),
        callee,
        arguments,
        argument_attributes=texts,
        flags=flags,
        convention=convention,
        result_attributes=result_attributes,
        function_attributes=attributes,
        bundles=_bundles(line) if line.word == "[" else None,
    )


def _bundles(line: Line) -> Bundles:
    line.expect("[")
    told: list[str] = []
    values: list[Value] = []
    while not line.accept("]"):
        tag = line.next().replace("{", "{{").replace("}", "}}")
        line.expect("(")
        first = len(values)
        while not line.accept(")"):
            type_ = line.type()
            values.append(line.metadata_operand() if type_ is METADATA else line.value(type_))
            line.accept(",")
        told.append(f"{tag}({', '.join(f'{value.type.text} {{}}' for value in values[first:])})")
        line.accept(",")
    return Bundles(", ".join(told), values)


def _call(line: Line, _: str) -> Instruction:
    return _call_parts(line, Call)


def _invoke(line: Line, _: str) -> Instruction:
    invoke = _call_parts(line, Invoke)
    line.expect("to")
    invoke.normal = line.label()
    line.expect("unwind")
    invoke.unwind = line.label()
    return invoke


def _callbr(line: Line, _: str) -> Instruction:
    branch = _call_parts(line, CallBranch)
    line.expect("to")
    branch.fallthrough = line.label()
    line.expect("[")
    branch.indirect = []
    while not line.accept("]"):
        branch.indirect.append(line.label())
        line.accept(",")
    return branch


def _extract_value(line: Line, _: str) -> Instruction:
    aggregate = line.typed_value()
    indices = line.indices()
    return ExtractValue(line.module.element_type(aggregate.type, indices), aggregate, indices)


def _insert_value(line: Line, _: str) -> Instruction:
    aggregate = line.typed_value()
    line.expect(",")
    element = line.typed_value()
    return InsertValue(aggregate, element, line.indices())


def _values(line: Line, count: int) -> list[Value]:
    found = [line.typed_value()]
    while len(found) < count:
        line.expect(",")
        found.append(line.typed_value())
    return found


def _extract_element(line: Line, _: str) -> Instruction:
    vector, index = _values(line, 2)
    return ExtractElement(vector, index)


def _insert_element(line: Line, _: str) -> Instruction:
    vector, element, index = _values(line, 3)
    return InsertElement(vector, element, index)


def _shuffle_vector(line: Line, _: str) -> Instruction:
    a, b = _values(line, 2)
    line.expect(",")
    mask = line.typed_constant()
    return ShuffleVector(line.module.shuffle_type(a.type, mask.type), a, b, mask)


def _freeze(line: Line, _: str) -> Instruction:
    return Freeze(line.typed_value())


def _va_arg(line: Line, _: str) -> Instruction:
    pointer = line.typed_value()
    line.expect(",")
    return VAArg(line.type(), pointer)


def _fence(line: Line, _: str) -> Instruction:
    return Fence(line.ordering())


def _compare_exchange(line: Line, _: str) -> Instruction:
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


def _atomic_rmw(line: Line, _: str) -> Instruction:
    volatile = line.accept("volatile")
    op = line.next()
    pointer, value = _values(line, 2)
    ordering = line.ordering()
    return AtomicRMW(op, pointer, value, ordering=ordering, align=line.align(), volatile=volatile)


def _landing_pad(line: Line, _: str) -> Instruction:
    type_ = line.type()
    cleanup = line.accept("cleanup")
    clauses: list[tuple[str, Value]] = []
    while line.word in ("catch", "filter"):
        kind = line.next()
        clauses.append((kind, line.typed_value()))
    return LandingPad(type_, clauses, cleanup=cleanup)


def _return(line: Line, _: str) -> Instruction:
    return Return() if line.accept("void") else Return(line.typed_value())


def _branch(line: Line, _: str) -> Instruction:
    if line.word == "label":
        return Jump(line.label())
    condition = line.typed_value()
    line.expect(",")
    then = line.label()
    line.expect(",")
    return Branch(condition, then, line.label())


def _switch(line: Line, _: str) -> Instruction:
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


def _indirect_branch(line: Line, _: str) -> Instruction:
    address = line.typed_value()
    line.expect(",")
    line.expect("[")
    targets: list[Block] = []
    while not line.accept("]"):
        targets.append(line.label())
        line.accept(",")
    return IndirectBranch(address, targets)


def _resume(line: Line, _: str) -> Instruction:
    return Resume(line.typed_value())


def _unreachable(_line: Line, _: str) -> Instruction:
    return Unreachable()


_READERS: Final[dict[str, Callable[[Line, str], Instruction]]] = {
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
