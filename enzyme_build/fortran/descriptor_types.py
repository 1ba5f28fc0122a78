"""What element type a descriptor has, told to the optimiser where a runtime function gets the descriptor.

Fortran's types are static: type code and rank in a descriptor never change, except for `class(*)`. But they lie in
memory that functions get the address of, so LLVM forgets them. Here they are found again, from the constants that
initialise a descriptor and from the declared type of the variable (debug information), and assumed in front of the
call; the choice by type and the loops over dimensions inside the body then fold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.offsets import element_offset
from enzyme_build.fortran.type_codes import CHARACTERS, COMPLEX, DERIVED, INTEGERS, LOGICALS, REALS
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment, debug_type
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.printer import print_module
from enzyme_build.ir.types import I1, I8, I64, VOID, IntType, PointerType, function_type
from enzyme_build.ir.values import Constant, ConstantAggregate, ConstantInt, GlobalVariable, const_int

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from enzyme_build.ir.debug import DebugType
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

# By size in bytes; larger ones may be of several kinds.
_BY_DEBUG_KIND: Final = {
    "float": {size: REALS[size] for size in (4, 8)},
    "complex": {2 * size: COMPLEX[size] for size in (4, 8)},
    "int": {size: INTEGERS[size] for size in (1, 2, 4, 8)},
    "bool": LOGICALS,
}
BYTES_OF_CODE: Final = {code: size for table in _BY_DEBUG_KIND.values() for size, code in table.items()}
"""Size in bytes of an element, by type code; none for derived types and text."""
_CERTAIN: Final = frozenset((*BYTES_OF_CODE, REALS[10], COMPLEX[10], CHARACTERS[1]))


@dataclass(frozen=True)
class Fixed:
    """What never changes in a descriptor; None where it is not known. Ranks count from 0."""

    code: int | None = None
    rank: int | None = None
    attribute: int | None = None

    def assume(self, builder: Builder, assume: Function, descriptor: Value) -> None:
        """Say so in front of a call."""
        told: list[tuple[IntType, int, int | None]] = [(I8, 21, self.code), (I8, 20, self.rank)]
        told += [(I8, 22, self.attribute), (I64, 8, BYTES_OF_CODE.get(self.code or 0))]
        for type_, offset, value in told:
            if value is not None:
                found = builder.load(type_, builder.ptradd(descriptor, offset))
                builder.call(assume, [builder.icmp("eq", found, const_int(type_, value))])


def assume_types(module: Module, prefix: str) -> str:
    """The module's text with assumptions in front of each call of a function whose name begins with `prefix`."""
    for name in module.functions_mentioning(f"@{prefix}"):
        _Facts(module, module.function(name)).tell(prefix)
    return print_module(module)


class _Facts:
    """What is fixed in the descriptors of one function."""

    def __init__(self, module: Module, function: Function) -> None:
        self.module = module
        self.function = function
        self.users = users(function)
        self.declared = _declared_types(module, function)
        self.known: dict[tuple[Value, int], int | None] = {}

    def tell(self, prefix: str) -> None:
        assume = self.module.declare("llvm.assume", function_type(VOID, (I1,)))
        for block in self.function.blocks:
            for call in [i for i in block.instructions if isinstance(i, ir.Call)]:
                callee = call.callee
                if not isinstance(callee, Function) or not callee.name.startswith(prefix):
                    continue
                builder = Builder(block, debug_attachment(call))
                builder.position = block.instructions.index(call)
                for argument in dict.fromkeys(call.arguments):
                    if isinstance(argument.type, PointerType):
                        self.fixed(argument).assume(builder, assume, argument)
                self.module.changed.add(self.function.name)

    def fixed(self, descriptor: Value) -> Fixed:
        declared = self._declared(descriptor)
        if declared.code is not None:
            return replace(declared, attribute=self.initial(descriptor, _ATTRIBUTE))
        code = self.initial(descriptor, _CODE)
        if code not in _CERTAIN and not (code == DERIVED and self._is_told_type(descriptor)):
            code = None
        return Fixed(code, self.initial(descriptor, _RANK), self.initial(descriptor, _ATTRIBUTE))

    def _is_told_type(self, descriptor: Value) -> bool:
        """Is the descriptor initialised with the table of a derived type? That of a `class(*)` is not."""
        geps = [user for user in self.users.get(descriptor, ()) if isinstance(user, ir.GetElementPtr)]
        stores = [store for gep in geps for store in self.users.get(gep, ()) if isinstance(store, ir.Store)]
        return any(isinstance(store.operands[0], GlobalVariable) for store in stores)

    def _declared(self, descriptor: Value) -> Fixed:
        variable, offset = descriptor, 0
        if variable not in self.declared and isinstance(descriptor, ir.GetElementPtr):
            found = _offset(self.module, descriptor)
            if found is None:
                return Fixed()
            variable, offset = descriptor.operands[0], found
        return _fixed_by(_at(self.declared.get(variable), offset))

    def initial(self, descriptor: Value, field: int) -> int | None:
        """The only value that a field gets in sight, from constants."""
        key = (descriptor, field)
        if key not in self.known:
            self.known[key] = None  # for copies in a circle
            self.known[key] = self._initial(descriptor, field)
        return self.known[key]

    def _initial(self, descriptor: Value, field: int) -> int | None:
        if isinstance(descriptor, GlobalVariable):
            return _field_of(self.module.global_initializer(descriptor), field)
        if not isinstance(descriptor, ir.Alloca):
            return None
        values = {value for user in self.users.get(descriptor, ()) for value in self._written(descriptor, user, field)}
        return values.pop() if len(values) == 1 else None

    def _written(self, descriptor: Value, user: ir.Instruction, field: int) -> Sequence[int | None]:
        """The values that `user` may put into the field."""
        match user:
            case ir.GetElementPtr() if user.operands[0] is descriptor:
                if _offset(self.module, user) != _OFFSETS[field]:
                    return ()
                stores = [store for store in self.users.get(user, ()) if isinstance(store, ir.Store)]
                return [self._stored(store, field) for store in stores if store.operands[1] is user]
            case ir.Store() if user.operands[1] is descriptor and not isinstance(user.operands[0].type, PointerType):
                return [self._aggregate(user.operands[0], field)]
            case ir.Call() if isinstance(user.callee, Function) and user.callee.name.startswith("llvm.memcpy."):
                return [self.initial(user.arguments[1], field)] if user.arguments[0] is descriptor else ()
        return ()

    def _stored(self, store: ir.Store, field: int) -> int | None:
        value = store.operands[0]
        if isinstance(value, ConstantInt):
            return value.value
        if isinstance(value, ir.Load) and isinstance(value.operands[0], ir.GetElementPtr):
            source = value.operands[0]
            if _offset(self.module, source) == _OFFSETS[field]:
                return self.initial(source.operands[0], field)
        return None

    def _aggregate(self, value: Value, field: int) -> int | None:
        """The field of a descriptor that is a value."""
        while isinstance(value, ir.InsertValue):
            if list(value.indices) == [field]:
                inserted = value.operands[1]
                return inserted.value if isinstance(inserted, ConstantInt) else None
            value = value.operands[0]
        if isinstance(value, ir.Load):
            return self.initial(value.operands[0], field)
        return _field_of(value, field) if isinstance(value, Constant) else None


