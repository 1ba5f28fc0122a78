"""Takes from inlined Fortran code what its access tags no longer say.

flang's tags (`!tbaa`) have a tree for each procedure, whose leaves are its dummy arguments and variables: two names are
of different memory during one call. Where LLVM inlines a procedure twice, both copies have the same tags; buffers that
change places between two calls are then one name in the first and another in the second, and nothing of the kind
holds. The same goes for procedures that call themselves, as LLVM makes loops of such calls. In a function that is not
the tree's own, or recursive, the tags that stay separate data from descriptors.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

_ROOT: Final = "Flang function root "
_DATA: Final = "any data access"
_NODE: Final = re.compile(r'^(!\d+) = !\{!"([^"\n]*)"(?:, (!\d+), i64 0)?\}$', re.MULTILINE)
_TAG: Final = re.compile(r"^(!\d+) = !\{(!\d+), \2, i64 0\}$", re.MULTILINE)
_PLACE: Final = re.compile(r'^define [^\n]*?@("[^"\n]*"|[-\w.$]+)\(|!tbaa (!\d+)', re.MULTILINE)
_FUNCTION: Final = re.compile(r'^define [^\n]*?@("[^"\n]*"|[-\w.$]+)\(([^\n]*\n.*?)^\}', re.MULTILINE | re.DOTALL)
_CALLED: Final = re.compile(r'@("[^"\n]*"|[-\w.$]+)')
_LOOP_OF_CALLS: Final = "tailrecurse"
_NUMBERED: Final = re.compile(r"^!(\d+) = ", re.MULTILINE)


def without_lost_names(text: str) -> str:
    """The module with the tags of inlined procedures made less exact."""
    if _ROOT not in text:
        return text
    nodes = {match[1]: (match[2], match[3]) for match in _NODE.finditer(text)}
    owners: dict[str, tuple[str, str]] = {}
    for match in _TAG.finditer(text):
        found = _data_of(match[2], nodes)
        if found is not None:
            owners[match[1]] = found
    if not owners:
        return text
    recursive = _recursive(text, {owner for owner, _ in owners.values()})
    free = max(map(int, _NUMBERED.findall(text))) + 1
    added: dict[str, str] = {}
    inside = ""

    def replaced(match: re.Match[str]) -> str:
        nonlocal inside
        if match[1] is not None:
            inside = match[1].strip('"')
            return match[0]
        if match[2] not in owners:
            return match[0]
        owner, data = owners[match[2]]
        if owner == inside and inside not in recursive:
            return match[0]
        return f"!tbaa {added.setdefault(data, f'!{free + len(added)}')}"

    text = _PLACE.sub(replaced, text)
    return text + "".join(f"{tag} = !{{{data}, {data}, i64 0}}\n" for data, tag in added.items())


def _recursive(text: str, names: Collection[str]) -> set[str]:
    """Those among the functions that may be on the stack twice, or whose calls of themselves are loops already."""
    called: dict[str, set[str]] = {}
    found = set()
    for match in _FUNCTION.finditer(text):
        name = match[1].strip('"')
        called[name] = {callee.strip('"') for callee in _CALLED.findall(match[2])}
        if _LOOP_OF_CALLS in match[2]:
            found.add(name)
    for name in names:
        reached, pending = set[str](), [name]
        while pending:
            new = called.get(pending.pop(), set()) - reached
            reached |= new
            pending += new
        if name in reached:
            found.add(name)
    return found


def _data_of(node: str, nodes: dict[str, tuple[str, str | None]]) -> tuple[str, str] | None:
    """The procedure whose tree this is in, and the node of all its data; None for descriptors and other languages."""
    data = ""
    at: str | None = node
    while at in nodes:
        name, above = nodes[at]
        if name == _DATA:
            data = at
        if above is None:
            return (name.removeprefix(_ROOT), data) if name.startswith(_ROOT) and data != "" else None
        at = above
    return None
