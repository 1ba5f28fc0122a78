"""A region as far as some bytes of it reach: what lies in front of them, or behind, is none of their fields.

In `struct { int n; float scale; double items[]; }` the elements lie at multiples of eight bytes, as far as strides
tell, and so does `scale`. Where it is known from which byte on the elements lie (`spans`), and where a run of bytes
begins and ends, the header is told apart from them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .kinds import Kind, number_bytes
from .regions import Place, Region
from .spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .contents import Content

LONGEST_HEADER: Final = 1 << 12
"""In bytes: in copies of memory that may overlap a header goes through the stack."""
_POINTER: Final = 8


class Narrowed:
    """Views of the regions of one module, once all that callers and accesses say of its memory is known."""

    def __init__(self) -> None:
        self._views: dict[tuple[Region, int, Span], Region] = {}

    def of(self, place: Place, most: int | None) -> Place:
        """The same place in a region that has only what a run of at most so many bytes may reach (None: any number)."""
        place = place.resolved()
        region = place.region
        if not region.spans or (place.stride and place.span.low is None):
            return place
        begins = place.span if place.stride else Span(place.offset, place.offset)
        reach = Span(begins.low, None if most is None or begins.high is None else begins.high + most)
        key = (region, region.graph.changes, reach)
        view = self._views.get(key)
        if view is None:
            view = self._views[key] = _view(region, reach)
        return Place(view, place.offset, place.stride, place.span)


def header(places: Iterable[Place]) -> int | None:
    """How many bytes behind places that hold the same lie in front of all elements of an array; None where there are
    none, nothing tells where the elements begin, or they are far from there."""
    found: list[int] = []
    for place in places:
        region = place.region
        if place.stride:
            return None
        for offset, stride in region.strided:
            low = region.span(offset, stride).low
            if low is None:
                return None
            found.append(low - place.offset)
    size = min(found, default=0)
    inside = any(place.offset <= at < place.offset + size for place in places for at in place.region.fields)
    return size if inside and size <= LONGEST_HEADER else None


def _size(content: Content) -> int:
    """Bytes of the largest of what is accessed at an offset."""
    sizes = [content.width, *map(number_bytes, content.claimed_numbers)]
    return max(1, *sizes, _POINTER if Kind.POINTER in content.claims else 0)


def _view(region: Region, reach: Span) -> Region:
    view = Region(region.graph, external=region.external)
    for name in Region.__slots__:
        if name not in {"_parent", "_shift", "graph"}:
            setattr(view, name, getattr(region, name))
    view.fields = {at: content for at, content in region.fields.items() if reach.meets(Span(at, at + _size(content)))}
    met = [key for key in region.strided if reach.meets(region.span(*key))]
    view.strided = {key: region.strided[key] for key in met}
    view.strides = {stride for _, stride in met}
    view.spans = {key: span for key, span in region.spans.items() if key in view.strided}
    return view
