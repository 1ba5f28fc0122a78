"""Functions over one element of each derived type of a program: copy, assign, duplicate, finalize, destroy, initialize.

flang describes each derived type by constant tables (`__fortran_type_info`: DerivedType and Component), which its
runtime library walks. Here each table becomes straight code with one typed access for each component, and
`enzyme_fortran_copy(type, declared, to, from)` and its sisters choose among the types by the address of the table, as
types of polymorphic objects are known at run time only; `enzyme_fortran_copy_run(…, n)` does so for elements without
gaps. There are three ways to copy: intrinsic assignment (`copy`), which assigns the components; assignment as a
component (`assign`), by the type's own procedure if it has one; and values as they are (`duplicate`). Types with length
parameters, or with final procedures for arrays, are left to the library.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.copied import COMPONENTS, FORTRAN_TEXT
from enzyme_build.fortran.type_info import (
    ALLOCATABLE,
    CHARACTER_CATEGORY,
    DATA,
    DERIVED_CATEGORY,
    LOGICAL_CATEGORY,
    POINTER,
    SCALAR_ASSIGNMENT,
    derived_types,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.fortran.type_info import Component, DerivedType, Special
    from enzyme_build.ir.module import Module

_ONE_BY_ONE: Final = 16  # as many numbers are copied each by a load and a store, if these can say their type
_ONE_BY_ONE_UNTOLD: Final = 4
_TAGS: Final = {"integer": (0, "long"), "float": (2, "float"), "double": (4, "double"), "x86_fp80": (6, "long double")}
_ROOT: Final = 8
_TEXT: Final = 9
_VERSION: Final = 20240719
_IS_ALLOCATABLE: Final = 2  # the attribute in a descriptor
_HEAD: Final = 24  # bytes of a descriptor before its dimensions
_COPIES: Final = ("copy", "assign", "duplicate")
_RUN: Final = "_run"
_OTHERS: Final = ("finalize", "finalize_in_array", "destroy", "initialize")


def functions_of_types(module: Module) -> str:
    """The functions as LLVM assembly; of no types when the program has none."""
    types = derived_types(module)
    by_table = {type_.table: type_ for type_ in types}
    lines = [f"{type_.table} = external constant i8" for type_ in types]
    lines += sorted(
        f"{text} = external constant i8"
        for type_ in types
        for text in {component.initialization for component in type_.components} - {""}
    )
    procedures = {f"{type_.assignment.procedure}(ptr, ptr)" for type_ in types if type_.assignment}
    finals = (final for type_ in types for final in (type_.final, type_.elemental_final) if final)
    procedures |= {f"{final.procedure}(ptr)" for final in finals}
    lines += sorted(f"declare void {procedure}" for procedure in procedures)
    for action in (*_COPIES, *_OTHERS):
        parameters = "ptr %to, ptr %from" if action in _COPIES else "ptr %to"
        for type_ in types:
            lines += _function(action, parameters, type_, by_table)
        lines += _choice(action, parameters, by_table)
        lines += _choice(f"{action}_run", f"{parameters}, i64 %n", by_table)
    return "\n".join([*lines, *_declarations("\n".join(lines)), *_tags()]) + "\n"


def _tags() -> Iterator[str]:
    """What accesses to components say of their types: objects of different classes may be one memory to analyses."""
    for at, name in _TAGS.values():
        yield f'!{at} = !{{!{at + 1}, !{at + 1}, i64 0}}\n!{at + 1} = !{{!"{name}", !{_ROOT}, i64 0}}'
    yield f'!{_ROOT} = !{{!"{COMPONENTS}"}}'
    yield f'!{_TEXT} = !{{!{_TEXT + 1}, !{_TEXT + 1}, i64 0}}\n!{_TEXT + 1} = !{{!"{FORTRAN_TEXT}", !{_ROOT}, i64 0}}'


def _tag(scalar: str) -> str:
    if scalar == "i64":
        return ""  # addresses (`c_ptr`)
    at, _ = _TAGS.get("integer" if scalar.startswith("i") else scalar, (None, ""))
    return "" if at is None else f", !tbaa !{at}"


def _declarations(text: str) -> Iterator[str]:
    for name, parameters in (
        *((f"enzyme_fortran_{action}_allocatable", "ptr, ptr, ptr, i32, i32, i64") for action in ("copy", "duplicate")),
        *((f"enzyme_fortran_{action}_allocatable", "ptr, ptr, i32, i32, i64") for action in ("finalize", "destroy")),
        ("llvm.assume", "i1"),
        ("llvm.memcpy.p0.p0.i64", "ptr, ptr, i64, i1"),
        ("_FortranAAssign", "ptr, ptr, ptr, i32"),
        ("_FortranAAssignTemporary", "ptr, ptr, ptr, i32"),
        ("_FortranADestroyWithoutFinalization", "ptr"),
        ("_FortranAFinalize", "ptr, ptr, i32"),
        ("_FortranAInitialize", "ptr, ptr, i32"),
        ("_FortranAReportFatalUserError", "ptr, ptr, i32"),
    ):
        if f"@{name}(" in text:
            yield f"declare void @{name}({parameters})"


def _function(action: str, parameters: str, type_: DerivedType, types: dict[str, DerivedType]) -> Iterator[str]:
    yield f'define void @"enzyme_fortran_{action}.{type_.name}"({parameters}) {{'
    writer = _Writer(type_, types)
    if type_.left_alone:
        writer.by_library(action)
    elif action == "assign":
        writer.assign()
    elif action == "finalize":
        writer.finalize(type_.final)
    elif action == "finalize_in_array":
        writer.finalize(type_.elemental_final)
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
        if action.endswith(_RUN):
            yield from _loop(action.removesuffix(_RUN), number, type_)
        else:
            yield f'  call void @"enzyme_fortran_{action}.{type_.name}"({parameters})'
            yield "  ret void"
        yield f"not.{number}:"
    yield "  call void @_FortranAReportFatalUserError(ptr @enzyme_fortran_unknown_type, ptr null, i32 0)"
    yield "  unreachable"
    yield "}"
    if action == "copy":
        text = "an object of a derived type whose definition is not in this link"
        yield f'@enzyme_fortran_unknown_type = private constant [{len(text) + 1} x i8] c"{text}\\00"'


def _loop(action: str, number: int, type_: DerivedType) -> Iterator[str]:
    """Over elements without gaps: their size is known here, as it is not where a descriptor tells it."""
    names = ("to", "from") if action in _COPIES else ("to",)
    yield f"  br label %next.{number}"
    yield f"next.{number}:"
    yield f"  %i.{number} = phi i64 [ 0, %do.{number} ], [ %after.{number}, %one.{number} ]"
    yield f"  %more.{number} = icmp slt i64 %i.{number}, %n"
    yield f"  br i1 %more.{number}, label %one.{number}, label %done.{number}"
    yield f"one.{number}:"
    yield f"  %offset.{number} = mul nuw nsw i64 %i.{number}, {type_.size}"
    for name in names:
        yield f"  %{name}.{number} = getelementptr inbounds nuw i8, ptr %{name}, i64 %offset.{number}"
    arguments = ", ".join(f"ptr %{name}.{number}" for name in names)
    yield f'  call void @"enzyme_fortran_{action}.{type_.name}"({arguments})'
    yield f"  %after.{number} = add nuw nsw i64 %i.{number}, 1"
    yield f"  br label %next.{number}"
    yield f"done.{number}:"
    yield "  ret void"


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

    def allocatable(self, action: str, component: Component, *bases: str) -> None:
        """Of an allocatable component, whose type and rank the table tells."""
        varies = component.category in (CHARACTER_CATEGORY, DERIVED_CATEGORY)
        size = 0 if varies else self.element_bytes(component)
        places = [self.at(base, component.offset) for base in bases]
        for place in places:
            self.assume_form(place, component, size)
        descriptors = ", ".join(f"ptr {place}" for place in places)
        told = f"ptr {component.derived or 'null'}, i32 {component.type_code()}, i32 {component.rank}, i64 {size}"
        self.lines.append(f"  call void @enzyme_fortran_{action}_allocatable({descriptors}, {told})")

    def assume_form(self, descriptor: str, component: Component, size: int) -> None:
        """The same for what else reads the descriptor; codes of logicals may differ, and `class(*)` holds anything."""
        fixed = [("i8", 20, component.rank), ("i8", 22, _IS_ALLOCATABLE)]
        if component.category != LOGICAL_CATEGORY and not component.is_unlimited:
            fixed.append(("i8", 21, component.type_code()))
        if size:
            fixed.append(("i64", 8, size))
        for type_, offset, value in fixed:
            found = self.emit(f"load {type_}, ptr {self.at(descriptor, offset)}")
            self.assume(type_, found, value)
        extra = self.emit(f"load i8, ptr {self.at(descriptor, 23)}")
        self.assume("i8", self.emit(f"and i8 {extra}, 1"), int(component.category == DERIVED_CATEGORY))

    def assume(self, type_: str, value: str, known: int) -> None:
        right = self.emit(f"icmp eq {type_} {value}, {known}")
        self.lines.append(f"  call void @llvm.assume(i1 {right})")

    def assign(self) -> None:
        """By the type's own assignment, or component by component."""
        special = self.type_.assignment
        if special is None:
            self.lines.append(f'  call void @"enzyme_fortran_copy.{self.type_.name}"(ptr %to, ptr %from)')
        else:
            self.call_special(special, ("%to", "%from"))

    def finalize(self, own: Special | None) -> None:
        """The type's own procedure, then those of the components, then that of the type it extends."""
        if own is not None:
            self.call_special(own, ("%to",))
        components = self.type_.components
        if self.type_.parent:
            components = (*components[1:], components[0])
        for component in components:
            if not self.ends_by_procedure(component):
                continue
            if component.genre == DATA:
                self.nested("finalize_in_array" if component.rank else "finalize", component)
            elif component.genre == ALLOCATABLE:
                self.allocatable("finalize", component, "%to")

    def ends_by_procedure(self, component: Component) -> bool:
        """May a final procedure have to be called for it? Its type may be one that extends the declared one."""
        if component.category != DERIVED_CATEGORY or component.genre == POINTER or not component.derived:
            return False
        return any(type_.final is not None or type_.left_alone for type_ in self.types.values())

    def call_special(self, special: Special, arguments: tuple[str, ...]) -> None:
        passed = [
            self.descriptor_of(argument) if special.descriptors >> number & 1 else argument
            for number, argument in enumerate(arguments)
        ]
        self.lines.append(f"  call void {special.procedure}({', '.join(f'ptr {value}' for value in passed)})")

    def component(self, action: str, component: Component) -> None:
        match component.genre, action:
            case (1, _) if component.category == DERIVED_CATEGORY:
                self.nested(action, component)
            case (1, "copy" | "duplicate"):
                self.values(component, "%from")
            case (1, "initialize"):
                if component.initialization:
                    self.values(component, "", component.initialization)
            case (3, "copy" | "duplicate"):
                self.allocatable(action, component, "%to", "%from")
            case (3, "destroy"):
                self.allocatable("destroy", component, "%to")
            case (2, "copy" | "duplicate"):
                self.descriptor(component, "%from", component.offset)
            case (2, "initialize") if component.initialization:
                self.descriptor(component, component.initialization, 0)
            case (_, "initialize"):
                self.empty(component)

    def nested(self, action: str, component: Component) -> None:
        if action == "initialize" and component.initialization:
            self.nested("initialize", replace(component, initialization=""))
            self.copy_nested("duplicate", component, component.initialization, 0)
        elif action == "copy":
            type_ = self.types.get(component.derived)
            own = type_.assignment if type_ is not None else None
            by_copy = own is not None and own.which == SCALAR_ASSIGNMENT and component.rank > 0
            self.copy_nested("copy" if by_copy else "assign", component, "%from", component.offset)
        elif action == "duplicate":
            self.copy_nested("duplicate", component, "%from", component.offset)
        else:
            to = self.at("%to", component.offset)
            self.call_nested(action, component, f"ptr {to}")

    def copy_nested(self, action: str, component: Component, base: str, offset: int) -> None:
        to, source = self.at("%to", component.offset), self.at(base, offset)
        self.call_nested(action, component, f"ptr {to}, ptr {source}")

    def call_nested(self, action: str, component: Component, arguments: str) -> None:
        derived = component.derived or "null"
        if component.elements != 1:
            run = f"ptr {derived}, ptr {derived}, {arguments}, i64 {component.elements}"
            self.lines.append(f"  call void @enzyme_fortran_{action}{_RUN}({run})")
            return
        name = component.derived.removeprefix("@").strip('"')
        known = component.derived in self.types
        callee = f'@"enzyme_fortran_{action}.{name}"(' if known else f"@enzyme_fortran_{action}(ptr null, ptr null, "
        self.lines.append(f"  call void {callee}{arguments})")

    def values(self, component: Component, base: str, first: str = "") -> None:
        """Numbers, one by one or by a loop."""
        scalar, size, per_element = component.scalar()
        count = per_element * component.elements
        source_offset = 0 if first else component.offset
        source = first or base
        tag = _tag(scalar)
        is_text = component.category == CHARACTER_CATEGORY
        if not is_text and count <= (_ONE_BY_ONE if tag else _ONE_BY_ONE_UNTOLD):
            told = f"align {min(size, 8)}{tag}"
            for index in range(count):
                value = self.emit(f"load {scalar}, ptr {self.at(source, source_offset + index * size)}, {told}")
                to = self.at("%to", component.offset + index * size)
                self.lines.append(f"  store {scalar} {value}, ptr {to}, {told}")
            return
        to, begin = self.at("%to", component.offset), self.at(source, source_offset)
        text = f", !tbaa !{_TEXT}" if is_text else ""
        run = f"ptr {to}, ptr {begin}, i64 {count * size}"
        self.lines.append(f"  call void @llvm.memcpy.p0.p0.i64({run}, i1 false){text}")

    def descriptor(self, component: Component, base: str, offset: int) -> None:
        """A pointer component: its descriptor, word by word."""
        for place, word in _words_of(component):
            tag = _tag("integer") if word == "i64" else ""  # bounds and the like, whatever lies there in other types
            value = self.emit(f"load {word}, ptr {self.at(base, offset + place)}, align 8{tag}")
            self.lines.append(f"  store {word} {value}, ptr {self.at('%to', component.offset + place)}, align 8{tag}")

    def empty(self, component: Component) -> None:
        """The descriptor of a component that is not allocated, or not associated."""
        bytes_ = self.element_bytes(component)
        derived = component.category == DERIVED_CATEGORY
        attribute = _IS_ALLOCATABLE if component.genre == ALLOCATABLE else 1
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
        if component.category == DERIVED_CATEGORY:
            return self.types[component.derived].size if component.derived in self.types else 0
        _, size, count = component.scalar()
        return size * count

    def pointer(self, action: str, offset: int, first: str) -> None:
        to = self.at("%to", offset)
        value = self.emit(f"load ptr, ptr {self.at('%from', offset)}") if action in _COPIES else first or "null"
        self.lines.append(f"  store ptr {value}, ptr {to}")

    def by_library(self, action: str) -> None:
        """The library's function for arrays, on scalars."""
        to = self.descriptor_of("%to")
        source = self.descriptor_of("%from") if action in _COPIES else ""
        call = {
            "copy": f"@_FortranAAssign(ptr {to}, ptr {source}, ptr null, i32 0)",
            "assign": f"@_FortranAAssign(ptr {to}, ptr {source}, ptr null, i32 0)",
            "duplicate": f"@_FortranAAssignTemporary(ptr {to}, ptr {source}, ptr null, i32 0)",
            "finalize": f"@_FortranAFinalize(ptr {to}, ptr null, i32 0)",
            "finalize_in_array": f"@_FortranAFinalize(ptr {to}, ptr null, i32 0)",
            "destroy": f"@_FortranADestroyWithoutFinalization(ptr {to})",
            "initialize": f"@_FortranAInitialize(ptr {to}, ptr null, i32 0)",
        }
        self.lines.append(f"  call void {call[action]}")

    def descriptor_of(self, address: str) -> str:
        """A descriptor of the element at `address`, as a scalar of this type."""
        descriptor = self.emit("alloca [5 x i64], align 8")
        for place, value in (
            (0, f"ptr {address}"),
            (8, f"i64 {self.type_.size}"),
            (16, f"i32 {_VERSION}"),
            (20, "i8 0"),
            (21, "i8 42"),
            (22, "i8 0"),
            (23, "i8 1"),
            (24, f"ptr {self.type_.table}"),
            (32, "i64 0"),
        ):
            self.lines.append(f"  store {value}, ptr {self.at(descriptor, place)}")
        return descriptor


def _words_of(component: Component) -> Iterator[tuple[int, str]]:
    """Offset and IR type of each word of a descriptor: the address first."""
    yield 0, "ptr"
    end = _HEAD + 24 * component.rank
    for place in range(8, end, 8):
        yield place, "i64"
    if component.category == DERIVED_CATEGORY:
        yield end, "ptr"
        yield end + 8, "i64"
