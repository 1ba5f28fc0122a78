"""What element type a descriptor has, told to the optimiser where a runtime function gets the descriptor.

Fortran's types are static: type code and rank in a descriptor never change, except for `class(*)`. But they lie in
memory that functions get the address of, so LLVM forgets them. Here they are found again, from the constants that
initialise a descriptor and from the declared type of the variable (debug information), and assumed in front of the
call; the choice by type and the loops over dimensions inside the body then fold.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.offsets import element_offset
from enzyme_build.fortran.type_codes import CHARACTERS, COMPLEX, DERIVED, INTEGERS, LIBRARY_LOGICALS, LOGICALS, REALS
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment, declared_types
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.printer import print_module
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, IntType, PointerType, function_type
from enzyme_build.ir.values import Constant, ConstantAggregate, ConstantInt, GlobalVariable, const_int
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

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
_TABLES: Final = (*_BY_DEBUG_KIND.values(), LIBRARY_LOGICALS)
BYTES_OF_CODE: Final = {code: size for table in _TABLES for size, code in table.items()}
"""Size in bytes of an element, by type code; none for derived types and text."""
_SOME_LOGICAL: Final = frozenset((*LOGICALS.values(), *LIBRARY_LOGICALS.values())) - {LOGICALS[1]}
_BELOW_DERIVED: Final = 32
_SAME_TYPES: Final = frozenset(("Assign", "AssignTemporary", "MoveAlloc", "CopyOutAssign", "AllocatableAllocateSource"))
"""Functions whose first two descriptors have elements of one type."""
_TO_ANYTHING: Final = frozenset(("AssignTemporary", "MoveAlloc"))
"""Those among them whose first one may be a `class(*)`, which has held something else."""
_EITHER_TABLE: Final = ("_Assign", "_AssignTemporary", "AllocateSource")
"""Functions whose elements are of the declared type of either descriptor; in all others the first one tells."""
_TABLE: Final = "EXdtX"
_CERTAIN: Final = frozenset((*BYTES_OF_CODE, REALS[10], COMPLEX[10], CHARACTERS[1]))


@dataclass(frozen=True)
class Fixed:
    """What never changes in a descriptor; None where it is not known. Ranks count from 0."""

    code: int | None = None
    rank: int | None = None
    attribute: int | None = None
    name: str = ""
    """That of the declared derived type."""
    table: GlobalVariable | None = None
    """The table of that type; elements are of it, or of one that extends it."""

    def assume(self, builder: Builder, assume: Function, descriptor: Value) -> None:
        """Say so in front of a call."""
        code = None if self.code in _SOME_LOGICAL else self.code
        told: list[tuple[IntType, int, int | None]] = [(I8, 21, code), (I8, 20, self.rank)]
        told += [(I8, 22, self.attribute), (I64, 8, BYTES_OF_CODE.get(self.code or 0))]
        for type_, offset, value in told:
            if value is not None:
                found = builder.load(type_, builder.ptradd(descriptor, offset))
                builder.call(assume, [builder.icmp("eq", found, const_int(type_, value))])
        if self.code in _SOME_LOGICAL:  # whichever of both: at least no derived type
            found = builder.load(I8, builder.ptradd(descriptor, 21))
            builder.call(assume, [builder.icmp("ult", found, const_int(I8, _BELOW_DERIVED))])


def assume_types(module: Module, prefix: str, with_declared_type: Collection[str] = ()) -> str:
    """The module's text with assumptions in front of each call of a function whose name begins with `prefix`.

    `with_declared_type` names those that have a twin which takes the declared type as a further argument.
    """
    for name in module.functions_mentioning(f"@{prefix}"):
        _Facts(module, module.function(name), with_declared_type).tell(prefix)
    return print_module(module)


class _Facts:
    """What is fixed in the descriptors of one function."""

    def __init__(self, module: Module, function: Function, with_declared_type: Collection[str]) -> None:
        self.module = module
        self.with_declared_type = with_declared_type
        self.function = function
        self.users = users(function)
        self.declared = declared_types(module, function)
        self.tree = dominators(control_flow(function))
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
                self.module.changed.add(self.function.name)
                fixed = {a: self.fixed(a, call) for a in call.arguments if isinstance(a.type, PointerType)}
                self._share(callee.name.removeprefix(prefix), call, fixed)
                for argument, known in fixed.items():
                    known.assume(builder, assume, argument)
                self._tell_table(callee, call, fixed)

    @staticmethod
    def _share(name: str, call: ir.Call, fixed: dict[Value, Fixed]) -> None:
        """Both descriptors of an assignment have the same type of elements, and arrays the same rank.

        A scalar (rank 0) may be given to an array, not the other way round.
        """
        if name not in _SAME_TYPES:
            return
        a, b = call.arguments[:2]
        code = fixed[a].code if fixed[a].code is not None else fixed[b].code
        rank = fixed[a].rank if fixed[a].rank is not None else fixed[b].rank or None
        other = fixed[b].rank if fixed[b].rank is not None or rank else rank
        first = fixed[a].code if name in _TO_ANYTHING else code
        fixed[a], fixed[b] = replace(fixed[a], code=first, rank=rank), replace(fixed[b], code=code, rank=other)

    def _tell_table(self, callee: Function, call: ir.Call, fixed: dict[Value, Fixed]) -> None:
        """Call the body for a declared type where that is known, with its table as a further argument."""
        name = f"{callee.name}Of"
        tables = [fixed[argument].table for argument in call.arguments if argument in fixed]
        either = callee.name.endswith(_EITHER_TABLE)
        table = next((table for table in tables[: 2 if either else 1] if table is not None), None)
        if table is None or name not in self.with_declared_type:
            return
        type_ = call.function_type
        call.function_type = function_type(type_.result, (*type_.parameters, PTR))
        call.operands[-1:] = [table, self.module.declare(name, call.function_type)]
        call.argument_attributes = [*call.argument_attributes, ""]

    def fixed(self, descriptor: Value, call: ir.Call) -> Fixed:
        """What is fixed where `call` stands."""
        declared = self._declared(descriptor, call)
        told = self._told_type(descriptor)
        if declared.code is not None:
            attribute, table = self.initial(descriptor, _ATTRIBUTE), told or self._named_table(declared.name)
            return replace(declared, attribute=attribute, table=table if declared.code == DERIVED else None)
        code = self.initial(descriptor, _CODE)
        if code not in _CERTAIN and not (code == DERIVED and told is not None):
            code = None
        return Fixed(code, self.initial(descriptor, _RANK), self.initial(descriptor, _ATTRIBUTE), table=told)

    def _named_table(self, name: str) -> GlobalVariable | None:
        """The table of the derived type of this name, if the program has only one such type."""
        ending = f"EXdtX{name}"
        found = [value for key, value in self.module.globals.items() if name and key.endswith(ending)]
        return found[0] if len(found) == 1 and isinstance(found[0], GlobalVariable) else None

    def _told_type(self, descriptor: Value) -> GlobalVariable | None:
        """The table of a derived type that the descriptor is initialised with. That of a `class(*)` has none."""
        geps = [user for user in self.users.get(descriptor, ()) if isinstance(user, ir.GetElementPtr)]
        stores = [store for gep in geps for store in self.users.get(gep, ()) if isinstance(store, ir.Store)]
        values = {store.operands[0] for store in stores if isinstance(store.operands[0], GlobalVariable)}
        tables = [value for value in values if isinstance(value, GlobalVariable) and _TABLE in value.name]
        return tables[0] if len(tables) == 1 else None

    def _declared(self, descriptor: Value, call: ir.Call) -> Fixed:
        variable, offset = descriptor, 0
        if variable not in self.declared and isinstance(descriptor, ir.GetElementPtr):
            found = _offset(self.module, descriptor)
            if found is None:
                return Fixed()
            variable, offset = descriptor.operands[0], found
        return _fixed_by(_at(self._declaration(variable, call), offset))

    def _declaration(self, variable: Value, call: ir.Call) -> DebugType | None:
        """The innermost declaration in force: SELECT TYPE and SELECT RANK declare the same variable once more."""
        found: tuple[int, DebugType] | None = None
        for block, record, type_ in self.declared.get(variable, ()):
            if block is call.block:
                holds = record.index <= block.instructions.index(call)
            else:
                holds = block in self.tree.depth and call.block in self.tree.depth
                holds = holds and self.tree.dominates(block, call.block)
            if holds and (found is None or self.tree.depth[block] >= found[0]):
                found = self.tree.depth.get(block, 0), type_
        return found[1] if found else None

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
    rank = None if declared.is_assumed_rank else len(declared.dimensions) if declared.kind == "array" else 0
    element = declared.element
    if element is None:
        return Fixed()
    if element.kind == "struct":
        return Fixed(DERIVED, rank, name=element.name)
    if element.kind == "string":
        return Fixed(CHARACTERS[1], rank)
    code = _BY_DEBUG_KIND.get(element.kind, {}).get(element.size)
    return Fixed(code, rank) if code is not None else Fixed()
