"""Variadic functions of the program as functions of as many arguments as they are called with.

What a variadic function is given beyond its parameters it reads from memory that only the code generator knows of, so
that neither the optimiser can inline it nor a derivative be made of it. Here each kind of call gets a copy of the
function that has parameters for them all and lays them out itself, as the calling convention does with arguments for
which there are no registers left. Its `va_arg` then read them there, by the code that the compiler wrote for that.

Source: System V ABI for AMD64, "Variable Argument Lists" (`gp_offset`, `fp_offset`, `overflow_arg_area`,
`reg_save_area`: an offset from the first number of the register files on says that no register is left).
"""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.regex import regex
from enzyme_build.rules.inactive import INACTIVE

from .members import split_types
from .text import COMDAT, NAME, without_linkage

_TARGET: Final = regex(r'(?m)^target triple = "x86_64-[^"\n]*linux')
_HEAD: Final = regex(rf"(?m)^define ([^\n]*?)@({NAME})\(([^\n]*?)\.\.\.\)([^\n]*)\{{\n")
_END: Final = "\n}\n"
_CALL: Final = (
    r"(?m)^( +(?:%{name} = )?(?:(?:tail|notail) )?(?:call|invoke) [^\n]*?)\((?:[^\n()]*, )?\.\.\.\) @{called}\("
)
_START: Final = regex(rf"(?m)^  call void @llvm\.va_start\.p0\(ptr [^\n%]*(%{NAME})\)[^\n]*\n")
_COPY: Final = regex(rf"(?m)^  call void @llvm\.va_copy\.p0\(ptr [^\n%]*(%{NAME}), ptr [^\n%]*(%{NAME})\)[^\n]*$")
_FINISH: Final = regex(r"(?m)^  call void @llvm\.va_end\.[^\n]*\n")
"""Of which nothing is to be done here."""
_HANDED: Final = regex(rf"(?:call|invoke) [^\n]*?@(?!llvm\.)({NAME})\(([^\n]*)")
_VALUE: Final = regex(rf"%{NAME}")
_LABEL: Final = regex(rf"(?:{NAME}):[^\n]*\n")
_PROGRAM: Final = regex(r" !dbg !\d+")
_ARGUMENT: Final = regex(r"(i32|i64|double|ptr) ")
_BY_VALUE: Final = regex(r"\b(?:byval|inalloca|preallocated)\(")
_BYTES: Final = {"i32": 4, "i64": 8, "double": 8, "ptr": 8}
_SLOT: Final = 8
_GENERAL_END: Final = 48
_FLOAT_END: Final = 176


def with_fixed_arguments(text: str) -> str:
    """`text` with calls of copies with parameters, where it calls variadic functions that it defines.

    Left as they are: functions that something else than calls refers to (a list of functions without derivatives, say),
    and those that hand their arguments on to functions that are only declared and not known to print.
    """
    if "@llvm.va_start" not in text or not _TARGET.search(text):
        return text
    text = _COPY.sub(_copied_list, _FINISH.sub("", text))
    found = [function for head in _HEAD.finditer(text) if (function := _variadic(text, head)) is not None]
    copies = [""]
    while copies:
        copies = []
        for function in found:
            text = function.redirected(text, copies)
        text = "\n".join([text, *copies])
    return text


def _variadic(text: str, head: re.Match[str]) -> _Variadic | None:
    end = text.find(_END, head.end())
    body = text[head.end() : end + 1]
    lists = {start[1] for start in _START.finditer(body)}
    if end < 0 or not lists or "musttail" in body or re.search(rf"@{re.escape(head[2])}(?![(\w.$-])", text):
        return None
    handed = {called[1] for called in _HANDED.finditer(body) if lists.intersection(_VALUE.findall(called[2]))}
    own = all(name in INACTIVE or re.search(rf"(?m)^define [^\n]*@{re.escape(name)}\(", text) for name in handed)
    return _Variadic(head, body) if own else None


