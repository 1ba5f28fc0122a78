"""Addresses that functions are given, or return, as integers become pointers there.

Handles (`typedef uintptr_t handle`), tagged pointers by value and helpers that align addresses are integers to the
compiler, and a shadow follows pointers only. An integer is an address where it becomes a pointer, be it moved (aligned,
with a tag taken off), or comes from one; from the functions where that is seen it is carried to their callers and to
those that they call. Only functions are changed of which all calls are seen; nothing else refers to them. What is a
number at other times stays an integer (see `differentiate.passed_words`), as does what is a member of a struct in
registers, or is stored where the language does not say that there is an integer: nothing tells what that is.
"""

from __future__ import annotations

import re
from dataclasses import field
from itertools import count
from typing import TYPE_CHECKING, Final

from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .members import split_types
from .text import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_FUNCTION: Final = regex(rf"(?m)^define ([^\n]*?)@({NAME})\(([^\n]*)\n((?:.*\n)*?)\}}$")
_MADE: Final = regex(rf"(?m)^  (%{NAME}) = (ptrtoint ptr|add|sub|and|or|xor|phi|select|freeze)\b([^\n]*)")
_TO_POINTER: Final = regex(rf"(?m)^  %{NAME} = inttoptr i64 (%{NAME}) to ptr")
_TO_NUMBER: Final = regex(
    rf"(?m)^  %{NAME} = (?:bitcast i64 (%{NAME}) to double|insertvalue [^\n]*, i64 (%{NAME}), \d)"
)
_OF_NUMBER: Final = regex(rf"(?m)^  (%{NAME}) = (bitcast double|extractvalue) ")
_STORE: Final = regex(rf"(?m)^  store i64 (%{NAME}), ptr [^\n]*?(?:!tbaa (!\d+)[^\n]*)?$")
_TAG: Final = regex(r"(?m)^(!\d+) = !\{!\d+, (!\d+), i64 \d+")
_INTEGER: Final = regex(r'(?m)^(!\d+) = !\{!"(?:unsigned )?(?:long|long long|int)"')
_CALL: Final = regex(rf"(?m)^  (?:(%{NAME}) = )?((?:tail |notail )?call [^\n@]*?)@({NAME})\(")
_REFERENCE: Final = regex(rf"@({NAME})")
_RETURN: Final = regex(r"(?m)^  ret i64 ([^\n]*?)((?:, !dbg [^\n]*)?)$")
_VALUE: Final = regex(rf"%{NAME}")
_RESULT: Final = regex(r"(?<![\w.])i64 $")
_ATTRIBUTES: Final = regex(r"(?<!\S)(?:range\([^)]*\)|noundef|returned|zeroext|signext) ")
_PLACE: Final = regex(r", !dbg !\d+")
_SMALL: Final = 4096
"""What is below is no address, but what is left of one (and) or nothing (null)."""
_DEPTH: Final = 8

Slot = tuple[str, int]
"""A function and the number of an argument, or -1 for what it returns."""


def with_pointer_arguments(text: str) -> str:
    """The module with pointers in the place of integers that are addresses, in arguments and results."""
    if "= inttoptr i64 %" not in text:
        return text
    functions = {match[2]: _Function(match) for match in _FUNCTION.finditer(text)}
    slots = {slot for function in functions.values() for slot in function.slots()}
    if not slots:
        return text
    slots -= {slot for slot in slots if slot[0] in _referred_to(text, functions)}
    chosen = _chosen(text, functions, slots)
    if not chosen:
        return text
    changed = {name for name, _ in chosen}
    for name, function in functions.items():
        if name in changed or any(call.name in changed for call in function.calls):
            text = text.replace(function.text, function.changed(chosen), 1)
    return text


@dataclass
class _Call:
    name: str
    result: str | None
    arguments: list[str]


