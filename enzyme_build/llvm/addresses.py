"""Addresses that are integers for a moment become pointers again: `inttoptr (phi i64 [ptrtoint %p], [8])` is a phi of
pointers.

rustc keeps the address of a vector as an integer beside the small number that stands for an empty one. A shadow follows
pointers, not integers. The change is the one that LLVM makes of a pair `inttoptr (ptrtoint %p)`; phis are changed only
if all that they take is such an address or a constant. Where the integer is used as one, it is made of the pointer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex

if TYPE_CHECKING:
    import re

_VALUE: Final = r'%(?:[-\w.$]+|"[^"]*")'
_FUNCTION: Final = regex(r"(?m)^define [^\n]*\n(?:.*\n)*?\}$")
_PHI: Final = regex(rf"(?m)^(  ({_VALUE}) = phi )i64( \[[^\n]*\])")
_OPERAND: Final = regex(rf"\[ ({_VALUE}|-?\d+), ({_VALUE}) \]")
_FROM_POINTER: Final = regex(rf"(?m)^  ({_VALUE}) = ptrtoint ptr ({_VALUE}) to i64(?=[,\n])")
_TO_POINTER: Final = regex(rf"(?m)^(  {_VALUE} = )inttoptr i64 ({_VALUE}) to ptr(?=[,\n])")
_USE: Final = regex(_VALUE)


def with_pointers(text: str) -> str:
    """The module with such phis of addresses as phis of pointers."""
    if "= inttoptr i64 %" not in text or "= ptrtoint " not in text:
        return text
    return _FUNCTION.sub(lambda match: _changed(match[0]), text)


def _changed(function: str) -> str:
    chosen = _chosen(function)
    if not chosen:
        return function
    pointers = dict(_FROM_POINTER.findall(function))
    lines: list[str] = []
    integers: list[str] = []
    for line in function.split("\n"):
        if line.lstrip().startswith("#dbg_"):
            # Debug records of the integers would have the wrong type.
            lines += [] if chosen.intersection(_USE.findall(line)) else [line]
            continue
        phi = _PHI.match(line)
        if phi is None and integers and " = phi " not in line:
            lines += integers
            integers = []
        if phi is not None and phi[2] in chosen:
            lines.append(_PHI.sub(lambda match: f"{match[1]}ptr{_with_pointers(match[3], pointers)}", line))
            integers.append(f"  {_as_integer(phi[2])} = ptrtoint ptr {phi[2]} to i64")
        elif (cast := _TO_POINTER.match(line + "\n")) and cast[2] in chosen:
            lines.append(f"{cast[1]}getelementptr i8, ptr {cast[2]}, i64 0{line[cast.end() :]}")
        else:
            lines.append(_USE.sub(lambda match: _as_integer(match[0]) if match[0] in chosen else match[0], line))
    return "\n".join(lines)


def _chosen(function: str) -> set[str]:
    """Phis of nothing but addresses, constants and each other that become pointers somewhere."""
    wanted = [match[2] for match in _TO_POINTER.finditer(function)]
    if not wanted:
        return set()
    pointers = dict(_FROM_POINTER.findall(function))
    phis: dict[str, list[str]] = {}
    for match in _PHI.finditer(function):
        operands = _OPERAND.findall(match[3])
        if len(operands) == match[3].count("[ ") and '"' not in match[2]:  # constant expressions stay as they are
            phis[match[2]] = [value for value, _ in operands]
    addresses = set(phis)
    while wrong := {
        name
        for name in addresses
        if any(value[:1] == "%" and value not in pointers and value not in addresses for value in phis[name])
    }:
        addresses -= wrong
    chosen: set[str] = set()
    while wanted:
        name = wanted.pop()
        if name in addresses - chosen:
            chosen.add(name)
            wanted += phis[name]
    return chosen if any(value in pointers for name in chosen for value in phis[name]) else set()


def _with_pointers(operands: str, pointers: dict[str, str]) -> str:
    def operand(match: re.Match[str]) -> str:
        value = match[1]
        if not value.startswith("%"):
            value = "null" if value == "0" else f"inttoptr (i64 {value} to ptr)"
        return f"[ {pointers.get(value, value)}, {match[2]} ]"

    return _OPERAND.sub(operand, operands)


def _as_integer(name: str) -> str:
    return f"%as_integer.{name[1:]}"
