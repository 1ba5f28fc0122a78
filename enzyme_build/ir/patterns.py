"""One compiled pattern for each ordinary kind of instruction line, as LLVM prints it.

A pattern may be narrow, since what it does not match is read by `general`; it must not match what means something else.
Operands are single words, quoted names, or constants without nested brackets. Every pattern ends in the metadata
attachments, without a semicolon: a line with a comment is not ordinary.
"""

from __future__ import annotations

import re
from typing import Final

# A plain or vector type; then also aggregates without nesting.
_T = r"(\w+|<\d+ x \w+>)"
_A = r"(\w+|%[-\w.$]+|<\d+ x \w+>|\[\d+ x [\w.%]+\]|\{[^{}]*\}|%\"[^\"]*\")"
_O = r"([^ ,<\[{\"]+|(?:splat|getelementptr[a-z ]*) \([^()\"]*\)|<[^<>()\"]*>|[%@]\"[^\"]*\")"
_L = r"(%[-\w.$]+|%\"[^\"]*\")"
_M = r"(?:, (![^;]*))?"
_FLAGS = r"((?:n[a-z]+ |fast |exact |disjoint |reassoc |arcp |contract |afn |samesign )*)"
_INDICES = r"((?:, \d+)+)"

binary: Final = re.compile(f"{_FLAGS}{_T} {_O}, {_O}{_M}").fullmatch
unary: Final = re.compile(f"{_FLAGS}{_A} {_O}{_M}").fullmatch
cast: Final = re.compile(f"{_FLAGS}{_T} {_O} to {_T}{_M}").fullmatch
compare: Final = re.compile(rf"{_FLAGS}([a-z]+) {_T} {_O}, {_O}{_M}").fullmatch
select: Final = re.compile(rf"{_FLAGS}(i1|<\d+ x i1>) {_O}, {_A} {_O}, (?:\w+|<\d+ x \w+>) {_O}{_M}").fullmatch
phi: Final = re.compile(rf"{_FLAGS}{_A} ((?:\[ {_O}, {_L} \](?:, )?)+){_M}").fullmatch
incoming: Final = re.compile(rf"\[ {_O}, {_L} \]").findall
load: Final = re.compile(rf"(volatile )?{_A}, ptr {_O}(?:, align (\d+))?{_M}").fullmatch
store: Final = re.compile(rf"(volatile )?{_A} {_O}, ptr {_O}(?:, align (\d+))?{_M}").fullmatch
gep: Final = re.compile(rf"((?:inbounds |nusw |nuw )*){_A}, ptr {_O}((?:, i\d+ [^ ,<\[{{\"(]+)+){_M}").fullmatch
alloca: Final = re.compile(rf"{_A}(?:, (i\d+) {_O})?(?:, align (\d+))?{_M}").fullmatch
jump: Final = re.compile(f"label {_L}{_M}").fullmatch
branch: Final = re.compile(f"i1 {_O}, label {_L}, label {_L}{_M}").fullmatch
call: Final = re.compile(
    r"((?:[^@%\"]++|%[-\w.$]++(?=[ )]))*+)([@%][-\w.$]+|@\"[^\"]*\")\((.*)\)([^()\",;!]*)(?:, (![^;\"]*))?"
).fullmatch
invoke: Final = re.compile(rf"(.*\)[^()\"\[]*) to label {_L} unwind label {_L}{_M}").fullmatch
argument: Final = re.compile(
    r"([^,()\"%@{]*(?:(?:\((?:[^()\"]++|\"[^\"]*\")*+\)|\{[^{}\"]*\})[^,()\"%@{]*)*)"
    r" ([%@]?[-+\w.$]+|[@%]\"[^\"]*\")(?:, |$)"
).match
cleanup: Final = re.compile(rf"{_A} cleanup{_M}").fullmatch
switch: Final = re.compile(
    rf"(i\d+) {_O}, label {_L} \[((?: i\d+ -?\d+, label (?:%[-\w.$]+|%\"[^\"]*\"))*+) ?\]{_M}"
).fullmatch
case: Final = re.compile(rf" i\d+ (-?\d+), label {_L}").findall
extract_value: Final = re.compile(rf"{_A} {_O}{_INDICES}{_M}").fullmatch
insert_value: Final = re.compile(rf"{_A} {_O}, {_A} {_O}{_INDICES}{_M}").fullmatch
extract_element: Final = re.compile(f"{_T} {_O}, {_T} {_O}{_M}").fullmatch
three: Final = re.compile(f"{_T} {_O}, {_T} {_O}, {_T} {_O}{_M}").fullmatch
label: Final = re.compile(r"([-\w.$]+|\"[^\"]*\"):").match
