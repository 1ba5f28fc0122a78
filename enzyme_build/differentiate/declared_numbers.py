"""Numbers of one precision whose bits a function takes for those of another, by what is said of its arguments.

A shadow has the precision that the function uses. Where the program means another one (its bits are copied, shared by
EQUIVALENCE, transferred), the adjoints in it would be nonsense to the caller. Debug information says what a parameter
points to; without it, the function that asks for the derivative may show it, by the variables that it passes and what
else it does with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.analysis.accessed import accessed_content
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.offsets import element_offset
from enzyme_build.analysis.packing import packing
from enzyme_build.errors import RequestError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import is_fortran, subprogram_of
from enzyme_build.ir.types import ArrayType, IntType, PointerType, Type, VectorType, fields_of, innermost
from enzyme_build.ir.values import ConstantExpression, Value

from .markers import parameter_place
from .shadow_types import declared_type, variable_type

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.regions import Place, Region
    from enzyme_build.ir.debug import DebugType
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Argument

    from .context import FunctionFacts
    from .engine import Engine
    from .request_call import Actual, RequestCall

Number: TypeAlias = tuple[int, Type]
"""Bytes behind a pointer, and the scalar type that lies there."""
_DEEP: Final = 8
_WIDEST: Final = 8
"""Bytes of the numbers that are compared: others have padding."""


def compare_declared(engine: Engine, request: RequestCall) -> None:
    """Refuse a request for shadows of a precision that nobody but the function's body means."""
    facts = engine.facts(request.primal.name)
    told = subprogram_of(engine.module, request.primal)
    layout = engine.module.layout
    fortran = is_fortran(engine.module, request.primal)
    for number, (actual, argument) in enumerate(zip(request.actuals, facts.function.arguments, strict=True)):
        at, name = parameter_place(request.primal, number)
        place = facts.memory.place(argument)
        if not isinstance(argument.type, PointerType) or place is None or actual.value is None:
            continue
        parameter = told.parameters[at - 1] if told is not None and at <= len(told.parameters) else None
        name = parameter.name or name if parameter is not None else name
        passed = variable_type(layout, actual.value) if actual.in_memory is None else None
        if isinstance(passed, IntType) and (used := _numbers_only(place)):
            raise _other_variable(request, at, name, passed, used)
        if passed is not None and fortran and (integers := _integers_read(facts, argument) - {passed}):
            raise _other_variable(request, at, name, passed, integers)
        if not actual.shadows:
            continue
        if parameter is not None and (declared := _declared_size(parameter.type)):
            used = _used_numbers(facts.memory, place.resolved().region)
            if used and all(layout.store_size(type_) != declared for type_ in used):
                raise _other_precision(request, at, name, "is declared as", declared, used)
        elif actual.in_memory is None:
            for offset, type_ in _passed(actual, _numbers_of(engine.module, request.caller), layout):
                used = _numbers_at(place.moved(offset))
                size = layout.store_size(type_)
                if used and size <= _WIDEST and all(layout.store_size(other) != size for other in used):
                    raise _other_precision(request, at, name, "is, where the derivative is asked for,", size, used)


def _other_variable(
    request: RequestCall, at: int, name: str | None, passed: Type, used: Collection[Type]
) -> RequestError:
    shown = f"argument {at}{f' ({name})' if name else ''} of '{request.primal.name}'"
    return RequestError(
        f"{shown} is, where the derivative is asked for, a variable of type {passed}, and used as "
        f"{', '.join(sorted(type_.text for type_ in used))}",
        location=request.location,
        hint="pass the function's arguments in order, with the shadow behind each dup argument",
        code="E0307",
    )


def _other_precision(  # noqa: PLR0913, PLR0917
    request: RequestCall, at: int, name: str | None, means: str, size: int, used: Collection[Type]
) -> RequestError:
    return RequestError(
        f"argument {at}{f' ({name})' if name else ''} of '{request.primal.name}' {means} memory of numbers of {size} "
        f"bytes, and used as {', '.join(sorted(type_.text for type_ in used))}",
        location=request.location,
        hint="convert numbers by assignments, not by their bits (memcpy, EQUIVALENCE, transfer, casts)",
        code="E0201",
    )


def _numbers_at(place: Place) -> set[Type]:
    """What a function takes the bytes at a place for, if for numbers."""
    place = place.resolved()
    content = accessed_content(place.region, place.offset, place.stride)
    return set(content.float_types) if content is not None else set()


