"""Debug data that compilers made for us alone: it says where code is from, and is not written to what a link makes."""

from __future__ import annotations

from enzyme_build.regex import regex
from enzyme_build.repeated import NO_FOLDER

_UNIT = regex(
    r"(?m)^(!\d+ = distinct !DICompileUnit\([^\n]*?file: (!\d+)[^\n]*emissionKind: )(?:FullDebug|LineTablesOnly)"
)
_FILE = regex(rf'(?m)^(!\d+) = !DIFile\([^\n]*directory: "{NO_FOLDER}"')


def without_unwanted_debug_data(text: str) -> str:
    """The module, whose sources that nobody asked debug data of give none; the places of their code stay."""
    if NO_FOLDER not in text:
        return text
    files = {match[1] for match in _FILE.finditer(text)}
    return _UNIT.sub(lambda match: f"{match[1]}NoDebug" if match[2] in files else match[0], text)