class _Variadic:
    """One function, and what its calls give it."""

    def __init__(self, head: re.Match[str], body: str) -> None:
        self.head = head
        self.body = body
        self.name = head[2]
        self.fixed = len(split_types(head[3].rstrip(", ")))
        self._known: dict[tuple[str, ...], str] = {}

    def redirected(self, text: str, copies: list[str]) -> str:
        """The module with calls of copies, of which the new ones are put into `copies`."""
        pattern = _CALL.format(name=NAME, called=re.escape(self.name))
        parts: list[str] = []
        done = 0
        for call in re.finditer(pattern, text):
            end = _closing(text, call.end())
            arguments = split_types(text[call.end() : end]) if end is not None else []
            types = _types(arguments[self.fixed :])
            if end is not None and types is not None:
                parts += [text[done : call.start()], f"{call[1]}@{self._copy(types, copies)}({', '.join(arguments)})"]
                done = end + 1
        return "".join([*parts, text[done:]])

    def _copy(self, types: tuple[str, ...], copies: list[str]) -> str:
        if types not in self._known:
            plain = self.name.strip('"')
            self._known[types] = f'"{plain}.{"_".join(types) or "alone"}"'
            copies.append(self._definition(self._known[types], types))
        return self._known[types]

    def _definition(self, name: str, types: tuple[str, ...]) -> str:
        before, after = without_linkage(self.head[1]), COMDAT.sub("", _PROGRAM.sub("", self.head[4]))
        parameters = self.head[3] + ", ".join(f"{type_} %variadic.{at}" for at, type_ in enumerate(types))
        parameters = parameters.removesuffix(", ")
        slots = ", ".join(f"{{ {type_}, [{_SLOT - _BYTES[type_]} x i8] }}" for type_ in types)
        entry = [f"  %variadic.area = alloca {{ {slots} }}, align 16"]
        for at, type_ in enumerate(types):
            entry.append(f"  %variadic.slot.{at} = getelementptr inbounds i8, ptr %variadic.area, i64 {_SLOT * at}")
            entry.append(f"  store {type_} %variadic.{at}, ptr %variadic.slot.{at}, align 8")
        label = _LABEL.match(self.body)
        first = label[0] if label is not None else ""
        rest = _START.sub(_started_list, self.body[len(first) :])
        lines = "\n".join(entry)
        return f"define internal {before}@{name}({parameters}){after}{{\n{first}{lines}\n{rest}}}\n"


def _types(arguments: list[str]) -> tuple[str, ...] | None:
    """The types of further arguments, if all are of kinds that are known."""
    found = [_ARGUMENT.match(argument) for argument in arguments if not _BY_VALUE.search(argument)]
    return tuple(match[1] for match in found if match) if len(found) == len(arguments) and all(found) else None


def _started_list(start: re.Match[str]) -> str:
    """What `va_start` does in a copy."""
    own = f"%variadic.list.{start.start()}"
    return f"""\
  store i32 {_GENERAL_END}, ptr {start[1]}, align 8
  {own}.floats = getelementptr inbounds i8, ptr {start[1]}, i64 4
  store i32 {_FLOAT_END}, ptr {own}.floats, align 4
  {own}.area = getelementptr inbounds i8, ptr {start[1]}, i64 8
  store ptr %variadic.area, ptr {own}.area, align 8
  {own}.registers = getelementptr inbounds i8, ptr {start[1]}, i64 16
  store ptr null, ptr {own}.registers, align 8
"""


def _copied_list(copy: re.Match[str]) -> str:
    """What `va_copy` does."""
    lines = []
    for at, (offset, type_) in enumerate(((0, "i32"), (4, "i32"), (8, "ptr"), (16, "ptr"))):
        own = f"%variadic.copy.{copy.start()}.{at}"
        lines += [
            f"  {own}.from = getelementptr inbounds i8, ptr {copy[2]}, i64 {offset}",
            f"  {own} = load {type_}, ptr {own}.from, align 4",
            f"  {own}.to = getelementptr inbounds i8, ptr {copy[1]}, i64 {offset}",
            f"  store {type_} {own}, ptr {own}.to, align 4",
        ]
    return "\n".join(lines)


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
