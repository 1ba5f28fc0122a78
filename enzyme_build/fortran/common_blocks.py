"""What Fortran declares COMMON blocks to hold.

flang knows a block without initial values as so many bytes. Its accesses say what they find, and not that an element at
an unknown index stays within its array, so that numbers of two types in one block could be the same bytes. Debug
information has the members of a block as each subprogram declares it. Where all declarations agree, the block gets the
type of a struct of these members, and accesses to those that are integers say so; where one sees the bytes of a number
as something else (storage that is used twice, EQUIVALENCE), or code without debug information knows the block, it stays
as it is.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from enzyme_build.ir.debug import DebugType, debug_type
from enzyme_build.ir.parser import parse_module
from enzyme_build.llvm.text import next_metadata
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.ir.module import Module

_BLOCK: Final = regex(
    r"(?m)^(?P<name>@[\w$.]+) = (?P<before>common [^\n]*?global )"
    r"\[(?P<size>\d+) x i8\](?P<after> zeroinitializer[^\n]*)$"
)
_ATTACHED: Final = regex(r"!dbg (!\d+)")
_MEMBER: Final = regex(
    r"(?m)^!\d+ = !DIGlobalVariableExpression\(var: (!\d+), expr: !DIExpression\((?:DW_OP_plus_uconst, (\d+))?\)\)$"
)
_EXPRESSION: Final = regex(r"(?m)^(!\d+) = !DIGlobalVariableExpression\(var: (!\d+),")
_NAMED: Final = regex(r'(?m)^(!\d+) = !\{!"global data/([\w$.]+)/bytes_(\d+)_to_\d+", !\d+, i64 0\}$')
_TAG: Final = regex(r"(?m)^(!\d+) = !\{(!\d+), \2, i64 0\}$")
_TBAA: Final = regex(r"!tbaa (!\d+)")
_ACCESS: Final = regex(
    r"(?m)^  (?:%[\w.]+ = load (?P<loaded>i\d+)|store (?P<stored>i\d+) [^,\n]+), ptr "
    r"(?:(?P<block>@[\w$.]+)|%[\w.]+|"
    r"getelementptr (?:inbounds |nuw )*\(i8, ptr (?P<member>@[\w$.]+), i64 (?P<at>\d+)\))"
    r"(?P<rest>, align \d+[^\n]*)$"
)
_UNIT_OF: Final = regex(r"!dbg (!\d+) \{$")
_NUMBERS: Final = {"float": {2: "half", 4: "float", 8: "double", 16: "fp128"}, "complex": {8: "float", 16: "double"}}
_MOST: Final = 4096
"""Elements of structs that are told one by one."""


class _Run(NamedTuple):
    """Equal scalars one behind the other."""

    start: int
    end: int
    scalar: str
    """LLVM's type; bytes where nothing is said."""
    size: int
    """Of one."""


def with_members(merged: str) -> str:
    """`merged` with the blocks that hold numbers of several types, or numbers and integers, declared as structs of
    their members."""
    blocks = [match for match in _BLOCK.finditer(merged) if "!dbg" in match["after"]]
    if not blocks:
        return merged
    module = parse_module(merged)
    variables = dict(_EXPRESSION.findall(merged))
    declared = _declared(module, merged)
    told: dict[str, list[_Run]] = {}
    for block in blocks:
        names = {_block_of(module, variables.get(one, "null")) for one in _ATTACHED.findall(block["after"])}
        runs = [run for name in names if name is not None for run in declared.get(name, ())]
        members = _agreed(runs, int(block["size"]))
        if members is not None and _is_mixed(members) and _all_told(module, merged, block["name"]):
            told[block["name"]] = members

    def declare(match: re.Match[str]) -> str:
        members = told.get(match["name"])
        type_ = f"[{match['size']} x i8]" if members is None else _struct(members, int(match["size"]))
        return f"{match['name']} = {match['before']}{type_}{match['after']}"

    return _with_integers(_BLOCK.sub(declare, merged), told) if told else merged


def _declared(module: Module, merged: str) -> dict[str, list[_Run]]:
    """What the subprograms declare, by the blocks' names in the source."""
    found: dict[str, list[_Run]] = {}
    for variable, offset in _MEMBER.findall(merged):
        name = _block_of(module, variable)
        if name is not None and (node := module.find_node(variable)) is not None:
            type_ = debug_type(module, node.fields.get("type", "null"))
            found.setdefault(name, []).extend(_runs(type_, int(offset or 0)))
    return found


def _block_of(module: Module, variable: str) -> str | None:
    """The name of the block that a variable is in."""
    node = module.find_node(variable)
    scope = module.find_node(node.fields.get("scope", "null")) if node is not None else None
    return scope.string("name") if scope is not None and scope.kind == "DICommonBlock" else None


