"""Functions over one element of each derived type of a program: copy, destroy, initialize.

flang describes each derived type by constant tables (`__fortran_type_info`: DerivedType and Component), which its
runtime library walks. Here each table becomes straight code with one typed access for each component, and
`enzyme_fortran_copy(type, to, from)` and its sisters choose among the types by the address of the table, as types of
polymorphic objects are known at run time only. Types with final procedures, defined assignment or length parameters
are left to the library.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from enzyme_build.fortran.type_codes import CHARACTERS, COMPLEX, DERIVED, INTEGERS, LOGICALS, REALS, UNSIGNED
from enzyme_build.ir.types import ArrayType
from enzyme_build.ir.values import Constant, ConstantAggregate, ConstantExpression, ConstantInt, GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.module import Module

_TYPE: Final = "%_QM__fortran_type_infoTderivedtype"
_COMPONENTS_FIELD, _POINTERS_FIELD, _SPECIAL_FIELD, _HAS_PARENT = 6, 7, 8, 10
_DATA, _POINTER, _ALLOCATABLE = 1, 2, 3  # genres; 4 is "automatic", for types with length parameters
_CHARACTER, _DERIVED = 4, 6  # categories; the others are in the order of `_CODES`

_CODES: Final = dict(enumerate((INTEGERS, UNSIGNED, REALS, COMPLEX, CHARACTERS, LOGICALS)))
_REALS: Final = {2: "half", 3: "bfloat", 4: "float", 8: "double", 10: "x86_fp80", 16: "fp128"}
"""IR type of each kind."""
_BYTES: Final = {"half": 2, "bfloat": 2, "float": 4, "double": 8, "x86_fp80": 16, "fp128": 16}
_ONE_BY_ONE: Final = 4  # as many numbers are copied each by a load and a store
_VERSION: Final = 20240719
_IS_ALLOCATABLE: Final = 2  # the attribute in a descriptor
_HEAD: Final = 24  # bytes of a descriptor before its dimensions
_ARRAY_BYTES: Final = {"copy": "ptr, ptr, i64, i64", "destroy": "ptr, i64, i64", "initialize": "ptr, i64, i64"}


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

    def type_code(self) -> int:
        return DERIVED if self.category == _DERIVED else _CODES[self.category][self.kind]


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

    @property
    def name(self) -> str:
        return self.table.removeprefix("@").strip('"')


def functions_of_types(module: Module) -> str:
    """The functions as LLVM assembly; of no types when the program has none."""
    types = [
        found
        for value in module.globals.values()
        if isinstance(value, GlobalVariable) and value.value_type.text == _TYPE
        if (found := _derived_type(module, value)) is not None
    ]
    by_table = {type_.table: type_ for type_ in types}
    lines = [f"{type_.table} = external constant i8" for type_ in types]
    lines += sorted(
        f"{text} = external constant i8"
        for type_ in types
        for text in {component.initialization for component in type_.components} - {""}
    )
    for action, parameters in (("copy", "ptr %to, ptr %from"), ("destroy", "ptr %to"), ("initialize", "ptr %to")):
        for type_ in types:
            lines += _function(action, parameters, type_, by_table)
        lines += _choice(action, parameters, by_table)
    return "\n".join([*lines, *_declarations("\n".join(lines))]) + "\n"


def _declarations(text: str) -> Iterator[str]:
    for name, parameters in (
        ("enzyme_fortran_copy_allocatable", "ptr, ptr, ptr"),
        ("enzyme_fortran_destroy_allocatable", "ptr, ptr"),
        *((f"enzyme_fortran_{action}_array", f"ptr, {rest}") for action, rest in _ARRAY_BYTES.items()),
        ("llvm.assume", "i1"),
        ("llvm.memcpy.p0.p0.i64", "ptr, ptr, i64, i1"),
        ("_FortranAAssign", "ptr, ptr, ptr, i32"),
        ("_FortranADestroy", "ptr"),
        ("_FortranAInitialize", "ptr, ptr, i32"),
        ("_FortranAReportFatalUserError", "ptr, ptr, i32"),
    ):
        if f"@{name}(" in text:
            yield f"declare void @{name}({parameters})"


# Reading the tables -----------------------------------------------------------------------------------------------


def _derived_type(module: Module, variable: GlobalVariable) -> DerivedType | None:
    table = module.global_initializer(variable)
    if table is None:
        return None
    size = _integer(_member(table, 2))
    rows = _rows(module, _member(table, _COMPONENTS_FIELD))
    pointers = _rows(module, _member(table, _POINTERS_FIELD))
    special = _pointed(_member(_member(table, _SPECIAL_FIELD), 0))
    parameters = _pointed(_member(_member(table, 5), 0))
    if rows is None or pointers is None or special or parameters:
        return DerivedType(variable.text, size, left_alone=True)
    components = tuple(_component(module, row) for row in rows)
    procedures = tuple((_integer(_member(row, 1)), _pointed(_member(row, 2))) for row in pointers)
    parent = components[0].derived if _integer(_member(table, _HAS_PARENT)) and components else ""
    alone = any(c.genre not in {_DATA, _POINTER, _ALLOCATABLE} or c.length < 0 for c in components)
    return DerivedType(variable.text, size, components, procedures, left_alone=alone, parent=parent)


def _component(module: Module, row: Constant) -> Component:
    genre, category, kind, rank = (_integer(_member(row, index)) for index in (1, 2, 3, 4))
    length = 1
    if category == _CHARACTER:
        length = _integer(_member(_member(row, 7), 2)) if _integer(_member(_member(row, 7), 0)) == 2 else 0
        if genre == _DATA and _integer(_member(_member(row, 7), 0)) != 2:
            length = -1
    elements = 1
    bounds = _rows(module, _member(row, 10)) if rank and genre == _DATA else ()
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


# Writing the functions --------------------------------------------------------------------------------------------


def _function(action: str, parameters: str, type_: DerivedType, types: dict[str, DerivedType]) -> Iterator[str]:
    yield f'define void @"enzyme_fortran_{action}.{type_.name}"({parameters}) {{'
    writer = _Writer(type_, types)
    if type_.left_alone:
        writer.by_library(action)
    else:
        for component in type_.components:
            writer.component(action, component)
        for offset, first in type_.procedures if action != "destroy" else ():
            writer.pointer(action, offset, first)
    yield from writer.lines
    yield "  ret void"
    yield "}"


def _choice(action: str, parameters: str, types: dict[str, DerivedType]) -> Iterator[str]:
    """The function that finds out the type; where the declared type is a constant, only what extends it is left."""
    yield f"define void @enzyme_fortran_{action}(ptr %type, ptr %declared, {parameters}) alwaysinline {{"
    yield "  %open = icmp eq ptr %declared, null"
    for number, type_ in enumerate(types.values()):
        possible = "%open"
        for rank, ancestor in enumerate(_line(type_, types)):
            yield f"  %like.{number}.{rank} = icmp eq ptr %declared, {ancestor}"
            yield f"  %possible.{number}.{rank} = or i1 {possible}, %like.{number}.{rank}"
            possible = f"%possible.{number}.{rank}"
        yield f"  br i1 {possible}, label %ask.{number}, label %not.{number}"
        yield f"ask.{number}:"
        yield f"  %is.{number} = icmp eq ptr %type, {type_.table}"
        yield f"  br i1 %is.{number}, label %do.{number}, label %not.{number}"
        yield f"do.{number}:"
        yield f'  call void @"enzyme_fortran_{action}.{type_.name}"({parameters})'
        yield "  ret void"
        yield f"not.{number}:"
    yield "  call void @_FortranAReportFatalUserError(ptr @enzyme_fortran_unknown_type, ptr null, i32 0)"
    yield "  unreachable"
    yield "}"
    if action == "copy":
        text = "an object of a derived type whose definition is not in this link"
        yield f'@enzyme_fortran_unknown_type = private constant [{len(text) + 1} x i8] c"{text}\\00"'


def _line(type_: DerivedType, types: dict[str, DerivedType]) -> Iterator[str]:
    """The tables of a type and of those that it extends."""
    table = type_.table
    while table:
        yield table
        table = types[table].parent if table in types else ""


class _Writer:
    """Instructions of one function."""

    def __init__(self, type_: DerivedType, types: dict[str, DerivedType]) -> None:
        self.type_ = type_
        self.types = types
        self.lines: list[str] = []
        self.number = 0

    def emit(self, instruction: str) -> str:
        self.number += 1
        self.lines.append(f"  %v{self.number} = {instruction}")
        return f"%v{self.number}"

    def at(self, base: str, offset: int) -> str:
        return self.emit(f"getelementptr i8, ptr {base}, i64 {offset}") if offset else base

    def typed(self, component: Component, base: str) -> str:
        """The descriptor of an allocatable component, whose type and rank are known from here on."""
        descriptor = self.at(base, component.offset)
        fixed = [("i8", 21, component.type_code()), ("i8", 20, component.rank), ("i8", 22, _IS_ALLOCATABLE)]
        if component.category not in (_CHARACTER, _DERIVED):
            fixed.append(("i64", 8, self.element_bytes(component)))
        for type_, offset, value in fixed:
            found = self.emit(f"load {type_}, ptr {self.at(descriptor, offset)}")
            right = self.emit(f"icmp eq {type_} {found}, {value}")
            self.lines.append(f"  call void @llvm.assume(i1 {right})")
        return descriptor

    def component(self, action: str, component: Component) -> None:
        declared = component.derived or "null"
        match component.genre, action:
            case (1, _) if component.category == _DERIVED:
                self.nested(action, component)
            case (1, "copy"):
                self.values(component, "%from")
            case (1, "initialize"):
                if component.initialization:
                    self.values(component, "", component.initialization)
            case (3, "copy"):
                to, source = self.typed(component, "%to"), self.typed(component, "%from")
                self.lines.append(
                    f"  call void @enzyme_fortran_copy_allocatable(ptr {to}, ptr {source}, ptr {declared})"
                )
            case (3, "destroy"):
                to = self.typed(component, "%to")
                self.lines.append(f"  call void @enzyme_fortran_destroy_allocatable(ptr {to}, ptr {declared})")
            case (2, "copy"):
                self.descriptor(component, "%from", component.offset)
            case (2, "initialize") if component.initialization:
                self.descriptor(component, component.initialization, 0)
            case (_, "initialize"):
                self.empty(component)

    def nested(self, action: str, component: Component) -> None:
        if action == "initialize" and component.initialization:
            self.nested("initialize", replace(component, initialization=""))
            self.copy_nested(component, component.initialization, 0)
        elif action == "copy":
            self.copy_nested(component, "%from", component.offset)
        else:
            to = self.at("%to", component.offset)
            self.call_nested(action, component, f"ptr {to}")

    def copy_nested(self, component: Component, base: str, offset: int) -> None:
        to, source = self.at("%to", component.offset), self.at(base, offset)
        self.call_nested("copy", component, f"ptr {to}, ptr {source}")

    def call_nested(self, action: str, component: Component, arguments: str) -> None:
        size = self.types[component.derived].size if component.derived in self.types else 0
        if component.elements == 1:
            name = component.derived.removeprefix("@").strip('"')
            known = component.derived in self.types
            callee = (
                f'@"enzyme_fortran_{action}.{name}"(' if known else f"@enzyme_fortran_{action}(ptr null, ptr null, "
            )
            self.lines.append(f"  call void {callee}{arguments})")
            return
        count = f"i64 {component.elements}, i64 {size}"
        callee = f"@enzyme_fortran_{action}_array(ptr {component.derived or 'null'}"
        self.lines.append(f"  call void {callee}, {arguments}, {count})")

    def values(self, component: Component, base: str, first: str = "") -> None:
        """Numbers, one by one or by a loop."""
        scalar, size, per_element = component.scalar()
        count = per_element * component.elements
        source_offset = 0 if first else component.offset
        source = first or base
        if count <= _ONE_BY_ONE:
            for index in range(count):
                value = self.emit(
                    f"load {scalar}, ptr {self.at(source, source_offset + index * size)}, align {min(size, 8)}"
                )
                to = self.at("%to", component.offset + index * size)
                self.lines.append(f"  store {scalar} {value}, ptr {to}, align {min(size, 8)}")
            return
        to, begin = self.at("%to", component.offset), self.at(source, source_offset)
        self.lines.append(f"  call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {begin}, i64 {count * size}, i1 false)")

    def descriptor(self, component: Component, base: str, offset: int) -> None:
        """A pointer component: its descriptor, word by word."""
        for place, word in _words_of(component):
            value = self.emit(f"load {word}, ptr {self.at(base, offset + place)}, align 8")
            self.lines.append(f"  store {word} {value}, ptr {self.at('%to', component.offset + place)}, align 8")

    def empty(self, component: Component) -> None:
        """The descriptor of a component that is not allocated, or not associated."""
        bytes_ = self.element_bytes(component)
        derived = component.category == _DERIVED
        attribute = _IS_ALLOCATABLE if component.genre == _ALLOCATABLE else 1
        fields = (
            (0, "ptr null"),
            (8, f"i64 {bytes_}"),
            (16, f"i32 {_VERSION}"),
            (20, f"i8 {component.rank}"),
            (21, f"i8 {component.type_code()}"),
            (22, f"i8 {attribute}"),
            (23, f"i8 {int(derived)}"),
        )
        for place, value in fields:
            self.lines.append(f"  store {value}, ptr {self.at('%to', component.offset + place)}")
        end = _HEAD + 24 * component.rank
        for place in range(_HEAD, end, 8):
            self.lines.append(f"  store i64 0, ptr {self.at('%to', component.offset + place)}")
        if derived:
            self.lines.append(
                f"  store ptr {component.derived or 'null'}, ptr {self.at('%to', component.offset + end)}"
            )
            self.lines.append(f"  store i64 0, ptr {self.at('%to', component.offset + end + 8)}")

    def element_bytes(self, component: Component) -> int:
        if component.category == _DERIVED:
            return self.types[component.derived].size if component.derived in self.types else 0
        _, size, count = component.scalar()
        return size * count

    def pointer(self, action: str, offset: int, first: str) -> None:
        to = self.at("%to", offset)
        value = self.emit(f"load ptr, ptr {self.at('%from', offset)}") if action == "copy" else first or "null"
        self.lines.append(f"  store ptr {value}, ptr {to}")

    def by_library(self, action: str) -> None:
        """The library's function for arrays, on scalars."""
        names = ("to", "from") if action == "copy" else ("to",)
        for name in names:
            self.lines.append(f"  %{name}.object = alloca [5 x i64]")
            for place, value in (
                (0, f"ptr %{name}"),
                (8, f"i64 {self.type_.size}"),
                (16, f"i32 {_VERSION}"),
                (20, "i8 0"),
                (21, "i8 42"),
                (22, "i8 0"),
                (23, "i8 1"),
                (24, f"ptr {self.type_.table}"),
                (32, "i64 0"),
            ):
                self.lines.append(f"  store {value}, ptr {self.at(f'%{name}.object', place)}")
        match action:
            case "copy":
                self.lines.append("  call void @_FortranAAssign(ptr %to.object, ptr %from.object, ptr null, i32 0)")
            case "destroy":
                self.lines.append("  call void @_FortranADestroy(ptr %to.object)")
            case _:
                self.lines.append("  call void @_FortranAInitialize(ptr %to.object, ptr null, i32 0)")


def _words_of(component: Component) -> Iterator[tuple[int, str]]:
    """Offset and IR type of each word of a descriptor: the address first."""
    yield 0, "ptr"
    end = _HEAD + 24 * component.rank
    for place in range(8, end, 8):
        yield place, "i64"
    if component.category == _DERIVED:
        yield end, "ptr"
        yield end + 8, "i64"
