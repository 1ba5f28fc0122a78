"""C++ names as their users wrote them, by the demangler of the C++ runtime (Itanium C++ ABI, `__cxa_demangle`).

Without a C++ runtime on this machine names stay as they are.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from typing import Final

_QUOTED: Final = re.compile(r"(?<=')_Z[\w.$]+(?=')")
_RUNTIMES: Final = ("libstdc++.so.6", "libc++abi.so.1", "libc++.1.dylib")
_LONGEST: Final = 200


def demangled(message: str) -> str:
    """A message with the mangled names in quotes replaced."""
    return _QUOTED.sub(lambda found: demangle(found[0]), message)


@cache
def demangle(name: str) -> str:
    """`f(double)` for `_Z1fd`; a name too long to read is cut."""
    function = _function()
    if function is None:
        return name
    bare, dot, suffix = name.partition(".")
    status = ctypes.c_int()
    address = function(bare.encode(), None, None, ctypes.byref(status))
    if not address or status.value:
        return name
    readable = ctypes.string_at(address).decode(errors="replace")
    ctypes.CDLL(None).free(ctypes.c_void_p(address))
    if len(readable) > _LONGEST:
        readable = readable[:_LONGEST] + "…"
    return readable + dot + suffix


@cache
def _function() -> ctypes._NamedFuncPointer | None:
    for name in _RUNTIMES:
        try:
            found = ctypes.CDLL(name)["__cxa_demangle"]
        except (OSError, AttributeError):
            continue
        found.restype = ctypes.c_void_p
        return found
    return None
