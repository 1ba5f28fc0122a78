"""Notes of virtual calls which class they are made through.

With `-fwhole-program-vtables` clang tests in front of each virtual call that the object's table is one of a class
(`llvm.type.test`), and lists with each table the classes whose it is (`!type`). The optimiser could do nothing but
carry the tests along; here they become attributes of the calls that are made through the tested tables. Calls that got
their function in another way get none: they may reach all tables. Classes that other files do not see, whose
identifiers are nodes and not names, get a name.

Source: LLVM, "Type Metadata" (which offsets of which tables have an identifier, and what a test promises).
"""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.regex import regex

from .assignments import VALUE

CLASS: Final = "enzyme-class"
"""Attribute of a call: the identifier of the class. (Metadata is lost where a call becomes an `invoke`.)"""
_NEEDLE: Final = "type.test("
_FUNCTION: Final = regex(r"^define [^\n]*\n.*?^\}", re.MULTILINE | re.DOTALL)
_TEST: Final = regex(
    rf"^(  {VALUE} = )(?:tail )?call i1 @llvm\.(?:public\.)?type\.test\(ptr (?:[^,\n]* )?([^ ,\n]+), "
    rf'metadata (!"[^"\n]*"|!\d+)\)[^\n]*$',
    re.MULTILINE,
)
_ENTRY: Final = regex(rf"^  ({VALUE}) = getelementptr [^\n]*?, ptr ({VALUE}), i\d+ \d+(?=, !|$)", re.MULTILINE)
_LOADED: Final = regex(rf"^  ({VALUE}) = load ptr, ptr ({VALUE}),", re.MULTILINE)
_CALL: Final = regex(
    rf"^(  (?:{VALUE} = )?(?:(?:(?:tail|musttail|notail) )?call|invoke) [^\n]*? ({VALUE})\([^\n]*\))"
    rf"((?: #\d+)?(?:, ![^\n]*)?)$",
    re.MULTILINE,
)
_MEMBER: Final = regex(r"^(!\d+ = !\{i64 \d+, )(!\d+)\}$", re.MULTILINE)


def with_classes(text: str) -> str:
    """The module with attributes instead of tests."""
    if _NEEDLE not in text:
        return text
    hidden = {match[3] for match in _TEST.finditer(text) if not match[3].startswith('!"')}
    text = _FUNCTION.sub(lambda match: _marked(match[0]) if _NEEDLE in match[0] else match[0], text)
    return _MEMBER.sub(lambda m: f'{m[1]}!"{_name(m[2])}"}}' if m[2] in hidden else m[0], text)


def _name(identifier: str) -> str:
    return identifier[2:-1] if identifier.startswith('!"') else f"hidden class {identifier[1:]}"


def _marked(body: str) -> str:
    classes: dict[str, str] = {}
    for match in _TEST.finditer(body):
        classes.setdefault(match[2], _name(match[3]))
    entries = {match[1]: classes[match[2]] for match in _ENTRY.finditer(body) if match[2] in classes}
    entries |= classes
    functions = {match[1]: entries[match[2]] for match in _LOADED.finditer(body) if match[2] in entries}

    def noted(match: re.Match[str]) -> str:
        name = functions.get(match[2])
        return match[0] if name is None else f'{match[1]} "{CLASS}"="{name}"{match[3]}'

    # What was tested is true.
    return _TEST.sub(r"\1icmp eq i32 0, 0", _CALL.sub(noted, body))