@dataclass
class _Function:
    match: re.Match[str]
    name: str = ""
    parameters: list[str] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.name = self.match[2]
        self.text, self.body = self.match[0], self.match[4]
        self.internal = self.match[1].startswith("internal ")
        end = _closing(self.match[3], 0)
        self.parameters = split_types(self.match[3][:end]) if end is not None else []
        self.returns = _RESULT.search(self.match[1]) is not None
        self.made = {made[1]: (made[2], made[3]) for made in _MADE.finditer(self.body)}
        self.made |= {made[1]: (made[2], "") for made in _OF_NUMBER.finditer(self.body)}
        self.to_pointer = [found[1] for found in _TO_POINTER.finditer(self.body)]
        self.to_number = [found[1] or found[2] for found in _TO_NUMBER.finditer(self.body)]
        self.stored = _STORE.findall(self.body)
        self.returned = [found[1] for found in _RETURN.finditer(self.body)] if self.returns else []
        for call in _CALL.finditer(self.body):
            stop = _closing(self.body, call.end())
            if stop is not None:
                self.calls.append(_Call(call[3], call[1], split_types(self.body[call.end() : stop])))
        self.places = {
            name: at for at, words in enumerate(self.parameters) if (name := _word(words)) and name[0] == "%"
        }
        self.results = {call.result: call.name for call in self.calls if call.result}

    def slots(self) -> list[Slot]:
        """Where an address could be an integer."""
        if (
            not self.internal
            or self.name.startswith('"enzyme_build.')
            or "musttail" in self.body
            or "..." in self.match[3].split("{", maxsplit=1)[0]
        ):
            return []
        at = [number for name, number in self.places.items() if '"' not in name]
        return [(self.name, number) for number in at] + [(self.name, -1)] * self.returns

    def sources(self, word: str) -> set[str]:
        """The words that an address is computed from, one for each way to here: pointers' bits, arguments, results."""
        found: set[str] = set()
        seen: set[str] = set()
        pending = [word]
        while pending:
            leaves: dict[str, int] = {}
            self._count(pending.pop(), 1, leaves, 0)
            bases = [leaf for leaf, times in leaves.items() if times]
            pointers = [leaf for leaf in bases if self.made.get(leaf, ("",))[0] == "ptrtoint ptr"]
            only = pointers if len(pointers) == 1 else bases
            if len(only) != 1 or only[0] in seen:
                continue
            seen.add(only[0])
            what, operands = self.made.get(only[0], ("", ""))
            if what in ("phi", "select", "freeze"):
                pending += _VALUE.findall(_merged(what, operands))
            else:
                found.add(only[0])
        return found

    def _count(self, word: str, sign: int, leaves: dict[str, int], depth: int) -> None:
        what, operands = self.made.get(word, ("", ""))
        if what not in ("add", "sub", "and", "or", "xor") or depth > _DEPTH:
            leaves[word] = leaves.get(word, 0) + sign
            return
        first, second = [part.split()[-1] for part in split_types(_PLACE.split(operands)[0])][:2]
        if what == "and" and second.isdigit() and int(second) < _SMALL:
            return
        for operand, its in ((first, sign), (second, -sign if what == "sub" else sign)):
            if operand[:1] == "%":
                self._count(operand, its, leaves, depth + 1)

    def leading_to(self, words: list[str], chosen: set[Slot]) -> list[str]:
        """These words, and those that are given to where such come."""
        words = [*words]
        if (self.name, -1) in chosen:
            words += self.returned
        for call in self.calls:
            words += [
                name
                for at, argument in enumerate(call.arguments)
                if (call.name, at) in chosen and (name := _word(argument))
            ]
        return [word for word in words if word[:1] == "%"]

    def comes_from(self, made: Collection[str], word: str, chosen: set[Slot]) -> bool:
        """Has a word the bits of a pointer, or number, on some way to here?"""
        return any(
            self.made.get(source, ("",))[0] in made
            or (self.name, self.places.get(source, -2)) in chosen
            or (self.results.get(source, ""), -1) in chosen
            for source in self.sources(word)
        )

    def changed(self, chosen: set[Slot]) -> str:
        numbers = count()
        head, rest = self.match[1], self.match[3]
        body = self.body
        end = _closing(rest, 0)
        assert end is not None
        parameters = [*self.parameters]
        entry: list[str] = []
        for name, at in self.places.items():
            if (self.name, at) in chosen:
                parameters[at] = _ATTRIBUTES.sub("", "ptr" + parameters[at].removeprefix("i64"))
                word = f"%address.word.{name[1:]}"
                body = re.sub(rf"{re.escape(name)}(?![\w.$-])", word, body)
                entry.append(f"  {word} = ptrtoint ptr {name} to i64\n")
        if (self.name, -1) in chosen:
            head = _ATTRIBUTES.sub("", _RESULT.sub("ptr ", head))
            body = _RETURN.sub(lambda found: _returned(found, next(numbers)), body)
        lines = [self._line(line, chosen, numbers) for line in body.splitlines(keepends=True)]
        first = 1 if lines and re.match(rf"{NAME}:", lines[0]) else 0
        lines[first:first] = entry
        return f"define {head}@{self.name}({', '.join(parameters)}{rest[end:]}\n{''.join(lines)}}}"

    def _line(self, line: str, chosen: set[Slot], numbers: count[int]) -> str:
        call = _CALL.match(line)
        end = _closing(line, call.end()) if call is not None else None
        if call is None or end is None:
            return line
        place = _PLACE.search(line, end)
        where = place[0] if place is not None else ""
        before, behind = "", ""
        arguments = split_types(line[call.end() : end])
        for at, argument in enumerate(arguments):
            given = _word(argument) if (call[3], at) in chosen else None
            if given is not None:
                name = f"%address.{next(numbers)}"
                before += f"  {name} = inttoptr i64 {given} to ptr{where}\n"
                arguments[at] = f"ptr {name}"
        result: str | None = call[1]
        words = call[2]
        if (call[3], -1) in chosen:
            words = _ATTRIBUTES.sub("", _RESULT.sub("ptr ", words))
            if result is not None:
                behind = f"  {result} = ptrtoint ptr %address.{(number := next(numbers))} to i64{where}\n"
                result = f"%address.{number}"
        named = f"{result} = " if result is not None else ""
        return f"{before}  {named}{words}@{call[3]}({', '.join(arguments)}{line[end:]}{behind}"


