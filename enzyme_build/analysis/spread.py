"""Places of a pointer one by one, where its region knows but the distance between them.

The address `p[i].pos[axis]` is any multiple of eight bytes behind `p`, as far as the scales of its indices tell: the
other members of the struct are among them. Where an index is known to be small, the element that it chooses is one of
a few, each at its own offset in the structs that are chosen by the other indices.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import (
    I8,
    ArrayType,
    FloatType,
    IntType,
    NamedStructType,
    StructType,
    Type,
    VectorType,
    fields_of,
    innermost,
)
from enzyme_build.ir.values import Argument, ConstantExpression, GlobalVariable
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .copied import is_declared_element, is_fortran_number
from .multiples import NotReachedError
from .offsets import Linear, element_offset, scalar_leaves
from .ranges import few_values
from .source_structs import is_union

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .regions import Place

_POINTER: Final = 8
_MOST: Final = 64
_PRECISIONS: Final = regex(r"\b(?:half|bfloat|float|double|x86_fp80|fp128)\b")
_LITERAL: Final = regex(r"(?:getelementptr (?:inbounds |nuw |nusw )*|alloca )(?=<?\{)")
_BRACKET: Final = regex(r"[{}]")
_MIXED: Final = "structs with numbers of several types"
_NESTED: Final = "structs that are members"
_INSIDE: Final = "numbers of structs"


@dataclass(frozen=True, slots=True)
class Chain:
    """An address as a base, bytes behind it, indices that are one of a few numbers, and others, with their scales."""

    base: Value
    constant: int
    chosen: tuple[tuple[int, range], ...]
    left: tuple[tuple[Value, int], ...]


def spread(model: Memory, pointer: Value) -> list[Place]:
    """The places that a pointer may be: those of single elements, where an index is one of a few numbers."""
    place = model.place(pointer)
    if place is None or not 0 < place.stride < _POINTER or not isinstance(pointer, ir.GetElementPtr):
        return [place] if place is not None else []
    return _single(model, pointer, None) or [place]


def accessed_places(model: Memory, pointer: Value, access: ir.Instruction) -> list[Place]:
    """The places that an access may be to. They are told apart only where that matters: in programs that have numbers
    of several types in one struct."""
    place = model.place(pointer)
    if place is None:
        return []
    if not place.stride or not isinstance(pointer, ir.GetElementPtr) or access in model.unbounded:
        return [place]
    if place.stride >= _largest_mixed(model.module):
        return [place]
    single = _single(model, pointer, access)
    declared = _declared(model, pointer, access)
    if declared is None:
        return single or [place]
    size, numbers = declared
    if not single or any(one.stride % size for one in single):
        return numbers
    return [one for one in single if any(_same(one, other) for other in numbers)] or single


def _same(one: Place, other: Place) -> bool:
    """Is one place among those that the other may be?"""
    step = gcd(one.stride, other.stride)
    return one.region is other.region and ((one.offset - other.offset) % step == 0 if step else one == other)


def _declared(model: Memory, pointer: ir.GetElementPtr, access: ir.Instruction) -> tuple[int, list[Place]] | None:
    """The size of the struct that a pointer leads into, and the places of all its numbers that this may be, where the
    language says that no other member is read or written as such a number."""
    type_ = access.type if isinstance(access, ir.Load) else access.value.type if isinstance(access, ir.Store) else None
    struct = _declared_struct(model, pointer, access) if isinstance(type_, FloatType) else None
    if struct is None or type_ is None:
        return None
    size, numbers = model.layout.alloc_size(struct), _numbers_in(model, struct)
    if not numbers:
        return None
    base, moved = _opened(model, pointer)
    start = model.place(base)
    if start is None or start.stride % size:
        return None
    step = gcd(size, *(scale for _, scale in moved.terms))
    found = [at for at, number in numbers if number is type_ and (at - moved.constant) % step == 0]
    return (size, [start.moved(at, size) for at in found]) if 0 < len(found) <= _MOST else None


def _opened(model: Memory, pointer: Value) -> tuple[Value, Linear]:
    """What a pointer is counted from, and how far it is from there."""
    moved = Linear(0)
    while isinstance(pointer, ir.GetElementPtr) or (
        isinstance(pointer, ConstantExpression) and pointer.op == "getelementptr"
    ):
        moved += (
            model.code.offset(pointer)
            if isinstance(pointer, ir.GetElementPtr)
            else element_offset(model.layout, pointer)
        )
        pointer = pointer.operands[0]
    return pointer, moved


def _single(model: Memory, pointer: ir.GetElementPtr, access: ir.Instruction | None) -> list[Place]:
    """The places of single elements; none where they are not known, or are those that the scales tell."""
    key = (pointer, access.block if access is not None else None)
    chain = model.code.chains.get(key)
    if chain is None:
        chain = model.code.chains[key] = _chain(model, pointer, access)
    start = model.place(chain.base)
    if start is None:
        return []
    try:
        stride = gcd(model.code.step(key, Linear(0, chain.left), model.place), start.stride)
    except NotReachedError:
        return []
    offsets = {chain.constant}
    for scale, values in chain.chosen:
        if not stride or scale % stride:
            offsets = {at + scale * index for at in offsets for index in values}
    if stride:
        offsets = {at % stride for at in offsets}
    found = dict.fromkeys(start.moved(at, stride) for at in sorted(offsets))
    whole = model.place(pointer)
    return [one for one in found if whole is None or _same(one, whole)]


def _chain(model: Memory, pointer: ir.GetElementPtr, access: ir.Instruction | None) -> Chain:
    base, moved = _opened(model, pointer)
    chosen: list[tuple[int, range]] = []
    left: list[tuple[Value, int]] = []
    count = 1
    for value, scale in moved.terms:
        values = few_values(model, value, access)
        if values is None or count * len(values) > _MOST:
            left.append((value, scale))
        else:
            chosen.append((scale, values))
            count *= len(values)
    return Chain(base, moved.constant, tuple(chosen), tuple(left))


def _declared_struct(model: Memory, pointer: Value, access: ir.Instruction) -> Type | None:
    """The type of the struct that an access to one of its numbers leads into, where that is sure: that of the variable,
    where the language's rules say what is accessed.

    Fortran has no casts of addresses: there what steps over structs of a type leads to such, too, unless it is a member
    of others itself, and the address may be counted from the begin of those.
    """
    if not is_declared_element(model.module, access.metadata):
        return None
    steps: set[Type] = set()
    while isinstance(pointer, ir.GetElementPtr):
        if isinstance(pointer.source_type, NamedStructType | StructType):
            steps.add(pointer.source_type)
        pointer = pointer.operands[0]
    while isinstance(pointer, ConstantExpression) and pointer.op == "getelementptr":
        pointer = pointer.operands[0]
    if isinstance(pointer, ir.Alloca | GlobalVariable):
        type_ = innermost(pointer.allocated_type if isinstance(pointer, ir.Alloca) else pointer.value_type)
        return type_ if isinstance(type_, NamedStructType | StructType) else None
    if not isinstance(pointer, Argument | ir.Load | ir.CallBase) or not is_fortran_number(
        model.module, access.metadata
    ):
        return None
    members = _members(model.module)
    outer = [type_ for type_ in steps if isinstance(type_, NamedStructType) and type_ not in members]
    place = model.place(pointer)
    if len(outer) != 1 or place is None or not steps <= {outer[0], *_inside(outer[0])}:
        return None
    variables = {declared for _, _, declared in place.resolved().region.declared}
    same = (isinstance(type_, Type) and innermost(type_) is outer[0] for type_ in variables)
    return outer[0] if all(same) else None


def _members(module: Module) -> set[Type]:
    """The structs that are members of others."""
    known = module.cache.get(_NESTED)
    if isinstance(known, set):
        return known
    found = module.cache[_NESTED] = {inner for type_ in module.types.values() for inner in _inside(type_)}
    return found


def _inside(struct: Type) -> set[Type]:
    """The structs in a struct."""
    found: set[Type] = set()
    pending = [*fields_of(struct)]
    while pending:
        type_ = pending.pop()
        if isinstance(type_, ArrayType | VectorType):
            pending.append(type_.element)
        elif type_ not in found and isinstance(type_, StructType | NamedStructType):
            found.add(type_)
            pending += fields_of(type_)
    return found


def _numbers_in(model: Memory, struct: Type) -> list[tuple[int, Type]]:
    """The numbers of a struct, and where they are; none where some of its bytes may be storage for anything."""
    cache = model.module.cache.setdefault(_INSIDE, {})
    assert isinstance(cache, dict)
    known: dict[Type, list[tuple[int, Type]]] = cache
    if struct not in known:
        leaves = [] if _is_storage(struct) else scalar_leaves(model.layout, struct)
        known[struct] = [(at, leaf) for _, leaf, at in leaves if isinstance(leaf, FloatType)]
    return known[struct]


def _is_storage(type_: Type) -> bool:
    """Is this an array of bytes or a union, or is one in it?"""
    if isinstance(type_, ArrayType):
        return type_.element is I8 or _is_storage(type_.element)
    return is_union(type_) or any(_is_storage(field) for field in fields_of(type_))


def mixes_numbers(module: Module) -> bool:
    """Has any struct of the program numbers of several types?"""
    return _largest_mixed(module) > 0


def _largest_mixed(module: Module) -> int:
    """The size of the largest struct with numbers of several types."""
    known = module.cache.get(_MIXED)
    if not isinstance(known, int):
        types: list[Type] = [*module.types.values()]
        begins = (match.end() for match in _LITERAL.finditer(module.text, 0, module.metadata_start))
        literals = {literal for begin in begins if (literal := _type_at(module.text, begin))}
        types += [module.parse_type(text) for text in sorted(literals) if len({*_PRECISIONS.findall(text)}) > 1]
        sizes = (module.layout.alloc_size(type_) for type_ in types if len(_numbers(type_)) > 1 or _has_beside(type_))
        known = module.cache[_MIXED] = max(sizes, default=0)
    return known


def _has_beside(type_: Type) -> bool:
    """Is an array of numbers a member beside integers, which are among its elements as far as scales tell?"""
    fields = fields_of(type_)
    arrays = any(isinstance(field, ArrayType) and isinstance(innermost(field), FloatType) for field in fields)
    nested = any(_has_beside(field) for field in fields if isinstance(field, StructType | NamedStructType))
    wrapped = any(_only_array(field) for field in fields if isinstance(field, StructType | NamedStructType))
    return nested or ((arrays or wrapped) and any(isinstance(field, IntType) for field in fields))


def _only_array(type_: Type) -> bool:
    """Is this an array of numbers in a struct of its own, as `std::array` is?"""
    fields = fields_of(type_)
    while len(fields) == 1 and isinstance(fields[0], StructType | NamedStructType):
        fields = fields_of(fields[0])
    return len(fields) == 1 and isinstance(fields[0], ArrayType) and isinstance(innermost(fields[0]), FloatType)


def _type_at(text: str, start: int) -> str:
    """The text of a struct that begins there."""
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        depth += 1 if bracket[0] == "{" else -1
        if not depth:
            return text[start : bracket.end() + (text[start] == "<")]
    return ""


def _numbers(type_: Type) -> set[Type]:
    """The types of the numbers in a struct."""
    if isinstance(type_, ArrayType | VectorType):
        return _numbers(type_.element)
    if isinstance(type_, FloatType):
        return {type_}
    return {number for field in fields_of(type_) for number in _numbers(field)}
