"""An insertion point and one checked constructor for each instruction.

What would be wrong IR is refused here with `InternalError`, where the mistake is made, not in LLVM where it would be
found. Operands must be of the right types; nothing is folded or converted silently.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeVar

from enzyme_build.errors import InternalError

from .function import Block, Function
from .instructions import (
    TERMINATORS,
    Alloca,
    AtomicRMW,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    CompareExchange,
    ExtractElement,
    ExtractValue,
    Fence,
    Freeze,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Instruction,
    Jump,
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
from .opcodes import CONVENTIONS, FLOAT_BINARY, FLOAT_PREDICATES, INTEGER_BINARY, INTEGER_PREDICATES
from .reader import result_of_gep
from .types import (
    I1,
    I8,
    I32,
    I64,
    METADATA,
    PTR,
    VOID,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    NamedStructType,
    PointerType,
    StructType,
    Type,
    VectorType,
    fields_of,
    member_type,
    struct_type,
    vector_type,
)
from .values import Constant, ConstantInt, Value, const_int, is_zero

if TYPE_CHECKING:
    from collections.abc import Sequence

_INTEGER, _FLOAT, _POINTER = IntType, FloatType, PointerType
_CASTS: Final[dict[str, tuple[type[Type], type[Type], int]]] = {
    # from, to, and whether the result must be wider (1), narrower (-1) or either (0)
    "trunc": (_INTEGER, _INTEGER, -1),
    "zext": (_INTEGER, _INTEGER, 1),
    "sext": (_INTEGER, _INTEGER, 1),
    "fptrunc": (_FLOAT, _FLOAT, -1),
    "fpext": (_FLOAT, _FLOAT, 1),
    "fptoui": (_FLOAT, _INTEGER, 0),
    "fptosi": (_FLOAT, _INTEGER, 0),
    "uitofp": (_INTEGER, _FLOAT, 0),
    "sitofp": (_INTEGER, _FLOAT, 0),
    "ptrtoint": (_POINTER, _INTEGER, 0),
    "ptrtoaddr": (_POINTER, _INTEGER, 0),
    "inttoptr": (_INTEGER, _POINTER, 0),
    "addrspacecast": (_POINTER, _POINTER, 0),
}


# What a call must repeat from the callee's parameters, because it decides how arguments are passed.
_ABI_ATTRIBUTE: Final = re.compile(
    r"(?:byval|sret|byref|inalloca|preallocated|elementtype)\([^()]*(?:\([^()]*\))?[^()]*\)"
    r"|\b(?:align \d+|zeroext|signext|noext|inreg|nest|swiftself|swifterror|swiftasync|immarg)\b"
)
_I = TypeVar("_I", bound=Instruction)


def abi_attributes(text: str) -> str:
    """Of the parameter attributes `text` those that belong to the calling convention."""
    found = _ABI_ATTRIBUTE.findall(text) if text else []
    by_memory = any("(" in attribute for attribute in found)
    return " ".join(a for a in found if a != "immarg" and (by_memory or not a.startswith("align ")))


def convention_of(function: Function) -> str:
    """The calling convention in the function's header, empty for C's."""
    words = function.prefix.split()
    for index, word in enumerate(words):
        if word in CONVENTIONS or (word[:2] == "cc" and word[2:].isdigit()):
            return word
        if word == "cc":
            return f"cc {words[index + 1]}"
    return ""


class Builder:
    """Appends to `block`, or inserts in front of instruction `position` of it where that is set.

    `metadata` is attached to every new instruction that does not get its own, e.g. `!dbg !12`.
    """

    def __init__(self, block: Block, metadata: str = "") -> None:
        self.block = block
        self.metadata = metadata
        self.position: int | None = None

    def insert(self, instruction: _I, name: str | None = None) -> _I:
        """Put `instruction` at the insertion point."""
        instructions = self.block.instructions
        if self.position is None and instructions and isinstance(instructions[-1], TERMINATORS):
            raise InternalError(f"{type(instruction).__name__} behind the terminator of {self.block!r}")
        instruction.block = self.block
        if name is not None:
            instruction.name = name
        if not instruction.metadata:
            instruction.metadata = self.metadata
        if self.position is None:
            instructions.append(instruction)
        else:
            for record in self.block.records:
                if record.index > self.position:
                    record.index += 1
            instructions.insert(self.position, instruction)
            self.position += 1
        return instruction

    # Arithmetic -----------------------------------------------------------------------------------------------------

    def binary(self, op: str, a: Value, b: Value, flags: str = "", name: str | None = None) -> Binary:
        if a.type is not b.type:
            raise InternalError(f"{op} of {a.type} and {b.type}")
        scalar = a.type.scalar
        if op in FLOAT_BINARY:
            good = isinstance(scalar, FloatType)
        elif op in INTEGER_BINARY:
            good = isinstance(scalar, IntType)
        else:
            raise InternalError(f"unknown operation {op}")
        if not good:
            raise InternalError(f"{op} of {a.type}")
        return self.insert(Binary(op, a, b, flags, name))

    def fadd(self, a: Value, b: Value, flags: str = "", name: str | None = None) -> Binary:
        return self.binary("fadd", a, b, flags, name)

    def fsub(self, a: Value, b: Value, flags: str = "", name: str | None = None) -> Binary:
        return self.binary("fsub", a, b, flags, name)

    def fmul(self, a: Value, b: Value, flags: str = "", name: str | None = None) -> Binary:
        return self.binary("fmul", a, b, flags, name)

    def fdiv(self, a: Value, b: Value, flags: str = "", name: str | None = None) -> Binary:
        return self.binary("fdiv", a, b, flags, name)

    def fneg(self, a: Value, flags: str = "", name: str | None = None) -> Negate:
        if not a.type.is_float_like:
            raise InternalError(f"fneg of {a.type}")
        return self.insert(Negate(a, flags, name))

    def add(self, a: Value, b: Value, flags: str = "", name: str | None = None) -> Binary:
        return self.binary("add", a, b, flags, name)

    def sub(self, a: Value, b: Value, flags: str = "", name: str | None = None) -> Binary:
        return self.binary("sub", a, b, flags, name)

    def mul(self, a: Value, b: Value, flags: str = "", name: str | None = None) -> Binary:
        return self.binary("mul", a, b, flags, name)

    def cast(self, op: str, value: Value, type_: Type, flags: str = "", name: str | None = None) -> Cast:
        source, target = value.type, type_
        if op == "bitcast":
            good = _bitcast_allowed(source, target)
        elif op not in _CASTS:
            raise InternalError(f"unknown cast {op}")
        else:
            good = _cast_allowed(op, source, target)
        if not good:
            raise InternalError(f"{op} of {source} to {target}")
        return self.insert(Cast(op, value, type_, flags, name))

    def icmp(self, predicate: str, a: Value, b: Value, flags: str = "", name: str | None = None) -> Compare:
        if predicate not in INTEGER_PREDICATES:
            raise InternalError(f"unknown predicate icmp {predicate}")
        if a.type is not b.type or not isinstance(a.type.scalar, IntType | PointerType):
            raise InternalError(f"icmp of {a.type} and {b.type}")
        return self.insert(Compare("icmp", predicate, a, b, flags, name))

    def fcmp(self, predicate: str, a: Value, b: Value, flags: str = "", name: str | None = None) -> Compare:
        if predicate not in FLOAT_PREDICATES:
            raise InternalError(f"unknown predicate fcmp {predicate}")
        if a.type is not b.type or not a.type.is_float_like:
            raise InternalError(f"fcmp of {a.type} and {b.type}")
        return self.insert(Compare("fcmp", predicate, a, b, flags, name))

    def select(self, condition: Value, a: Value, b: Value, flags: str = "", name: str | None = None) -> Select:
        if condition.type.scalar is not I1 or a.type is not b.type:
            raise InternalError(f"select of {condition.type}, {a.type} and {b.type}")
        if condition.type is not I1 and _shape(condition.type) != _shape(a.type):
            raise InternalError(f"select by {condition.type} between {a.type}")
        return self.insert(Select(condition, a, b, flags, name))

    def freeze(self, value: Value, name: str | None = None) -> Freeze:
        return self.insert(Freeze(value, name))

    def phi(self, type_: Type, name: str | None = None, flags: str = "") -> Phi:
        """An empty phi at the end of the block's phis; fill it with `add_incoming`."""
        _first_class(type_, "phi")
        phi = Phi(type_, [], [], flags, name, self.metadata)
        phi.block = self.block
        instructions = self.block.instructions
        place = 0
        while place < len(instructions) and isinstance(instructions[place], Phi):
            place += 1
        instructions.insert(place, phi)
        if self.position is not None and self.position >= place:
            self.position += 1
        return phi

    @staticmethod
    def add_incoming(phi: Phi, value: Value, block: Block) -> None:
        """The value that `phi` has when control comes from `block`."""
        if value.type is not phi.type:
            raise InternalError(f"phi of {phi.type} with incoming {value.type}")
        phi.operands.append(value)
        phi.blocks.append(block)

    # Memory ---------------------------------------------------------------------------------------------------------

    def load(  # noqa: PLR0913
        self,
        type_: Type,
        pointer: Value,
        align: int = 0,
        name: str | None = None,
        *,
        volatile: bool = False,
        ordering: str = "",
        metadata: str = "",
    ) -> Load:
        _pointer(pointer, "load")
        _first_class(type_, "load")
        return self.insert(
            Load(type_, pointer, align, volatile=volatile, ordering=ordering, metadata=self._with(metadata)), name
        )

    def store(  # noqa: PLR0913
        self,
        value: Value,
        pointer: Value,
        align: int = 0,
        *,
        volatile: bool = False,
        ordering: str = "",
        metadata: str = "",
    ) -> Store:
        _pointer(pointer, "store")
        _first_class(value.type, "store")
        return self.insert(
            Store(value, pointer, align, volatile=volatile, ordering=ordering, metadata=self._with(metadata))
        )

    def _with(self, metadata: str) -> str:
        """Attachments of one instruction beside those that every instruction gets."""
        if metadata and self.metadata:
            return f"{metadata}, {self.metadata}"
        return metadata or self.metadata

    def gep(
        self, source_type: Type, base: Value, indices: Sequence[Value], flags: str = "", name: str | None = None
    ) -> GetElementPtr:
        if not isinstance(base.type.scalar, PointerType):
            raise InternalError(f"getelementptr on {base.type}")
        for index in indices:
            if not isinstance(index.type.scalar, IntType):
                raise InternalError(f"getelementptr with index of type {index.type}")
        inner = source_type
        for index in indices[1:]:
            inner = _step(inner, index, source_type)
        listed = list(indices)
        return self.insert(GetElementPtr(result_of_gep(base, listed), source_type, base, listed, flags, name))

    def ptradd(self, base: Value, offset: Value | int, flags: str = "", name: str | None = None) -> Value:
        """`base` moved by bytes; by the constant 0 it is `base` itself."""
        if isinstance(offset, int):
            offset = const_int(I64, offset)
        if isinstance(offset, ConstantInt) and is_zero(offset):
            return base
        return self.gep(I8, base, [offset], flags, name)

    def alloca(self, type_: Type, count: Value | None = None, align: int = 0, name: str | None = None) -> Alloca:
        _first_class(type_, "alloca")
        if count is not None and not isinstance(count.type, IntType):
            raise InternalError(f"alloca with count of type {count.type}")
        return self.insert(Alloca(PTR, type_, count, align, name=name))

    def fence(self, ordering: str) -> Fence:
        return self.insert(Fence(ordering))

    def atomic_rmw(  # noqa: PLR0913
        self,
        op: str,
        pointer: Value,
        value: Value,
        ordering: str = "monotonic",
        align: int = 0,
        name: str | None = None,
    ) -> AtomicRMW:
        _pointer(pointer, "atomicrmw")
        return self.insert(AtomicRMW(op, pointer, value, ordering=ordering, align=align, name=name))

    def compare_exchange(  # noqa: PLR0913
        self,
        pointer: Value,
        expected: Value,
        replacement: Value,
        ordering: str = "seq_cst seq_cst",
        *,
        align: int = 0,
        name: str | None = None,
    ) -> CompareExchange:
        _pointer(pointer, "cmpxchg")
        if expected.type is not replacement.type:
            raise InternalError(f"cmpxchg of {expected.type} and {replacement.type}")
        type_ = struct_type((expected.type, I1))
        return self.insert(
            CompareExchange(type_, pointer, expected, replacement, ordering=ordering, align=align, name=name)
        )

    # Calls ----------------------------------------------------------------------------------------------------------

    def call(  # noqa: PLR0913
        self,
        callee: Value,
        arguments: Sequence[Value] = (),
        function_type: FunctionType | None = None,
        name: str | None = None,
        *,
        argument_attributes: Sequence[str] | None = None,
        flags: str = "",
        attributes: str = "",
        result_attributes: str = "",
        tail: str = "",
        convention: str | None = None,
        metadata: str = "",
    ) -> Call:
        """Call a function, with its own type, convention and by-value attributes, or a pointer as `function_type`."""
        if isinstance(callee, Function):
            function_type = function_type or callee.function_type
            if convention is None:
                convention = convention_of(callee)
            if argument_attributes is None:
                known = [abi_attributes(argument.attributes) for argument in callee.arguments]
                argument_attributes = (known + [""] * len(arguments))[: len(arguments)]
        elif function_type is None:
            raise InternalError("an indirect call needs a function type")
        _check_call(callee, arguments, function_type)
        return self.insert(
            Call(
                function_type,
                callee,
                arguments,
                argument_attributes=argument_attributes,
                tail=tail,
                flags=flags,
                convention=convention or "",
                result_attributes=result_attributes,
                function_attributes=attributes,
                metadata=self._with(metadata),
            ),
            name,
        )

    # Aggregates and vectors -----------------------------------------------------------------------------------------

    def extract_value(self, aggregate: Value, indices: Sequence[int] | int, name: str | None = None) -> ExtractValue:
        indices = (indices,) if isinstance(indices, int) else indices
        return self.insert(ExtractValue(_inside(aggregate.type, indices), aggregate, indices, name))

    def insert_value(
        self, aggregate: Value, element: Value, indices: Sequence[int] | int, name: str | None = None
    ) -> InsertValue:
        indices = (indices,) if isinstance(indices, int) else indices
        inner = _inside(aggregate.type, indices)
        if inner is not element.type:
            raise InternalError(f"insertvalue of {element.type} where {aggregate.type} has {inner}")
        return self.insert(InsertValue(aggregate, element, indices, name))

    def extract_element(self, vector: Value, index: Value | int, name: str | None = None) -> ExtractElement:
        if not isinstance(vector.type, VectorType):
            raise InternalError(f"extractelement of {vector.type}")
        return self.insert(ExtractElement(vector, _index(index), name))

    def insert_element(
        self, vector: Value, element: Value, index: Value | int, name: str | None = None
    ) -> InsertElement:
        if not isinstance(vector.type, VectorType) or vector.type.element is not element.type:
            raise InternalError(f"insertelement of {element.type} into {vector.type}")
        return self.insert(InsertElement(vector, element, _index(index), name))

    def shuffle_vector(self, a: Value, b: Value, mask: Constant, name: str | None = None) -> ShuffleVector:
        if a.type is not b.type or not isinstance(a.type, VectorType):
            raise InternalError(f"shufflevector of {a.type} and {b.type}")
        if not isinstance(mask.type, VectorType) or mask.type.element is not I32:
            raise InternalError(f"shufflevector with mask of type {mask.type}")
        type_ = vector_type(a.type.element, mask.type.count, scalable=mask.type.scalable)
        return self.insert(ShuffleVector(type_, a, b, mask, name))

    # Terminators ----------------------------------------------------------------------------------------------------

    def ret(self, value: Value | None = None) -> Return:
        function = self.block.function
        if function is not None:
            given = VOID if value is None else value.type
            expected = function.function_type.result
            if given is not expected:
                raise InternalError(f"return of {given} from {function!r}, which returns {expected}")
        return self.insert(Return(value))

    def jump(self, target: Block) -> Jump:
        return self.insert(Jump(target))

    def branch(self, condition: Value, then: Block, otherwise: Block) -> Branch:
        if condition.type is not I1:
            raise InternalError(f"branch on {condition.type}")
        return self.insert(Branch(condition, then, otherwise))

    def switch(self, value: Value, default: Block, cases: Sequence[tuple[ConstantInt, Block]] = ()) -> Switch:
        if not isinstance(value.type, IntType):
            raise InternalError(f"switch on {value.type}")
        seen: set[int] = set()
        for constant, _ in cases:
            if constant.type is not value.type:
                raise InternalError(f"switch on {value.type} with case of {constant.type}")
            if constant.value in seen:
                raise InternalError(f"switch with two cases {constant.value}")
            seen.add(constant.value)
        return self.insert(Switch(value, default, cases))

    def unreachable(self) -> Unreachable:
        return self.insert(Unreachable())

    def resume(self, value: Value) -> Resume:
        return self.insert(Resume(value))


