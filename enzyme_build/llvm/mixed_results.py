"""Structs of pointers and numbers that functions return come back through memory.

A pointer has a shadow, which must be known before the number's adjoint: one result cannot bring the one and take the
other. In memory of the caller, each member has what it needs. Only functions are changed of which all calls are seen;
nothing else refers to them.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Final

from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .text import NAME

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

_FUNCTION: Final = regex(rf"(?m)^(define internal [^\n@]*?)(\{{[^\n@]*\}}) @({NAME})\(([^\n]*)\n((?:.*\n)*?)\}}$")
_BODY: Final = regex(rf"(?m)^(define [^\n]*\n(?:{NAME}:[^\n]*\n)?)((?:.*\n)*?)\}}$")
_CALL: Final = regex(rf"(?m)^  (?:(%{NAME}) = )?((?:tail |notail )?call [^\n@{{]*)(\{{[^\n@]*\}}) @({NAME})\(([^\n]*)")
_RETURN: Final = regex(r"(?m)^  ret (\{[^\n]*?)((?:, ![^\n]*)?)$")
_REFERENCE: Final = regex(rf"@({NAME})")
_GROUP: Final = regex(r"(?m)^attributes #(\d+) = \{ (.*?) ?\}$")
_USED_GROUP: Final = regex(r" #(\d+)(?=[ ,\n]|$)")
_MEMORY: Final = regex(r"\b(?:memory\([^)]*\)|speculatable) ?")
_PLACE: Final = regex(r", !dbg !\d+")
_NUMBER: Final = regex(r"\b(?:half|bfloat|float|double|x86_fp80|fp128)\b")
_PACKED: Final = regex(r"(?m)^  %[^\n]* = bitcast (?:half|float|double|<\d+ x (?:half|float)>) [^\n]* to i\d+")
_RESULT: Final = "%result.in.memory"
_SLOT: Final = "%returned.in.memory."
_SLOTS: Final = regex(rf"{re.escape(_SLOT)}(\d+)")


def with_results_in_memory(text: str) -> str:
    """The module with pointers to memory in the place of such results."""
    found = {match[3]: match for match in _FUNCTION.finditer(text) if _is_mixed(match)}
    if not found:
        return text
    times = Counter(reference[1] for reference in _REFERENCE.finditer(text))
    times.subtract(call[4] for call in _CALL.finditer(text) if call[4] in found and call[3] == found[call[4]][2])
    chosen = {name for name in found if times[name] == 1}
    if not chosen:
        return text
    # Derivatives of derivatives come here again, with names that were given before.
    first = 1 + max((int(number) for number in _SLOTS.findall(text)), default=-1)
    edit = _Edit(chosen, dict(_GROUP.findall(text)), count(first))
    text = _FUNCTION.sub(lambda match: edit.definition(match) if match[3] in chosen else match[0], text)
    return _BODY.sub(edit.calls, text)


def _is_mixed(function: re.Match[str]) -> bool:
    """Are there pointers and numbers in what this returns? Numbers may share an integer (see `analysis.packing`)."""
    type_, rest, body = function[2], function[4], function[5]
    if not re.search(r"\bptr\b", type_) or "musttail" in body or "..." in rest:
        return False
    return _NUMBER.search(type_) is not None or ("i64" in type_ and _PACKED.search(body) is not None)


@dataclass(frozen=True)
class _Edit:
    chosen: AbstractSet[str]
    groups: Mapping[str, str]
    numbers: count[int]

    def definition(self, function: re.Match[str]) -> str:
        """The function with its result stored where its first argument says."""
        head, _, name, rest, body = function.groups()
        own = _RESULT
        while re.search(rf"{re.escape(own)}(?![-\w.$])", function[0]):
            own += ".1"
        body = _RETURN.sub(rf"  store \1, ptr {own}\2\n  ret void\2", body)
        separator = "" if rest.startswith(")") else ", "
        head = head.replace("noundef ", "")
        return f"{head}void @{name}(ptr noalias {own}{separator}{self._with_memory(rest)}\n{body}}}"

    def calls(self, function: re.Match[str]) -> str:
        """A function that reads what it is returned from memory of its own."""
        slots: list[str] = []

        def changed(call: re.Match[str]) -> str:
            result, words, type_, name, rest = call.groups()
            if name not in self.chosen:
                return call[0]
            slot = f"{_SLOT}{next(self.numbers)}"
            slots.append(f"  {slot} = alloca {type_}\n")
            separator = "" if rest.startswith(")") else ", "
            words = words.removeprefix("tail ").removeprefix("notail ").replace("noundef ", "")
            place = _PLACE.search(rest)
            lines = [f"  {words}void @{name}(ptr {slot}{separator}{self._with_memory(rest)}"]
            if result is not None:
                lines.append(f"  {result} = load {type_}, ptr {slot}{place[0] if place is not None else ''}")
            return "\n".join(lines)

        body = _CALL.sub(changed, function[2])
        return f"{function[1]}{''.join(slots)}{body}}}" if slots else function[0]

    def _with_memory(self, rest: str) -> str:
        """What stands behind a name, without the promise that the function leaves memory alone."""

        def edit(match: re.Match[str]) -> str:
            words = self.groups.get(match[1], "")
            return f" {_MEMORY.sub('', words)}".rstrip() if _MEMORY.search(words) else match[0]

        return _USED_GROUP.sub(edit, rest)
