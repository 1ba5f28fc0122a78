"""Marks what accesses of unoptimised code say of types: to integer members of structs, and to numbers.

Optimised code says of every access what the language takes it for (`!tbaa`); clang leaves that out at -O0. But there
its address computations still name structs and members, and so an integer access to a member that is declared as this
integer is one by the rules of the language. Accesses to numbers are marked as what they are, before optimisation makes
some of copies of bytes. The marks are metadata of our own, which only our analyses read: they must not make the
optimiser bolder than the user's compiler was. So are those to elements of arrays of numbers that are declared as such.

A union's members have no addresses of their own, and structs that the calling convention takes apart are no members
of anything: neither is marked. Structs in unions do have some, and what is read of one may be a part of another member:
they are not marked where a union is known to be around them, nor, if all their members are short integers, where
nothing tells what is around them. Numbers that flang's code accesses get a tag as flang has them where it optimises,
for data of all variables; complex ones are split later, which only such tags survive.
"""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.regex import regex

from .assignments import VALUE, CopiedStructs, variables_in
from .text import next_metadata
from .unoptimised import unoptimised_programs

_STRUCT: Final = regex(r'^(%(?:"[^"\n]*"|[-\w.$]+)) = type <?\{ ?([^\n]*?) ?\}>?$', re.MULTILINE)
_NAMED: Final = regex(r'%"?(?:struct|class)\.')
_NAMELESS: Final = regex(r"%struct\.anon(?:\.\d+)?")
_UNION: Final = regex(r'%"?union\.')
_STRING: Final = regex(r'%"class\.std::(?:__cxx11::)?basic_string[".]')
_SHORT: Final = regex(r"(?:\[\d+ x )*i(?:8|16|32)\]*")
"""Parts of a number, if anything."""
_DEFINE: Final = regex(r"^define [^\n]*\{\n", re.MULTILINE)
_PROGRAM: Final = regex(r"!dbg (!\d+) ")
_ADDRESS: Final = regex(
    rf"^  ({VALUE}) = getelementptr (?:inbounds |nuw |nusw )*"
    rf"({VALUE}|\[\d+ x [^\n]*?\]), ptr {VALUE}((?:, i\d+ (?:\d+|{VALUE}))+)(?=, !|$)",
    re.MULTILINE,
)
_ACCESS: Final = regex(
    rf"^  (?:{VALUE} = load (?:atomic )?(i\d+)|store (?:atomic )?(i\d+) [^,\n]+), ptr ({VALUE})(?: [a-z_]+)?, "
    rf"align \d+(?=, !|$)",
    re.MULTILINE,
)
_EXCHANGE: Final = regex(
    rf"^  {VALUE} = (?:atomicrmw|cmpxchg) (?:[a-z]+ )*ptr ({VALUE}), (i\d+) [^\n]+?, align \d+(?=, !|$)", re.MULTILINE
)
_ARRAY: Final = regex(r"\[\d+ x (.*)\]")
_NARROWEST: Final = 16
_NUMBER: Final = regex(
    rf"^  (?:{VALUE} = load|store) (?:float|double|x86_fp80)(?: [^,\n]+)?, ptr (?!%coerce)([^,\n]+), "
    rf"align \d+(?=, !|$)",
    re.MULTILINE,
)
_ELEMENT: Final = regex(
    rf"^  ({VALUE}) = getelementptr (?:inbounds |nuw |nusw )*\[\d+ x (?:float|double|x86_fp80)\], ptr [^,\n]+, "
    rf"i\d+ 0, i\d+ {VALUE}(?=, !|$)",
    re.MULTILINE,
)
_FORTRAN_NUMBER: Final = regex(
    rf"^  (?:{VALUE} = load|store) (?:float|double|x86_fp80|{{ (?:float, float|double, double) }})(?: [^\n]+?)?, "
    rf"ptr [^,\n]+, align \d+(?=, !|$)",
    re.MULTILINE,
)
_MARK: Final = "!enzyme.member"
_FORTRAN: Final = regex(r"(?m)^(!\d+) = distinct !DICompileUnit\(language: DW_LANG_Fortran")
_UNIT: Final = regex(r"(?m)^(!\d+) = distinct !DISubprogram\([^\n]*\bunit: (!\d+)")


def mark_accesses(text: str) -> str:
    """`text` with the marks in functions that were compiled without optimisation."""
    unoptimised = unoptimised_programs(text)
    if not unoptimised and _NAMED.search(text) is None:
        return text
    structs = {match[1]: match[2] for match in _STRUCT.finditer(text)}
    fortran, has_unions = _programs_of_fortran(text), _has_unions(structs)
    node = next_metadata(text)
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
            variables = variables_in(head, body)
            return _addressed(body, structs, variables, variables if has_unions else None)

        if program is not None and program[1] in unoptimised:
            around = variables_in(head[0], body) if has_unions else None
            body = copies.marked(_marked(body, _addressed(body, structs, {}, around), node), pointees())
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


def _addressed(
    body: str, structs: dict[str, str], known: dict[str, str], variables: dict[str, str] | None
) -> dict[str, str]:
    """The types that address computations lead to, and those that are known already. `variables` has the types of
    variables; None of programs without unions."""
    found = dict(known)
    for match in _ADDRESS.finditer(body):
        base = _base(match[0])
        if match[1].startswith("%coerce.dive"):
            continue
        if variables is not None:
            around = found.get(base) or variables.get(base, "")
            if _may_be_in_union(match[2], around, structs):
                continue
        type_ = _pointee(match[2], match[3], structs, base, found)
        if type_ is not None:
            found[match[1]] = type_
    return found


def _base(line: str) -> str:
    """What an address is computed from."""
    return line.split(", ptr ", 1)[1].split(",", 1)[0]


def _has_unions(structs: dict[str, str]) -> bool:
    """Has the program unions, other than the characters of short strings?"""
    of_strings = {name for text, body in structs.items() if _STRING.match(text) for name in split_types(body)}
    return any(_UNION.match(name) and name not in of_strings for name in structs)


def _may_be_in_union(type_: str, around: str, structs: dict[str, str]) -> bool:
    """May a struct be a member of a union, and what is read of it a part of another member? `around` is what is known
    to be where it is."""
    if around:
        return _UNION.match(around) is not None
    fields = split_types(structs.get(type_, ""))
    return bool(fields) and (_NAMELESS.fullmatch(type_) is not None or all(map(_SHORT.fullmatch, fields)))


def _marked(body: str, members: dict[str, str], node: int) -> str:
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


def _pointee(type_: str, indices: str, structs: dict[str, str], base: str, members: dict[str, str]) -> str | None:
    """The type of the member that an address computation leads to; None where it is no member of a named struct."""
    if type_.startswith("[") and members.get(base) != type_:
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
