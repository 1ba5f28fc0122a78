"""Memory that Fortran declares as text: `character` variables, dummy arguments and components.

Optimised or not, flang says nothing of the bytes that an assignment of text moves, but debug data has the variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.debug import declared_types

from .offsets import fixed_base

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.debug import DebugType
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


class DeclaredText:
    """Answers for one function."""

    def __init__(self, module: Module, function: Function) -> None:
        self._declared: Mapping[Value, list[DebugType]] = {
            value: [type_ for _, _, type_ in found] for value, found in declared_types(module, function).items()
        }

    def covers(self, layout: DataLayout, pointer: Value, most: int | None) -> bool:
        """Does a variable have text where `pointer` leads to, in all of the next `most` bytes, or until its end where
        nothing bounds the length? Whatever else has its address."""
        base, offset = fixed_base(layout, pointer)
        types = self._declared.get(base, ())
        return bool(types) and all(_is_text(type_, offset, most) for type_ in types)


def _is_text(declared: DebugType, offset: int, most: int | None) -> bool:
    match declared.kind:
        case "string":
            return not declared.has_descriptor
        case "array" if not declared.has_descriptor and (element := declared.element) is not None:
            if element.kind == "string":
                return _is_text(element, 0, most)
            return bool(element.size) and _is_text(element, offset % element.size, most)
        case "struct" if most is not None:
            inside = [m for m in declared.members if m.offset <= offset and offset + most <= m.offset + m.type.size]
            return len(inside) == 1 and _is_text(inside[0].type, offset - inside[0].offset, most)
    return False