def _numbers_only(place: Place) -> set[Type]:
    """What a function takes the bytes at a place for, if that memory is for numbers only (a tag may tell)."""
    contents = [*place.resolved().region.contents()]
    return _numbers_at(place) if all(content.kind is Kind.FLOAT for content in contents) else set()


def _integers_read(facts: FunctionFacts, argument: Argument) -> set[Type]:
    """The integers that a function reads at an address that it is given, and does not only move (as LLVM moves two
    numbers at once). Of `type(*)` flang says that it is one."""
    loads = [i for i in facts.users.get(argument, ()) if isinstance(i, ir.Load) and isinstance(i.type, IntType)]
    return {i.type for i in loads if not all(isinstance(user, ir.Store) for user in facts.users.get(i, ()))}


def _used_numbers(memory: Memory, region: Region) -> set[Type]:
    """The types of numbers that accesses say are in memory, also where several are read as one integer."""
    found = {type_ for content in region.contents() for type_ in content.float_types}
    parts = packing(memory)
    for i in memory.function.instructions():
        if isinstance(i, ir.Load) and isinstance(i.type, IntType) and (place := memory.place(i.pointer)) is not None:
            found |= {*parts.parts(i).values()} if place.resolved().region is region else set()
    return found


def _declared_size(type_: DebugType) -> int:
    """Bytes of the numbers that a pointer or array is declared to have; 0 for other types, and where nobody says."""
    depth = 0
    while type_.kind in ("pointer", "array") and type_.element is not None and depth < _DEEP:
        type_, depth = type_.element, depth + (type_.kind == "pointer")
        if depth > 1:
            return 0
    if type_.kind == "complex":
        return type_.size // 2 if type_.size <= 2 * _WIDEST else 0
    return type_.size if type_.kind == "float" and type_.size <= _WIDEST else 0


def _passed(actual: Actual, meant: Mapping[Value, set[Number]], layout: DataLayout) -> Iterator[Number]:
    """The numbers in what is passed, and how far behind the pointer they are; of arrays, some element."""
    for value in (actual.value, *actual.shadows):
        if value is not None:
            variable, start = _place(value, layout)
            numbers = meant.get(variable) or _declared_numbers(declared_type(variable), start, layout)
            yield from ((offset - start, type_) for offset, type_ in sorted(numbers, key=str))


def _numbers_of(module: Module, caller: Function) -> Mapping[Value, set[Number]]:
    """The numbers that a function reads and writes, by the variable or pointer that leads to them; found once, though
    it may ask for many derivatives."""
    cache = module.cache.setdefault("numbers of callers", {})
    assert isinstance(cache, dict)
    known: dict[Function, dict[Value, set[Number]]] = cache
    if caller in known:
        return known[caller]
    layout = module.layout
    found = known[caller] = {}
    for i in caller.instructions():
        if isinstance(i, ir.Load | ir.Store):
            type_ = i.type if isinstance(i, ir.Load) else i.value.type
            if type_.is_float_like:
                variable, offset = _place(i.pointer, layout)
                found.setdefault(variable, set()).add((offset, type_.scalar))
    return found


def _place(pointer: Value, layout: DataLayout) -> tuple[Value, int]:
    """A variable or pointer, and the constant part of how far behind it."""
    total = 0
    while isinstance(pointer, ir.GetElementPtr) or (
        isinstance(pointer, ConstantExpression) and pointer.op == "getelementptr"
    ):
        total += element_offset(layout, pointer).constant
        pointer = pointer.operands[0]
    return pointer, total


def _declared_numbers(type_: Type | None, start: int, layout: DataLayout) -> set[Number]:
    """The numbers that a variable is declared to have, if it has nothing else: of an array, those of the element at
    `start` bytes behind its begin."""
    if type_ is None:
        return set()
    element = innermost(type_)
    size = layout.alloc_size(element)
    begin = start - start % size if size else 0
    found = {(begin + at, leaf.scalar) for at, leaf in _leaves(element, layout)}
    return found if all(leaf.is_float for _, leaf in found) else set()


def _leaves(type_: Type, layout: DataLayout, at: int = 0) -> Iterator[Number]:
    """What a type consists of, and where; of arrays, the first elements."""
    if isinstance(type_, ArrayType | VectorType):
        yield from _leaves(type_.element, layout, at)
        return
    inside = fields_of(type_)
    if not inside:
        yield at, type_
    for index, field in enumerate(inside):
        yield from _leaves(field, layout, at + layout.field_offset(type_, index))
