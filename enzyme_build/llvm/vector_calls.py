"""Vector versions of mathematical functions: what `-fveclib=libmvec` means for derivatives.

LLVM makes vectors of a loop with a call where the call names a version of its function for several arguments at once.
Such names are written here at every call of the module for which the library has one, and the processor the
instructions.

Sources: the x86-64 vector function ABI of glibc's libmvec (`_ZGV`, instruction set, `N`, lanes, a `v` for each
argument), LLVM's "vector-function-abi-variant" (`_ZGV_LLVM_N4v_exp(_ZGVdN4v_exp)`).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from enzyme_build.llvm.text import listed_as_used
from enzyme_build.regex import regex

if TYPE_CHECKING:
    import re
    from collections.abc import Collection

_FEATURE_OF: Final = {"b": "", "c": "+avx", "d": "+avx2", "e": "+avx512f"}
"""The feature of a processor that an instruction set of the ABI asks for; the first is every x86-64's."""
_VECTOR_NAME: Final = regex(r"_ZGV([bcde])N(\d+)(v+)_(\w+)")
_CALL: Final = regex(
    r"(?m)^(  %[^\n]*? = (?:tail |notail )?call (?:[a-z]+ )*(double|float) @([\w.]+)\([^()\n]*\))((?: #\d+)?)([^\n]*)$"
)
_INTRINSIC: Final = regex(r"llvm\.(\w+)\.f(?:32|64)")


def with_vector_versions(text: str, functions: Collection[str], features: str) -> str:
    """`text` with the vector versions among `functions` at the calls of the scalar functions."""
    versions: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    known = set(features.split(","))
    newest: dict[tuple[str, str], str] = {}
    for name in sorted(functions):
        found = _VECTOR_NAME.fullmatch(name)
        if found and (not _FEATURE_OF[found[1]] or _FEATURE_OF[found[1]] in known):
            newest[found[4], found[2]] = name  # of equal lanes, the later instruction set
    for (scalar, lanes), name in newest.items():
        arguments = _VECTOR_NAME.fullmatch(name)[3]  # type: ignore[index]
        versions[scalar].append((lanes, arguments, name))
    used: dict[str, str] = {}

    def edit(match: re.Match[str]) -> str:
        call, type_, name, group, rest = match.groups()
        if "vector-function-abi-variant" in rest:
            return match[0]
        intrinsic = _INTRINSIC.fullmatch(name)
        scalar = name if intrinsic is None else intrinsic[1] + ("f" if type_ == "float" else "")
        count = call.rpartition("(")[2].count(",") + 1
        fitting = [one for one in versions.get(scalar, ()) if len(one[1]) == count]
        if not fitting:
            return match[0]
        mappings = []
        for lanes, arguments, vector in fitting:
            mappings.append(f"_ZGV_LLVM_N{lanes}{arguments}_{name}({vector})")
            whole = f"<{lanes} x {type_}>"
            used[vector] = f"declare {whole} @{vector}({', '.join([whole] * count)})\n"
        return f'{call}{group} "vector-function-abi-variant"="{",".join(mappings)}"{rest}'

    text = _CALL.sub(edit, text)
    if not used:
        return text
    missing = [name for name in used if f"@{name}(" not in text]
    return listed_as_used(text + "".join(used[name] for name in missing), sorted(missing))