def _runs(type_: DebugType, at: int) -> Iterator[_Run]:
    element = type_.element
    number = _NUMBERS.get(type_.kind, {}).get(type_.size)
    if number is not None:
        each = type_.size // 2 if type_.kind == "complex" else type_.size
        yield _Run(at, at + type_.size, number, each)
    elif type_.kind in {"int", "bool"}:
        yield _Run(at, at + type_.size, f"i{8 * type_.size}", type_.size)
    elif type_.kind == "array" and element is not None and element.size and type_.size:
        inner = [*_runs(element, at)]
        if len(inner) == 1 and inner[0].end - at == element.size:
            yield inner[0]._replace(end=at + type_.size)
        elif type_.size // element.size * len(inner) <= _MOST:
            for start in range(0, type_.size, element.size):
                yield from (one._replace(start=one.start + start, end=one.end + start) for one in inner)
        else:
            yield _Run(at, at + type_.size, "i8", 1)
    elif type_.kind == "struct" and type_.members:
        for member in type_.members:
            yield from _runs(member.type, at + member.offset)
    else:
        # Text, descriptors and what else there is; where its size is not told, it may be all that follows.
        yield _Run(at, at + (type_.size or 1 << 62), "i8", 1)


def _agreed(runs: list[_Run], size: int) -> list[_Run] | None:
    """The members of a block in order, if all declarations see the same numbers in it."""
    members: list[_Run] = []
    for run in sorted(set(runs)):
        if not members or run.start >= members[-1].end:
            members.append(run)
            continue
        last = members[-1]
        if run.scalar != last.scalar or (run.start - last.start) % run.size:
            return None
        members[-1] = last._replace(end=max(run.end, last.end))
    return members if members and members[-1].end <= size else None


def _is_mixed(members: list[_Run]) -> bool:
    """Are there numbers, beside others or counts?"""
    scalars = {member.scalar for member in members if member.scalar != "i8"}
    return len(scalars) > 1 and any(not scalar.startswith("i") for scalar in scalars)


def _all_told(module: Module, merged: str, name: str) -> bool:
    """Are all functions that know the block from sources whose declarations debug information has?"""
    used = re.compile(rf"{re.escape(name)}(?![\w$.])")
    ends = [match.start() for match in re.finditer(r"(?m)^define ", merged)]
    for start, end in pairwise([*ends, len(merged)]):
        body = merged[start : merged.find("\n}", start, end) + 1]
        if used.search(body) and not _is_told(module, body.partition("\n")[0]):
            return False
    return True


def _is_told(module: Module, header: str) -> bool:
    match = _UNIT_OF.search(header)
    function = module.find_node(match[1]) if match else None
    unit = module.find_node(function.fields.get("unit", "null")) if function is not None else None
    return (
        unit is not None
        and unit.fields.get("language", "").startswith("DW_LANG_Fortran")
        and unit.fields.get("emissionKind") == "FullDebug"
    )


def _with_integers(merged: str, told: Mapping[str, list[_Run]]) -> str:
    """`merged` with marks on accesses to members that are integers: by flang's tags, which name the bytes, and by the
    address where that is a constant."""
    integers = {name: [run for run in members if run.scalar.startswith("i")] for name, members in told.items()}

    def is_integer(name: str, at: int, type_: str) -> bool:
        return any(run.start <= at < run.end and run.scalar == type_ for run in integers.get(name, ()))

    named = {node: ("@" + name, int(at)) for node, name, at in _NAMED.findall(merged)}
    tags = {tag: named[type_] for tag, type_ in _TAG.findall(merged) if type_ in named}
    node = next_metadata(merged)

    def mark(match: re.Match[str]) -> str:
        tag = _TBAA.search(match["rest"])
        place = tags.get(tag[1]) if tag else (match["member"] or match["block"], int(match["at"] or 0))
        known = place is not None and is_integer(*place, match["loaded"] or match["stored"])
        return f"{match[0]}, !enzyme.member !{node}" if known else match[0]

    return f'{_ACCESS.sub(mark, merged)}\n!{node} = !{{!{node + 1}, !{node + 1}, i64 0}}\n!{node + 1} = !{{!"long"}}\n'


def _struct(members: list[_Run], size: int) -> str:
    parts: list[str] = []
    at = 0
    for start, end, scalar, each in [*members, _Run(size, size, "i8", 1)]:
        if start > at:
            parts.append(f"[{start - at} x i8]")
        if end > start:
            count = (end - start) // each
            parts.append(scalar if count == 1 else f"[{count} x {scalar}]")
        at = end
    return f"<{{ {', '.join(parts)} }}>"
