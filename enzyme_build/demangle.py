"""Names as their users wrote them: C++ names by the demangler of the C++ runtime (Itanium C++ ABI, `__cxa_demangle`),
without which they stay as they are; Fortran's, which are `_Q`, then `M` module, `S` submodule, `F` host, `P` procedure.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex

if TYPE_CHECKING:
    import ctypes

_QUOTED: Final = regex(r"(?<=')(?:_[ZQ][\w.$]+(?=')|_Q[\w.$]+(?=:))")
"""In a message; of Fortran also in front of what is said of derivatives (`'m::f:reverse:1=dup'`)."""
_FORTRAN: Final = regex(r"_Q((?:[MSF][a-z0-9_]*)*)P([a-z0-9_]+)")
_SCOPE: Final = regex(r"[MSF]([a-z0-9_]+)")
_RUNTIMES: Final = ("libstdc++.so.6", "libc++abi.so.1", "libc++.1.dylib")
_ABI: Final = regex(r"\[abi:\w+\]")
"""What the library's version adds to a name."""
_LONGEST: Final = 200


def demangled(message: str) -> str:
    """A message with the mangled names in quotes replaced."""
    return _QUOTED.sub(lambda found: demangle(found[0]), message)


@cache
def demangle(name: str) -> str:
    """`f(double)` for `_Z1fd`, `m::f` for `_QMmPf`; a name too long to read is cut."""
    fortran = _FORTRAN.fullmatch(name)
    if fortran is not None:
        return "::".join([*_SCOPE.findall(fortran[1]), fortran[2]])
    function = _function()
    if function is None:
        return name
    import ctypes

    bare, dot, suffix = name.partition(".")
    status = ctypes.c_int()
    address = function(bare.encode(), None, None, ctypes.byref(status))
    if not address or status.value:
        return name
    readable = _ABI.sub("", ctypes.string_at(address).decode(errors="replace"))
    ctypes.CDLL(None).free(ctypes.c_void_p(address))
    if len(readable) > _LONGEST:
        readable = readable[:_LONGEST] + "…"
    return readable + dot + suffix


@cache
def _function() -> ctypes._NamedFuncPointer | None:
    import ctypes  # few runs have a C++ name to say

    for name in _RUNTIMES:
        try:
            found = ctypes.CDLL(name)["__cxa_demangle"]
        except (OSError, AttributeError):
            continue
        found.restype = ctypes.c_void_p
        return found
    return None
