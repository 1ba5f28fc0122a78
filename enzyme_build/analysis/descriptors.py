"""Members of Fortran's descriptors that are moved from one to another, and that nothing computes with.

A descriptor holds the address of data, integers (sizes, bounds, codes), and the address of a table of its type; flang
tags accesses to them. The optimiser moves descriptors member by member (pointers to the nodes of a list, say), and of
words that nobody uses, or that are always zero, no access tells what they are. Numbers they are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.types import IntType
from enzyme_build.ir.values import Constant

from .copied import access_name
from .kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .bytetypes import Component
    from .contents import Content

_MEMBER: Final = "descriptor member"


def settle_descriptors(components: Sequence[Component]) -> None:
    """Mark as integers what is known to be no pointer once callers have told their callees what they know."""
    if not components or f'"{_MEMBER}"' not in components[0].module.text:
        return
    for component in components:
        found = [content for content in _members(component) if content.kind is Kind.UNKNOWN]
        for content in found:
            content.mark(Kind.INTEGER)
        if found:
            component.close()


def _members(component: Component) -> Iterator[Content]:
    for model in component.models.values():
        for i in model.function.instructions():
            if not isinstance(i, ir.Load | ir.Store) or access_name(model.module, i.metadata) != _MEMBER:
                continue
            value = i if isinstance(i, ir.Load) else i.value
            place = model.place(i.pointer)
            if isinstance(value.type, IntType) and place is not None:
                yield place.content
                if not isinstance(value, Constant):
                    yield model.content(value)
