"""The tables in which flang describes derived types (`__fortran_type_info`: DerivedType, Component, SpecialBinding)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.fortran.type_codes import CHARACTERS, COMPLEX, DERIVED, INTEGERS, LOGICALS, REALS, UNSIGNED
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import ArrayType
from enzyme_build.ir.values import Constant, ConstantAggregate, ConstantExpression, ConstantInt, GlobalVariable
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.module import Module

_TYPE: Final = "%_QM__fortran_type_infoTderivedtype"
_PARAMETERS_FIELD, _COMPONENTS_FIELD, _POINTERS_FIELD, _SPECIAL_FIELD, _HAS_PARENT = 5, 6, 7, 8, 10
DATA, POINTER, ALLOCATABLE = 1, 2, 3
"""Genres of components; 4 is "automatic", for types with length parameters."""
CHARACTER_CATEGORY, LOGICAL_CATEGORY, DERIVED_CATEGORY = 4, 5, 6  # categories; the others are in the order of `_CODES`

_CODES: Final = dict(enumerate((INTEGERS, UNSIGNED, REALS, COMPLEX, CHARACTERS, LOGICALS)))
_REALS: Final = {2: "half", 3: "bfloat", 4: "float", 8: "double", 10: "x86_fp80", 16: "fp128"}
"""IR type of each kind."""
_BYTES: Final = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16}
SCALAR_ASSIGNMENT = 1
"""What a special procedure is for."""
_ELEMENTAL_ASSIGNMENT, _ELEMENTAL_FINAL, _SCALAR_FINAL = 2, 7, 9
_OTHER_FINALS: Final = 8
"""From here on, but for that of scalars: final procedures for arrays."""
_INPUT_OUTPUT: Final = range(3, 7)


@dataclass(frozen=True)
class Component:
    """One row of a type's table. `elements` counts those of a data component, `length` is a character's."""

    genre: int
    category: int
    kind: int
    rank: int
    offset: int
    elements: int
    length: int
    derived: str
    initialization: str
    """The constant that holds its first value ("": none)."""

    def scalar(self) -> tuple[str, int, int]:
        """IR type of its numbers, their size in bytes, and how many one element has."""
        match self.category:
            case 2:
                name = _REALS[self.kind]
                return name, _BYTES[name], 1
            case 3:
                name = _REALS[self.kind]
                return name, _BYTES[name], 2
            case 4:
                return f"i{8 * self.kind}", self.kind, self.length
        return f"i{8 * self.kind}", self.kind, 1

    @property
    def is_unlimited(self) -> bool:
        """Is this `class(*)`?"""
        return self.category == DERIVED_CATEGORY and not self.derived

    def type_code(self) -> int:
        return DERIVED if self.category == DERIVED_CATEGORY else _CODES[self.category][self.kind]


@dataclass(frozen=True)
class Special:
    """A procedure that a type has for something; bit i of `descriptors`: argument i is passed by descriptor."""

    which: int
    descriptors: int
    procedure: str


@dataclass(frozen=True)
class DerivedType:
    """`left_alone`: the library's own functions have to do it."""

    table: str
    size: int
    components: tuple[Component, ...] = ()
    procedures: tuple[tuple[int, str], ...] = ()
    """Offset and first value of each procedure pointer."""
    left_alone: bool = False
    parent: str = ""
    """The table of the type that it extends."""
    assignment: Special | None = None
    final: Special | None = None
    elemental_final: Special | None = None
    """For elements of arrays, where `final` does nothing unless it is elemental."""

    @property
    def name(self) -> str:
        return self.table.removeprefix("@").strip('"')


def derived_types(module: Module) -> list[DerivedType]:
    """All that the module has tables of."""
    return [
        found
        for value in module.globals.values()
        if isinstance(value, GlobalVariable) and value.value_type.text == _TYPE
        if (found := _derived_type(module, value)) is not None
    ]


