"""Metadata nodes, and the attachments of instructions."""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .instructions import Instruction

_KIND: Final = regex(r"(distinct )?!(?:(\w+)\(|\{)")
_ATTACHMENT: Final = regex(r"!([-\w.$]+) (![-\w.$]+(?:\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*\))?|!\{[^}]*\})")
_ITEM: Final = regex(
    r"((?:[^,(){}\"]|\"[^\"]*\"|\((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*\)|\{(?:[^{}\"]|\"[^\"]*\")*\})+)(?:, |$)"
)
_OF_TYPES: Final = frozenset(("range", "nonnull", "align", "dereferenceable", "dereferenceable_or_null"))
_OF_CHOICES: Final = frozenset(("prof", "unpredictable", "make.implicit"))
_FIELD: Final = regex(r"(\w+): (.*)", re.DOTALL)


@dataclass(frozen=True)
class MetadataNode:
    """One node. `kind` is `DILocation` … for specialised nodes with `fields`, `tuple` for `!{…}` with `operands`.

    Values are text: references (`!5`), numbers, quoted strings (`!"int"` in tuples, `"int"` in fields).
    """

    kind: str
    fields: Mapping[str, str] = field(default_factory=dict)
    operands: Sequence[str] = ()
    distinct: bool = False

    def string(self, name: str) -> str:
        """A quoted field without its quotes, empty when absent."""
        return self.fields.get(name, "").strip('"')

    def number(self, name: str, default: int = 0) -> int:
        text = self.fields.get(name)
        return default if text is None or not text.lstrip("-").isdigit() else int(text)


def parse_node(text: str) -> MetadataNode:
    """The node after `!5 = `."""
    match = _KIND.match(text)
    if match is None:
        raise InputError(f"cannot read metadata: {text[:200]}")
    inner = text[match.end() : -1]
    distinct = match[1] is not None
    items = [m[1] for m in _ITEM.finditer(inner)] if inner else []
    if match[2] is None:
        return MetadataNode("tuple", operands=tuple(items), distinct=distinct)
    fields: dict[str, str] = {}
    operands: list[str] = []
    for item in items:
        named = _FIELD.fullmatch(item)
        if named:
            fields[named[1]] = named[2]
        else:
            operands.append(item)
    return MetadataNode(match[2], fields, tuple(operands), distinct)


def retyped(metadata: str) -> str:
    """Attachments without what is allowed for results of one type only."""
    return _without(metadata, _OF_TYPES)


def unconditional(metadata: str) -> str:
    """Attachments of a jump in the place of a branch."""
    return _without(metadata, _OF_CHOICES)


def _without(metadata: str, kinds: frozenset[str]) -> str:
    found = list(_ATTACHMENT.finditer(metadata)) if metadata else []
    if kinds.isdisjoint(match[1] for match in found):
        return metadata
    return ", ".join(match[0] for match in found if match[1] not in kinds)


def attachments(instruction: Instruction) -> dict[str, str]:
    """`dbg` to `!12`, `tbaa` to `!5` …"""
    return dict(_ATTACHMENT.findall(instruction.metadata)) if instruction.metadata else {}
