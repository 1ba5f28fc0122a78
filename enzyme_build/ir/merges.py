"""What values are merged from, on all ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .instructions import MERGES, merged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .values import Value


def merged_from(value: Value) -> Iterator[Value]:
    """What becomes this value, itself or by choice."""
    seen, pending = {value}, [value]
    while pending:
        at = pending.pop()
        if isinstance(at, MERGES):
            pending += {*merged(at)} - seen
            seen.update(merged(at))
        else:
            yield at
