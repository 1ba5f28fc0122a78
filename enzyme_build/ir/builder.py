"""An insertion point and one checked constructor for each instruction.

What would be wrong IR is refused here with `InternalError`, where the mistake is made, not in LLVM where it would be
found. Operands must be of the right types; nothing is folded or converted silently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from enzyme_build.errors import InternalError

from .debug import debug_attachment
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
from .legality import (
    abi_attributes,
    cast_allowed,
    convention_of,
    index_value,
    indexed_type,
    member_at,
    require_call,
    require_first_class,
    require_pointer,
    shape,
)
from .opcodes import FLOAT_BINARY, FLOAT_PREDICATES, INTEGER_BINARY, INTEGER_PREDICATES
from .reader import result_of_gep
from .types import (
    I1,
    I8,
    I32,
    I64,
    PTR,
    VOID,
    FloatType,
    FunctionType,
    IntType,
    PointerType,
    Type,
    VectorType,
    struct_type,
    vector_type,
)
from .values import Constant, ConstantInt, Value, const_int, is_zero, poison

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_I = TypeVar("_I", bound=Instruction)


def in_front_of(instruction: Instruction) -> Builder:
    """Inserts in front of an instruction, as made of its place in the source."""
    assert instruction.block is not None
    builder = Builder(instruction.block, debug_attachment(instruction))
    builder.position = instruction.block.instructions.index(instruction)
    return builder


def in_place_of(old: Instruction, new: Instruction) -> Builder:
    """Puts an instruction in the place of another, and inserts behind it; behind a phi, behind all phis."""
    block = old.block
    assert block is not None
    at = block.instructions.index(old)
    block.instructions[at] = new
    new.block = block
    builder = Builder(block, debug_attachment(old))
    builder.position = sum(1 for _ in block.phis) if isinstance(new, Phi) else at + 1
    return builder


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
        if not cast_allowed(op, value.type, type_):
            raise InternalError(f"{op} of {value.type} to {type_}")
        return self.insert(Cast(op, value, type_, flags, name))

    def wide(self, value: Value) -> Value:
        """An unsigned integer of at most 64 bits as an `i64`."""
        return value if value.type is I64 else self.cast("zext", value, I64)

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
        if condition.type is not I1 and shape(condition.type) != shape(a.type):
            raise InternalError(f"select by {condition.type} between {a.type}")
        return self.insert(Select(condition, a, b, flags, name))

    def freeze(self, value: Value, name: str | None = None) -> Freeze:
        return self.insert(Freeze(value, name))

    def phi(self, type_: Type, name: str | None = None, flags: str = "") -> Phi:
        """An empty phi at the end of the block's phis; fill it with `add_incoming`."""
        require_first_class(type_, "phi")
        phi = Phi(type_, [], [], flags, name, self.metadata)
        phi.block = self.block
        instructions = self.block.instructions
        place = 0
        while place < len(instructions) and isinstance(instructions[place], Phi):
            place += 1
        instructions.insert(place, phi)
        for record in self.block.records:
            record.index += 1
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
        require_pointer(pointer, "load")
        require_first_class(type_, "load")
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
        require_pointer(pointer, "store")
        require_first_class(value.type, "store")
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
            inner = indexed_type(inner, index, source_type)
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
        require_first_class(type_, "alloca")
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
        *,
        ordering: str = "monotonic",
        align: int = 0,
        name: str | None = None,
    ) -> AtomicRMW:
        require_pointer(pointer, "atomicrmw")
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
        require_pointer(pointer, "cmpxchg")
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
        require_call(callee, arguments, function_type)
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
        return self.insert(ExtractValue(member_at(aggregate.type, indices), aggregate, indices, name))

    def insert_value(
        self, aggregate: Value, element: Value, indices: Sequence[int] | int, name: str | None = None
    ) -> InsertValue:
        indices = (indices,) if isinstance(indices, int) else indices
        inner = member_at(aggregate.type, indices)
        if inner is not element.type:
            raise InternalError(f"insertvalue of {element.type} where {aggregate.type} has {inner}")
        return self.insert(InsertValue(aggregate, element, indices, name))

    def aggregate(self, type_: Type, members: Iterable[Value]) -> Value:
        """A struct or array of these members."""
        whole: Value = poison(type_)
        for number, member in enumerate(members):
            whole = self.insert_value(whole, member, (number,))
        return whole

    def extract_element(self, vector: Value, index: Value | int, name: str | None = None) -> ExtractElement:
        if not isinstance(vector.type, VectorType):
            raise InternalError(f"extractelement of {vector.type}")
        return self.insert(ExtractElement(vector, index_value(index), name))

    def insert_element(
        self, vector: Value, element: Value, index: Value | int, name: str | None = None
    ) -> InsertElement:
        if not isinstance(vector.type, VectorType) or vector.type.element is not element.type:
            raise InternalError(f"insertelement of {element.type} into {vector.type}")
        return self.insert(InsertElement(vector, element, index_value(index), name))

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
