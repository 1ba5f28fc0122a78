"""Functions of flang's runtime library (`_FortranA…`) without derivative, beside `rules.inactive`.

Those that move or compute numbers are not here: they get bodies (`enzyme_build.fortran`). Of the transformational
functions on integers and logicals, only those that read are here; they return a number or a truth value.

Results often lie behind a descriptor: what such a function writes is what the pointer in there leads to (`follows`).
"""

from __future__ import annotations

from typing import Final

from enzyme_build.ir.types import DOUBLE, FLOAT
from enzyme_build.regex import regex

from .inactive_rows import Inactive, Number, Why

_PREFIX: Final = "_FortranA"
_INTEGER: Final = r"(Integer|Unsigned)\d+$"

_FAMILIES: Final[tuple[tuple[Inactive, str], ...]] = (
    (
        Inactive(Why.STOP, no_return=True),
        r"Stop|FailImage|ProgramEnd|Exit|Abort|ReportFatalUserError|NotFullyAssociated",
    ),
    # What a list leaves out (`1,,3`, `1 /`) and what stands behind the end or an error stays as it is
    *(
        (Inactive(Why.IO, frozenset([1]), numbers=(Number(1, type_, count),)), rf"ioInput{kind}{type_.bits}")
        for kind, count in (("Real", 1), ("Complex", 2))
        for type_ in (FLOAT, DOUBLE)
    ),
    (Inactive(Why.IO, writes_from=0), r"ioInput(Ascii|Character|Integer|Logical)|ioInquire|ioGet"),
    # The unit is a variable, or a descriptor of one; it gets the text until the statement ends
    (Inactive(Why.IO, frozenset([0]), follows=True), r"ioBeginInternal\w*Output"),
    (Inactive(Why.IO), r"io(Begin|Enable|End|Set|Check|Output)"),
    (Inactive(Why.RANDOM, frozenset([0]), follows=True), r"RandomNumber$|RandomSeed"),
    (Inactive(Why.RANDOM), r"RandomInit|I?[Rr]and$"),
    (Inactive(Why.TIME), r"CpuTime|SystemClock|[Ss]ecnds|Dsecnds|time$|Sleep"),
    (Inactive(Why.TIME, writes_from=0, follows=True), r"DateAndTime|Etime"),
    (
        Inactive(Why.CLASSIFY),
        r"(Ceiling|Floor|Nint|Exponent)\d+_\d+$|Is(Finite|NaN)\d|Selected\w+Kind|MapException|fe\w+except|SupportHalting",
    ),
    (Inactive(Why.RUNTIME), r"(GetUnderflow|SetUnderflow|GetModes|GetStatus)|RegisterConfigureEnv|ProgramStart"),
    (
        Inactive(Why.INTEGER),
        rf"(Sum|Product|Maxval|Minval|DotProduct|Mod|Modulo){_INTEGER}|DotProductLogical|UPow",
    ),
    (Inactive(Why.INTEGER), r"I(All|Any|Parity)\d+$|(All|Any|Count|Parity|Size|SizeDim|LboundDim)$"),
    (Inactive(Why.INTEGER, frozenset([0]), follows=True), r"(Lbound|Ubound|Shape)$"),
    (
        Inactive(Why.TEXT),
        r"(CharacterCompareScalar\w*|Index\d|Scan\d|Verify\d|LenTrim\d|ExtendsTypeOf|SameTypeAs|ClassIs|IsAssumedSize)$",
    ),
    (Inactive(Why.TEXT, frozenset([0])), r"Character(Append1|Pad1)$"),
    (
        Inactive(Why.TEXT, frozenset([0]), leaves=0),
        r"(Character(Concatenate\w*|Compare|Max|Min)|Adjust[lr]|Trim|Repeat|Index|Scan|Verify|LenTrim)$",
    ),
    (
        Inactive(Why.SYSTEM, writes_from=0, follows=True),
        r"Get(Command|CommandArgument|Cwd|EnvVariable)$|ExecuteCommandLine|Hostnm",
    ),
    (Inactive(Why.SYSTEM, frozenset([2]), follows=True), r"Rename$"),
    (
        Inactive(Why.SYSTEM),
        r"(ArgumentCount|Get[GPU]ID|PutEnv|Unlink|Chdir|Flush|Perror|Signal|PauseStatement\w*)$",
    ),
)
_PATTERNS: Final = tuple((regex(pattern), row) for row, pattern in _FAMILIES)


def fortran_function(name: str) -> Inactive | None:
    """The row of a function of flang's runtime."""
    if not name.startswith(_PREFIX):
        return None
    bare = name[len(_PREFIX) :]
    return next((row for pattern, row in _PATTERNS if pattern.match(bare)), None)