# Checks ---------------------------------------------------------------------------------------------------------------


def _pointer(value: Value, what: str) -> None:
    if not isinstance(value.type, PointerType):
        raise InternalError(f"{what} through {value.type}")


def _first_class(type_: Type, what: str) -> None:
    if type_ is VOID or type_ is METADATA or isinstance(type_, FunctionType):
        raise InternalError(f"{what} of {type_}")


def _index(index: Value | int) -> Value:
    value = const_int(I32, index) if isinstance(index, int) else index
    if not isinstance(value.type, IntType):
        raise InternalError(f"index of type {value.type}")
    return value


def _shape(type_: Type) -> tuple[int, bool] | None:
    return (type_.count, type_.scalable) if isinstance(type_, VectorType) else None


def _inside(type_: Type, indices: Sequence[int]) -> Type:
    """Type of the member that `extractvalue` with these indices reaches."""
    if not indices:
        raise InternalError("extractvalue or insertvalue without index")
    inner = type_
    for index in indices:
        if not isinstance(inner, ArrayType | StructType | NamedStructType):
            raise InternalError(f"{type_} has no member {', '.join(map(str, indices))}")
        count = inner.count if isinstance(inner, ArrayType) else len(fields_of(inner))
        if not 0 <= index < count:
            raise InternalError(f"{inner} has no member {index}")
        inner = member_type(inner, index)
    return inner


