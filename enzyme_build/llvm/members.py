"""Marks what accesses of unoptimised code say of types: to integer members of structs, and to numbers.

Optimised code says of every access what the language takes it for (`!tbaa`); clang leaves that out at -O0. But there
its address computations still name structs and members, and so an integer access to a member that is declared as this
integer is one by the rules of the language. Accesses to numbers are marked as what they are, before optimisation makes
some of copies of bytes. The marks are metadata of our own, which only our analyses read: they must not make the
optimiser bolder than the user's compiler was. So are those to elements of arrays of numbers that are declared as such.

A union's members have no addresses of their own, and structs that the calling convention takes apart are no members
of anything: neither is marked. Numbers that flang's code accesses get a tag as flang has them where it optimises, for
data of all variables; complex ones are split later, which only such tags survive.
"""

from __future__ import annotations

import re
from typing import Final

from .assignments import VALUE, CopiedStructs, variables_in
from .text import unoptimised_programs

_STRUCT: Final = re.compile(r'^(%(?:"[^"\n]*"|[-\w.$]+)) = type <?\{ ?([^\n]*?) ?\}>?$', re.MULTILINE)
_NAMED: Final = re.compile(r'%"?(?:struct|class)\.')
_DEFINE: Final = re.compile(r"^define [^\n]*\{\n", re.MULTILINE)
_PROGRAM: Final = re.compile(r"!dbg (!\d+) ")
_ADDRESS: Final = re.compile(
    rf"^  ({VALUE}) = getelementptr (?:inbounds |nuw |nusw )*"
    rf"({VALUE}|\[\d+ x [^\n]*?\]), ptr {VALUE}((?:, i\d+ (?:\d+|{VALUE}))+)(?=, !|$)",
    re.MULTILINE,
)
_ACCESS: Final = re.compile(
    rf"^  (?:{VALUE} = load (?:atomic )?(i\d+)|store (?:atomic )?(i\d+) [^,\n]+), ptr ({VALUE})(?: [a-z_]+)?, "
    rf"align \d+(?=, !|$)",
    re.MULTILINE,
)
_EXCHANGE: Final = re.compile(
    rf"^  {VALUE} = (?:atomicrmw|cmpxchg) (?:[a-z]+ )*ptr ({VALUE}), (i\d+) [^\n]+?, align \d+(?=, !|$)", re.MULTILINE
)
_ARRAY: Final = re.compile(r"\[\d+ x (.*)\]")
_NARROWEST: Final = 16
_NUMBER: Final = re.compile(
    rf"^  (?:{VALUE} = load|store) (?:float|double|x86_fp80)(?: [^,\n]+)?, ptr (?!%coerce)([^,\n]+), "
    rf"align \d+(?=, !|$)",
    re.MULTILINE,
)
_ELEMENT: Final = re.compile(
    rf"^  ({VALUE}) = getelementptr (?:inbounds |nuw |nusw )*\[\d+ x (?:float|double|x86_fp80)\], ptr [^,\n]+, "
    rf"i\d+ 0, i\d+ {VALUE}(?=, !|$)",
    re.MULTILINE,
)
_FORTRAN_NUMBER: Final = re.compile(
    rf"^  (?:{VALUE} = load|store) (?:float|double|x86_fp80|{{ (?:float, float|double, double) }})(?: [^\n]+?)?, "
    rf"ptr [^,\n]+, align \d+(?=, !|$)",
    re.MULTILINE,
)
_MARK: Final = "!enzyme.member"
_FORTRAN: Final = re.compile(r"(?m)^(!\d+) = distinct !DICompileUnit\(language: DW_LANG_Fortran")
_UNIT: Final = re.compile(r"(?m)^(!\d+) = distinct !DISubprogram\([^\n]*\bunit: (!\d+)")


