"""Where the parts of C++ objects lie, as the descriptions of classes in the link say (Itanium C++ ABI, 2.9.5).

A description (`_ZTI…`) names the bases of a class and their offsets; that of a virtual base stands in the class's table
of virtual functions. A *leap* is the distance from a part of one class to a part of another in some complete object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.values import ConstantAggregate, ConstantExpression, ConstantInt, GlobalAlias, GlobalVariable

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_DESCRIPTION: Final = "_ZTI"
_TABLE: Final = "_ZTV"
_SINGLE: Final = "__si_class_type_info"
_MULTIPLE: Final = "__vmi_class_type_info"
_VIRTUAL: Final = 1
_OFFSET_SHIFT: Final = 8
_WORD: Final = 8
_CACHE: Final = "class_layout.parts"


def leaps(module: Module, start: Value, end: Value) -> list[int]:
    """The distances from a part of the class described by `start` to one of that described by `end`, in the classes of
    the link."""
    parts = module.cache.get(_CACHE)
    if parts is None:
        described = [
            v for v in module.globals.values() if isinstance(v, GlobalVariable) and v.name.startswith(_DESCRIPTION)
        ]
        parts = module.cache[_CACHE] = [_parts(module, description) for description in described]
    assert isinstance(parts, list)
    found = {to - at for each in parts for name, at in each if name is start for other, to in each if other is end}
    return sorted(found)


def _parts(module: Module, description: GlobalVariable) -> set[tuple[GlobalVariable, int]]:
    """All parts of a complete object, each by the description of its class, and their offsets."""
    found: set[tuple[GlobalVariable, int]] = set()
    pending = [(description, 0)]
    while pending:
        part = pending.pop()
        if part in found:
            continue
        found.add(part)
        for base, offset, is_virtual in _bases(module, part[0]):
            if not is_virtual:
                pending.append((base, part[1] + offset))
            elif part[1] == 0 and (distance := _virtual_offset(module, description, offset)) is not None:
                pending.append((base, distance))
    return found


def _bases(module: Module, description: GlobalVariable) -> list[tuple[GlobalVariable, int, bool]]:
    """Direct bases: description, offset (for virtual ones that in the table), is it virtual?"""
    value = module.global_initializer(description)
    if not isinstance(value, ConstantAggregate) or len(value.operands) < 3:
        return []
    kind, members = getattr(value.operands[0], "text", ""), value.operands
    if _SINGLE in kind:
        return [(base, 0, False) for base in _described(members[2])]
    found = []
    for base, word in zip(members[4::2], members[5::2], strict=False) if _MULTIPLE in kind else ():
        if isinstance(word, ConstantInt):
            found += [(b, word.value >> _OFFSET_SHIFT, bool(word.value & _VIRTUAL)) for b in _described(base)]
    return found


def _described(value: Value) -> list[GlobalVariable]:
    while isinstance(value, GlobalAlias) and value.aliasee is not None:
        value = value.aliasee
    return [value] if isinstance(value, GlobalVariable) else []


def _virtual_offset(module: Module, description: GlobalVariable, at: int) -> int | None:
    """The offset of a virtual base that is in a class's own table, `at` bytes from where its objects point to."""
    table = module.globals.get(_TABLE + description.name.removeprefix(_DESCRIPTION))
    value = module.global_initializer(table) if isinstance(table, GlobalVariable) else None
    first = value.operands[0] if isinstance(value, ConstantAggregate) and value.operands else None
    if not isinstance(first, ConstantAggregate):
        return None
    words = list(first.operands)
    # In front of the functions stand the description, the offset to the whole object, and those of virtual bases.
    point = next((n + 1 for n, word in enumerate(words) if word is description), None)
    place = None if point is None else point + at // _WORD
    return _number(words[place]) if place is not None and 0 <= place < len(words) else None


def _number(word: Value) -> int | None:
    """An offset, which the table has as a pointer."""
    if isinstance(word, ConstantExpression) and word.op == "inttoptr":
        word = word.operands[0]
    return word.value if isinstance(word, ConstantInt) else 0 if word.text == "null" else None  # type: ignore[attr-defined]
