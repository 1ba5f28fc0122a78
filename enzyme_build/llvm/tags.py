"""Type tags of the accesses in derivatives.

Calls become part of derivatives that were calls in the program: functions that are not to be inlined, or of other
sources. What those may rely upon in a program that works, LLVM would deny where it sees both sides: structs that begin
with the same members are read by one of them through a pointer to another (variants without a `union`, as objects in C
often are). So a tag says of which type the access is, and no longer in which struct.
"""

from __future__ import annotations

from typing import Final

from enzyme_build.regex import regex

_DERIVATIVE: Final = regex(r'(?m)^define [^\n(]*@"?enzyme_build\.[^\n]*\n(?:.*\n)*?\}$')
_USED: Final = regex(r"!tbaa (!\d+)")
_MEMBER: Final = regex(r"(?m)^(!\d+) = !\{(!\d+), (!\d+), i64 \d+(?:, i64 [01])?\}$")
_LAST: Final = regex(r"(?m)^!(\d+) = ")


def with_tags_of_types(text: str) -> str:
    """The module with derivatives, whose accesses to members of structs are accesses to their types."""
    members = {tag: type_ for tag, base, type_ in _MEMBER.findall(text) if base != type_}
    if not members:
        return text
    following = max(map(int, _LAST.findall(text))) + 1
    numbers: dict[str, int] = {}

    def plain(found: str) -> str:
        type_ = members.get(found)
        return found if type_ is None else f"!{numbers.setdefault(type_, following + len(numbers))}"

    changed = _DERIVATIVE.sub(lambda body: _USED.sub(lambda used: f"!tbaa {plain(used[1])}", body[0]), text)
    added = "".join(f"!{number} = !{{{type_}, {type_}, i64 0}}\n" for type_, number in numbers.items())
    return f"{changed.rstrip()}\n{added}"
