"""Makes a failing program small: lines and blocks go as long as the failure stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def reduced(text: str, still_fails: Callable[[str], bool], limit: int = 400) -> str:
    """The smallest text found with at most `limit` tries."""
    lines = text.splitlines()
    if not still_fails(text):
        return text
    changed, tries = True, 0
    while changed and tries < limit:
        changed = False
        for removed in _pieces(lines):
            if tries >= limit:
                break
            if removed[-1] >= len(lines):
                continue
            gone = set(removed)
            smaller = [line for at, line in enumerate(lines) if at not in gone]
            tries += 1
            if still_fails("\n".join(smaller) + "\n"):
                lines, changed = smaller, True
                break
    return "\n".join(lines) + "\n"


def _pieces(lines: list[str]) -> Iterator[list[int]]:
    """Largest first: whole blocks, then the two lines around a block, then single lines; from the end."""
    blocks: list[tuple[int, int]] = []
    open_: list[int] = []
    for at, line in enumerate(lines):
        if _closes(line) and open_:
            blocks.append((open_.pop(), at))
        if line.rstrip().endswith("{"):
            open_.append(at)
    blocks.sort(key=lambda block: block[0] - block[1])
    for first, last in blocks:
        yield list(range(first, last + 1))
    for size in (8, 4, 2):
        for at in range(len(lines) - size, -1, -size):
            piece = lines[at : at + size]
            if not any(line.rstrip().endswith("{") or _closes(line) for line in piece):
                yield list(range(at, at + size))
    for first, last in blocks:
        if not lines[first].startswith(("static", "NOINLINE", "double", "struct")):
            yield [first, last]
    for at in range(len(lines) - 1, -1, -1):
        if not lines[at].rstrip().endswith("{") and not _closes(lines[at]):
            yield [at]


def _closes(line: str) -> bool:
    """Does it end a block? Fortran's lines say so in a comment."""
    return line.strip().startswith("}") or "! }" in line