def _derived_type(module: Module, variable: GlobalVariable) -> DerivedType | None:
    table = module.global_initializer(variable)
    if table is None:
        return None
    size = _integer(_member(table, 2))
    rows = _rows(module, _member(table, _COMPONENTS_FIELD))
    pointers = _rows(module, _member(table, _POINTERS_FIELD))
    special = _special(module, _member(table, _SPECIAL_FIELD))
    parameters = _pointed(_member(_member(table, _PARAMETERS_FIELD), 0))
    if rows is None or pointers is None or special is None or parameters:
        return DerivedType(variable.text, size, left_alone=True)
    components = tuple(_component(module, row) for row in rows)
    procedures = tuple((_integer(_member(row, 1)), _pointed(_member(row, 2))) for row in pointers)
    parent = components[0].derived if _integer(_member(table, _HAS_PARENT)) and components else ""
    alone = any(c.genre not in {DATA, POINTER, ALLOCATABLE} or c.length < 0 for c in components)
    return DerivedType(variable.text, size, components, procedures, alone, parent, *special)


def _special(module: Module, descriptor: Constant | None) -> tuple[Special | None, ...] | None:
    """The procedures for assignment, the end of a scalar and of an element; None if only the library knows."""
    rows = _rows(module, descriptor)
    if rows is None:
        return None
    found: dict[int, Special] = {}
    for row in rows:
        which, procedure = _integer(_member(row, 0)), _pointed(_member(row, 5))
        function = module.globals.get(procedure.removeprefix("@").strip('"'))
        if which in _INPUT_OUTPUT:
            continue
        is_known = isinstance(function, Function) and not function.is_local
        if not is_known or (which >= _OTHER_FINALS and which != _SCALAR_FINAL):
            return None
        found[which] = Special(which, _integer(_member(row, 1)), procedure)
    assignment = found.get(_ELEMENTAL_ASSIGNMENT) or found.get(SCALAR_ASSIGNMENT)
    elemental = found.get(_ELEMENTAL_FINAL)
    return assignment, found.get(_SCALAR_FINAL) or elemental, elemental


def _component(module: Module, row: Constant) -> Component:
    genre, category, kind, rank = (_integer(_member(row, index)) for index in (1, 2, 3, 4))
    length = 1
    if category == CHARACTER_CATEGORY:
        length = _integer(_member(_member(row, 7), 2)) if _integer(_member(_member(row, 7), 0)) == 2 else 0
        if genre == DATA and _integer(_member(_member(row, 7), 0)) != 2:
            length = -1
    elements = 1
    bounds = _rows(module, _member(row, 10)) if rank and genre == DATA else ()
    pairs = [_integer(_member(bound, 2)) for row in bounds or () for bound in _flat(row)]
    for lower, upper in zip(pairs[::2], pairs[1::2], strict=True):
        elements *= max(0, upper - lower + 1)
    return Component(
        genre,
        category,
        kind,
        rank,
        offset=_integer(_member(row, 6)),
        elements=elements,
        length=length,
        derived=_pointed(_member(_member(row, 8), 0)),
        initialization=_pointed(_member(row, 11)),
    )


def _flat(constant: Constant) -> Iterator[Constant]:
    """The structs in an array of arrays."""
    if isinstance(constant.type, ArrayType) and isinstance(constant, ConstantAggregate):
        for member in constant.operands:
            if isinstance(member, Constant):
                yield from _flat(member)
    else:
        yield constant


def _member(constant: Constant | None, index: int) -> Constant | None:
    """A member of an aggregate; None inside zeros."""
    if isinstance(constant, ConstantAggregate):
        member = constant.operands[index]
        assert isinstance(member, Constant)
        return member
    return None


def _integer(constant: Constant | None) -> int:
    return constant.value if isinstance(constant, ConstantInt) else 0


def _pointed(constant: Constant | None) -> str:
    """The global that a pointer, or an address as an integer in a struct, holds; "" for null."""
    if isinstance(constant, ConstantAggregate):
        return _pointed(_member(constant, 0))
    if isinstance(constant, ConstantExpression) and constant.op == "ptrtoint":
        return constant.operands[0].text if isinstance(constant.operands[0], Constant) else ""
    return constant.text if constant is not None and constant.text.startswith("@") else ""


def _rows(module: Module, descriptor: Constant | None) -> tuple[Constant, ...] | None:
    """The elements that a descriptor points to; None when they are not known."""
    name = _pointed(_member(descriptor, 0))
    if not name:
        return ()
    variable = module.global_by_text(name)
    array = module.global_initializer(variable) if isinstance(variable, GlobalVariable) else None
    if isinstance(array, ConstantAggregate):
        return tuple(row for row in array.operands if isinstance(row, Constant))
    return None