def _chosen(text: str, functions: dict[str, _Function], slots: set[Slot]) -> set[Slot]:
    addresses = _found(functions, slots, {"ptrtoint ptr"}, lambda function: function.to_pointer)
    if not addresses:
        return addresses
    integers = set(_INTEGER.findall(text))
    told = {tag for tag, type_ in _TAG.findall(text) if type_ in integers}

    def numbers(function: _Function) -> list[str]:
        return [*function.to_number, *(word for word, tag in function.stored if tag not in told)]

    return addresses - _found(functions, addresses, {"bitcast double", "extractvalue"}, numbers)


def _found(
    functions: dict[str, _Function],
    slots: set[Slot],
    made: Collection[str],
    becomes: Callable[[_Function], list[str]],
) -> set[Slot]:
    """What is made so, or comes to a word of those that `becomes` gives."""
    chosen: set[Slot] = set()
    while True:
        found: set[Slot] = set()
        for name, function in functions.items():
            for word in function.leading_to(becomes(function), chosen):
                for source in function.sources(word):
                    found.add((name, function.places.get(source, -2)))
                    found.add((function.results.get(source, ""), -1))
            if function.returns and any(
                word[:1] == "%" and function.comes_from(made, word, chosen) for word in function.returned
            ):
                found.add((name, -1))
            for call in function.calls:
                found |= {
                    (call.name, at)
                    for at, argument in enumerate(call.arguments)
                    if (call.name, at) in slots
                    and (given := _word(argument))
                    and function.comes_from(made, given, chosen)
                }
        found &= slots
        if found <= chosen:
            return chosen
        chosen |= found


def _referred_to(text: str, functions: dict[str, _Function]) -> set[str]:
    """Functions that something else than a call refers to."""
    times: dict[str, int] = dict.fromkeys(functions, -1)
    for reference in _REFERENCE.finditer(text):
        if reference[1] in times:
            times[reference[1]] += 1
    for function in functions.values():
        for call in function.calls:
            if call.name in times:
                times[call.name] -= 1
    return {name for name, number in times.items() if number}


def _returned(found: re.Match[str], number: int) -> str:
    place = _PLACE.search(found[2])
    where = place[0] if place is not None else ""
    name = f"%address.returned.{number}"
    return f"  {name} = inttoptr i64 {found[1]} to ptr{where}\n  ret ptr {name}{found[2]}"


def _merged(what: str, operands: str) -> str:
    """The operands of a merge that may be its value."""
    operands = _PLACE.split(operands)[0]
    if what == "phi":
        return " ".join(part.split(",")[0] for part in operands.split("[")[1:])
    return operands.partition(",")[2] if what == "select" else operands


def _word(argument: str) -> str | None:
    """What an integer of 64 bits is, as an argument or parameter."""
    return _ATTRIBUTES.sub("", argument[4:]) if argument.startswith("i64 ") else None


def _closing(text: str, at: int) -> int | None:
    """Where the parenthesis ends that was opened before `at`."""
    depth, quoted = 1, False
    while at < len(text) and text[at] != "\n":
        character = text[at]
        if character == '"':
            quoted = not quoted
        elif not quoted:
            depth += (character == "(") - (character == ")")
            if not depth:
                return at
        at += 1
    return None