_RANK: Final = 3  # fields of a descriptor as a struct
_CODE: Final = 4
_ATTRIBUTE: Final = 5
_OFFSETS: Final = {_RANK: 20, _CODE: 21, _ATTRIBUTE: 22}


def _field_of(constant: Constant | None, field: int) -> int | None:
    if isinstance(constant, ConstantAggregate) and len(constant.operands) == 1:
        return _field_of(constant.operands[0] if isinstance(constant.operands[0], Constant) else None, field)
    if isinstance(constant, ConstantAggregate) and len(constant.operands) > _ATTRIBUTE:
        value = constant.operands[field]
        return value.value if isinstance(value, ConstantInt) else None
    return None


def _offset(module: Module, gep: ir.GetElementPtr) -> int | None:
    """Its constant offset in bytes."""
    found = element_offset(module.layout, gep)
    return None if found.terms else found.constant


def _declared_types(module: Module, function: Function) -> Mapping[Value, DebugType]:
    """Variables by the address at which debug records declare them."""
    found: dict[Value, DebugType] = {}
    for block in function.blocks:
        for record in block.records:
            if not record.text.startswith("#dbg_declare(ptr {},") or len(record.operands) != 1:
                continue
            variable = module.find_node(record.text.split(",")[1].strip())
            if variable is not None and "!DIExpression()" in record.text:
                found[record.operands[0]] = debug_type(module, variable.fields.get("type", "null"))
    return found


def _at(declared: DebugType | None, offset: int) -> DebugType | None:
    """The type of the descriptor at `offset` in a variable; None when there is none."""
    if declared is None:
        return None
    match declared.kind:
        case "pointer" | "array" if declared.kind == "pointer" or declared.has_descriptor:
            return declared if offset == 0 else None
        case "array" if (element := declared.element) is not None and element.size:
            return _at(element, offset % element.size)
        case "struct":
            for member in declared.members:
                size = member.type.size or 1
                if member.offset == offset or member.offset < offset < member.offset + size:
                    return _at(member.type, offset - member.offset)
    return None


def _fixed_by(declared: DebugType | None) -> Fixed:
    """What the declared type of a variable with a descriptor fixes."""
    if declared is None:
        return Fixed()
    if declared.kind == "pointer" and declared.element is not None and declared.element.kind == "array":
        declared = declared.element
    rank = len(declared.dimensions) if declared.kind == "array" else 0
    element = declared.element
    if element is None:
        return Fixed()
    if element.kind == "struct" and element.size:
        return Fixed(DERIVED, rank)
    if element.kind == "string":
        return Fixed(CHARACTERS[1], rank)
    code = _BY_DEBUG_KIND.get(element.kind, {}).get(element.size)
    return Fixed(code, rank) if code is not None else Fixed()
