"""One compiled pattern for each ordinary kind of instruction line, as LLVM prints it.

A pattern may be narrow, since what it does not match is read by `general`; it must not match what means something else.
Operands are single words, quoted names, or constants without nested brackets. Every pattern ends in the metadata
attachments, without a semicolon: a line with a comment is not ordinary.
"""

from __future__ import annotations

from typing import Final

from enzyme_build.regex import regex

# A plain or vector type; then also aggregates without nesting.
_T = r"(\w+|<\d+ x \w+>)"
_A = r"(\w+|%[-\w.$]+|<\d+ x \w+>|\[\d+ x [\w.%]+\]|\{[^{}]*\}|%\"[^\"]*\")"
_O = r"([^ ,<\[{\"]+|(?:splat|getelementptr[a-z ]*) \([^()\"]*\)|<[^<>()\"]*>|[%@]\"[^\"]*\")"
_L = r"(%[-\w.$]+|%\"[^\"]*\")"
_M = r"(?:, (![^;]*))?"
_FLAGS = r"((?:n[a-z]+ |fast |exact |disjoint |reassoc |arcp |contract |afn |samesign )*)"
_INDICES = r"((?:, \d+)+)"

binary: Final = regex(f"{_FLAGS}{_T} {_O}, {_O}{_M}")
unary: Final = regex(f"{_FLAGS}{_A} {_O}{_M}")
cast: Final = regex(f"{_FLAGS}{_T} {_O} to {_T}{_M}")
compare: Final = regex(rf"{_FLAGS}([a-z]+) {_T} {_O}, {_O}{_M}")
select: Final = regex(rf"{_FLAGS}(i1|<\d+ x i1>) {_O}, {_A} {_O}, (?:\w+|<\d+ x \w+>) {_O}{_M}")
phi: Final = regex(rf"{_FLAGS}{_A} ((?:\[ {_O}, {_L} \](?:, )?)+){_M}")
incoming: Final = regex(rf"\[ {_O}, {_L} \]")
load: Final = regex(rf"(volatile )?{_A}, ptr {_O}(?:, align (\d+))?{_M}")
store: Final = regex(rf"(volatile )?{_A} {_O}, ptr {_O}(?:, align (\d+))?{_M}")
gep: Final = regex(rf"((?:inbounds |nusw |nuw )*){_A}, ptr {_O}((?:, i\d+ [^ ,<\[{{\"(]+)+){_M}")
alloca: Final = regex(rf"{_A}(?:, (i\d+) {_O})?(?:, align (\d+))?{_M}")
jump: Final = regex(f"label {_L}{_M}")
branch: Final = regex(f"i1 {_O}, label {_L}, label {_L}{_M}")
call: Final = regex(
    r"((?:[^@%\"]++|%[-\w.$]++(?=[ )]))*+)([@%][-\w.$]+|@\"[^\"]*\")\((.*)\)([^()\",;!]*)(?:, (![^;\"]*))?"
)
invoke: Final = regex(rf"(.*\)[^()\"\[]*) to label {_L} unwind label {_L}{_M}")
argument: Final = regex(
    r"([^,()\"%@{]*(?:(?:\((?:[^()\"]++|\"[^\"]*\")*+\)|\{[^{}\"]*\})[^,()\"%@{]*)*)"
    r" ([%@]?[-+\w.$]+|[@%]\"[^\"]*\")(?:, |$)"
)
cleanup: Final = regex(rf"{_A} cleanup{_M}")
switch: Final = regex(rf"(i\d+) {_O}, label {_L} \[((?: i\d+ -?\d+, label (?:%[-\w.$]+|%\"[^\"]*\"))*+) ?\]{_M}")
case: Final = regex(rf" i\d+ (-?\d+), label {_L}")
extract_value: Final = regex(rf"{_A} {_O}{_INDICES}{_M}")
insert_value: Final = regex(rf"{_A} {_O}, {_A} {_O}{_INDICES}{_M}")
extract_element: Final = regex(f"{_T} {_O}, {_T} {_O}{_M}")
three: Final = regex(f"{_T} {_O}, {_T} {_O}, {_T} {_O}{_M}")
label: Final = regex(r"([-\w.$]+|\"[^\"]*\"):")
