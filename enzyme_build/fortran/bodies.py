"""Bodies for calls into flang's runtime library: what `a = b`, `pack(a, mask)` or `allocate` do, as typed loops.

The library moves bytes that descriptors describe at run time. The C sources beside this file do the same with loads
and stores of each element type, behind a choice by the descriptor's type code, which the optimiser decides where the
descriptor is made in sight. `compiled` compiles them once for a compiler; `add_bodies` gives those that a merged
module calls to it, and with them the functions over its derived types (`type_tables`). They are called
`enzyme_fortran_X` where the library has `_FortranAX`, so that the library's own can still be linked.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.fortran.access_tags import without_types
from enzyme_build.fortran.bessel import give_arguments
from enzyme_build.fortran.closures import TRAMPOLINES, with_visible_closures
from enzyme_build.fortran.descriptor_types import assume_types
from enzyme_build.fortran.type_tables import functions_of_types
from enzyme_build.ir.parser import parse_module
from enzyme_build.llvm import link, text
from enzyme_build.regex import regex
from enzyme_build.toolchain.languages import Language
from enzyme_build.toolchain.shipped import compiled_bodies

if TYPE_CHECKING:
    from enzyme_build.toolchain.find import ToolSettings

_OWN: Final = "enzyme_fortran_"
_SOURCE: Final = Path(__file__).parent / "source" / "bodies.c"
_CALLED: Final = regex(r"@(?:_FortranA(\w+)|(CFI_\w+))")
"""Functions of flang's runtime, and those that C programs call to make descriptors."""


def compiled(tools: ToolSettings) -> Path:
    """The sources as one bitcode file, compiled when this compiler has not done so before."""
    return compiled_bodies(_SOURCE, Language.C, ("-std=c17",), tools)


def add_bodies(merged: str, file: Path) -> str:
    """`merged` with bodies, from the bitcode in `file`, for the functions of flang's runtime that it calls."""
    bodies = file.read_bytes()
    defined = link.definitions(bodies)
    called = {name for names in _CALLED.findall(merged) for name in names if name and _OWN + name in defined}
    if not called and TRAMPOLINES not in merged:
        return merged
    merged = _CALLED.sub(lambda match: _own(match) if match[match.lastindex or 0] in called else match[0], merged)
    module = parse_module(merged)
    at_zero = give_arguments(module, _OWN)
    types = functions_of_types(module) + with_visible_closures(module)
    twins = {name for called_name in called if (name := f"{_OWN}{called_name}Of") in defined}
    merged = assume_types(module, _OWN, twins)
    needed = without_types(
        link.needed_part(bodies, {_OWN + name for name in called} | twins | at_zero | _helpers(types))
    )
    merged = link.merge([("the program", merged.encode()), ("bodies", needed.encode()), ("types", types.encode())])
    defined, _, _ = text.symbols(merged)
    return text.internalise(merged, {name for name in defined if not name.startswith(_OWN)})


def _own(match: re.Match[str]) -> str:
    return f"@{_OWN}{match[match.lastindex or 0]}"


def _helpers(types: str) -> set[str]:
    return set(re.findall(r"^declare [^\n]*?@(enzyme_fortran_\w+)\(", types, re.MULTILINE))
