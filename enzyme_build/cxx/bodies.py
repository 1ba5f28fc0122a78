"""Bodies for functions that libc++ has as machine code where libstdc++ has templates: sorts of numbers, the counts of
owners of `std::shared_ptr`.

The source beside this file is compiled with the headers of libc++ that the C++ compiler finds. What derivatives reach
of it is added to the merged module under the library's names, which are internal then: everything else that is linked
keeps the library's own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ToolError
from enzyme_build.llvm import link, text
from enzyme_build.llvm.bodies import reached_without_body
from enzyme_build.toolchain.languages import Language
from enzyme_build.toolchain.shipped import compiled_bodies

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from enzyme_build.toolchain.find import ToolSettings

_SOURCE: Final = Path(__file__).parent / "source" / "libcxx.cpp"
_FLAGS: Final = ("-std=c++17", "-stdlib=libc++", "-Xclang", "-mno-constructor-aliases")
"""Names of destructors that are aliases could not be taken one by one."""

_ELSEWHERE: Final = ("declare ", "define available_externally ")
"""Functions that are the library's. Bodies of such templates that clang adds for the optimiser, it drops again."""


def compiled(tools: ToolSettings) -> Path | None:
    """The source as a bitcode file; None where this compiler has no libc++, or one that it does not fit: then what has
    no body is refused as any other function without one."""
    try:
        return compiled_bodies(_SOURCE, Language.CXX, _FLAGS, tools)
    except (ToolError, OSError):
        return None


def add_bodies(merged: str, file: Path, asked: AbstractSet[str] = frozenset()) -> str:
    """`merged` with bodies, from the bitcode in `file`, for the functions of libc++ that its derivatives may call, and
    those of the functions `asked`."""
    bodies = file.read_bytes()
    wanted = reached_without_body(merged, asked, _ELSEWHERE) & link.definitions(bodies)
    if not wanted:
        return merged
    own, _, _ = text.symbols(merged)
    merged = link.merge([("the program", merged.encode()), ("bodies", link.needed_part(bodies, wanted).encode())])
    return text.internalise(merged, own - wanted)