def _step(type_: Type, index: Value, whole: Type) -> Type:
    """One more index of a getelementptr."""
    if isinstance(type_, ArrayType | VectorType):
        return type_.element
    if isinstance(type_, StructType | NamedStructType):
        if not isinstance(index, ConstantInt):
            raise InternalError(f"getelementptr into {whole} with a member number that is not constant")
        if not 0 <= index.value < len(fields_of(type_)):
            raise InternalError(f"{type_} has no member {index.value}")
        return member_type(type_, index.value)
    raise InternalError(f"getelementptr into {whole}: {type_} has no members")


def _cast_allowed(op: str, source: Type, target: Type) -> bool:
    if _shape(source) != _shape(target):
        return False
    first, second, direction = _CASTS[op]
    a, b = source.scalar, target.scalar
    if not isinstance(a, first) or not isinstance(b, second):
        return False
    if direction and isinstance(a, IntType | FloatType) and isinstance(b, IntType | FloatType):
        return (b.bits - a.bits) * direction > 0
    return True


def _bits(type_: Type) -> int | None:
    scalar = type_.scalar
    if not isinstance(scalar, IntType | FloatType):
        return None
    return scalar.bits * (type_.count if isinstance(type_, VectorType) else 1)


def _bitcast_allowed(source: Type, target: Type) -> bool:
    if source is target:
        return True
    a, b = _bits(source), _bits(target)
    if a is None or b is None:
        return isinstance(source.scalar, PointerType) and source.scalar is target.scalar
    return a == b


def _check_call(callee: Value, arguments: Sequence[Value], type_: FunctionType) -> None:
    called = f"@{callee.name}" if isinstance(callee, Function) else "a pointer"
    if not isinstance(callee.type, PointerType):
        raise InternalError(f"call of a value of type {callee.type}")
    if len(arguments) < len(type_.parameters) or (len(arguments) > len(type_.parameters) and not type_.variadic):
        raise InternalError(f"call of {called} with {len(arguments)} arguments, it takes {type_}")
    for number, (argument, parameter) in enumerate(zip(arguments, type_.parameters, strict=False), 1):
        if argument.type is not parameter:
            raise InternalError(f"argument {number} of {called} is {argument.type}, it takes {parameter}")
