"""What accesses say of a place in a region, where several fields may be the same bytes."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Final

from .contents import Content, Graph
from .kinds import Kind
from .spans import ANYWHERE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .memory import Memory
    from .regions import Place, Region

_FAR: Final = 1 << 62
"""No distance within memory is a multiple of that, but none."""


def unify_overlapping_pointers(region: Region) -> None:
    """Pointers in fields that may be the same bytes must point to the same place.

    By the language's rules, pointers of different types are not the same bytes: an array of pointers to nodes, in the
    object that has a pointer to the array, is not that pointer.
    """
    root = region.root
    pointers = [entry for entry in root.entries() if entry[2].target is not None]
    strided = [entry for entry in pointers if entry[1]]
    for offset, stride, content in strided:
        span = root.span(offset, stride)
        for other_offset, other_stride, other in pointers:
            step = gcd(stride, other_stride)
            if (offset - other_offset) % step or other.root is content.root or content.is_other_pointer(other):
                continue
            if span.meets(root.span(other_offset, other_stride)):
                content.unify(other)


def accessed_content(region: Region, offset: int, stride: int, skip: Content | None = None) -> Content | None:
    """What accesses say about the bytes at a place: the exact offset first, then the coarsest stride that matches."""
    if stride == 0:
        exact = region.fields.get(offset)
        if exact is not None and exact.root is not skip and exact.kind is not Kind.UNKNOWN:
            return exact
    best: Content | None = None
    coarsest = 0
    anywhere = not region.spans  # then every place with a stride may be anywhere
    span = ANYWHERE if anywhere else region.span(offset, stride)
    for step in region.strides:
        if step <= coarsest or stride % step:
            continue
        content = region.strided.get((offset % step, step))
        if content is None or not (anywhere or span.meets(region.span(offset % step, step))):
            continue
        root = content.root
        if root is not skip and root._kind is not Kind.UNKNOWN:  # noqa: SLF001
            best, coarsest = content, step
    if best is not None or not stride:
        return best
    for at, content in region.fields.items():
        if (at - offset) % stride or content.root is skip or content.kind is Kind.UNKNOWN:
            continue
        if anywhere or span.meets(region.span(at, 0)):
            return content
    if region.apart:
        return _joined([content for content in _inside(region, offset, stride) if content.root is not skip])
    return None


def content_behind(memory: Memory, pointer: Value) -> Content | None:
    """What accesses say of where a pointer leads."""
    place = memory.place(pointer)
    return accessed_content(place.region, place.offset, place.stride) if place is not None else None


def may_keep_address(place: Place) -> bool:
    """Are pointers read anywhere as such, where integers are written, that the bytes at a place may be? An address with
    a tag leads to anywhere as far as is known, and so does what is read there."""
    return any(content.keeps_addresses for _, content in beginning_at(place.resolved()))


def beginning_at(place: Place) -> Iterator[tuple[int, Content]]:
    """The accesses that may begin just at a place, as what indices may be tells: their strides, and what they say."""
    region = place.region
    span = region.span(place.offset, place.stride)
    for at, step, content in region.entries():
        if not (at - place.offset) % (gcd(place.stride, step) or _FAR) and span.meets(region.span(at, step)):
            yield step, content


def _inside(region: Region, offset: int, stride: int) -> list[Content]:
    """What accesses to single elements say, among those that a place may be."""
    return [
        content
        for (at, step), content in region.strided.items()
        if step % stride == 0 and (at - offset) % stride == 0 and content.kind is not Kind.UNKNOWN
    ]


def _joined(contents: list[Content]) -> Content | None:
    """All that any of these says."""
    roots = list(dict.fromkeys(content.root for content in contents))
    if len(roots) < 2:
        return roots[0] if roots else None
    joined = Content(Graph())
    for content in roots:
        joined.learn(content)
        joined.tell(content.claims)
    return joined


def accessed_kind(region: Region, offset: int, stride: int) -> tuple[Kind, Type | None]:
    """The kind of what `accessed_content` finds."""
    content = accessed_content(region, offset, stride)
    if content is None:
        return Kind.UNKNOWN, None
    return content.kind, content.number