def mark_accesses(text: str) -> str:
    """`text` with the marks in functions that were compiled without optimisation."""
    unoptimised = unoptimised_programs(text)
    if not unoptimised and _NAMED.search(text) is None:
        return text
    structs = {match[1]: match[2] for match in _STRUCT.finditer(text)}
    fortran = _programs_of_fortran(text)
    node = 1 + max((int(number) for number in re.findall(r"(?m)^!(\d+) = ", text)), default=-1)
    copies = CopiedStructs(text, node + 5)
    parts: list[str] = []
    done = 0
    for head in _DEFINE.finditer(text):
        end = text.find("\n}\n", head.end())
        if end < 0:
            continue
        program = _PROGRAM.search(head[0])
        original = body = text[head.end() : end]

        def pointees(head: str = head[0], body: str = body) -> dict[str, str]:
            return _addressed(body, structs, variables_in(head, body))

        if program is not None and program[1] in unoptimised:
            body = copies.marked(_marked(body, structs, node), pointees())
            if program[1] in fortran:
                body = _FORTRAN_NUMBER.sub(rf"\g<0>, !tbaa !{node + 2}", body)
        else:
            body = copies.with_words(body, pointees, f"{_MARK} !{node}")
        if body == original:
            continue
        parts += [text[done : head.end()], body]
        done = end
    if not parts:
        return text
    tags = f"""
!{node} = !{{!{node + 1}, !{node + 1}, i64 0}}
!{node + 1} = !{{!"long"}}
!{node + 2} = !{{!{node + 3}, !{node + 3}, i64 0}}
!{node + 3} = !{{!"any data access", !{node + 4}, i64 0}}
!{node + 4} = !{{!"Fortran"}}
"""
    return "".join([*parts, text[done:], tags, copies.metadata()])


def _programs_of_fortran(text: str) -> set[str]:
    """The debug data of functions that flang compiled."""
    units = set(_FORTRAN.findall(text))
    return {program for program, unit in _UNIT.findall(text) if unit in units} if units else set()


def _addressed(body: str, structs: dict[str, str], known: dict[str, str]) -> dict[str, str]:
    """The types that address computations lead to, and those that are known already."""
    found = dict(known)
    for match in _ADDRESS.finditer(body):
        if not match[1].startswith("%coerce.dive"):
            type_ = _pointee(match[2], match[3], structs, match[0], found)
            if type_ is not None:
                found[match[1]] = type_
    return found


def _marked(body: str, structs: dict[str, str], node: int) -> str:
    members = _addressed(body, structs, {})

    def marked(line: str, address: str, type_: str) -> str:
        is_member = members.get(address) == type_ and int(type_[1:]) >= _NARROWEST
        return f"{line}, {_MARK} !{node}" if is_member else line

    elements = {match[1] for match in _ELEMENT.finditer(body)}

    def number(match: re.Match[str]) -> str:
        """Elements of what is declared as an array of numbers are marked as such."""
        marked = f"{match[0]}, !enzyme.number !{node}"
        return f"{marked}, !enzyme.element !{node}" if match[1] in elements else marked

    body = _NUMBER.sub(number, body)
    if not members:
        return body
    body = _ACCESS.sub(lambda match: marked(match[0], match[3], match[1] or match[2]), body)
    return _EXCHANGE.sub(lambda match: marked(match[0], match[1], match[2]), body)


def _pointee(type_: str, indices: str, structs: dict[str, str], line: str, members: dict[str, str]) -> str | None:
    """The type of the member that an address computation leads to; None where it is no member of a named struct."""
    if type_.startswith("["):
        base = line.split(", ptr ", 1)[1].split(",", 1)[0]
        if members.get(base) != type_:
            return None
    for index in indices.split(", i")[2:]:
        number = index.split(" ", 1)[1]
        array = _ARRAY.fullmatch(type_)
        if array is not None:
            type_ = array[1]
        elif number.isdigit() and _NAMED.match(type_) and type_ in structs:
            fields = split_types(structs[type_])
            if int(number) >= len(fields):
                return None
            type_ = fields[int(number)]
        else:
            return None
    return type_


def split_types(words: str) -> list[str]:
    """The types between the braces of a struct."""
    found, depth, start, quoted = [], 0, 0, False
    for at, character in enumerate(words):
        if character == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif character in "[{<(":
            depth += 1
        elif character in "]}>)":
            depth -= 1
        elif character == "," and depth == 0:
            found.append(words[start:at].strip())
            start = at + 1
    return [*found, words[start:].strip()] if words.strip() else []
