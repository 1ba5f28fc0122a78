"""Buffers of streams that are classes of the program's own: the library, of which nothing is seen, calls their methods.

What these do with characters is nobody's concern. Where they compute with numbers, derivatives would have to go through
the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.values import GlobalVariable
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.module import Module

    from .context import Context

_LIBRARY: Final = regex(r"@_ZNK?St\w*basic_(?:stream|string|file)bufI")
_STREAM: Final = regex(r"_ZN?K?S(?:[oid]|t(?:ls|rs|16__ostream|\w*basic_(?:\w*stream|streambuf|stringbuf|filebuf)I))")
"""Functions that write to a buffer or read from one; those of locales, and of what all streams share, do not."""
_ENTRY: Final = regex(r"ptr @([\w.$]+)")
_NUMBER: Final = regex(r"\b(?:float|double|x86_fp80)\b")


def check_stream(context: Context, call: CallBase) -> None:
    """Refuse a call of a stream's function that may lead to a buffer that computes with numbers."""
    if not _STREAM.match(getattr(call.callee, "name", None) or ""):
        return
    models = {context.function.name, *(function.name for function in context.memory.others)}
    for table, methods in _buffers(context.module).items():
        if not models.isdisjoint(context.module.callers_of(table)):
            raise UnsupportedError(
                f"cannot differentiate '{context.function.name}': the library may call '{methods[0]}', of a buffer of "
                "the program's own, which computes with numbers",
                location=context.location(call),
                hint="let the program call what computes, not the stream",
                code="E0103",
            )


def _buffers(module: Module) -> dict[str, list[str]]:
    """The tables of classes that are derived from the library's buffers, and the functions that have numbers."""
    found = module.cache.get("own buffers")
    if found is None:
        tables: dict[str, list[str]] = {}
        for name, variable in module.globals.items():
            text = variable.initializer if name.startswith("_ZTV") and isinstance(variable, GlobalVariable) else None
            if text and _LIBRARY.search(text) and (methods := _with_numbers(module, _ENTRY.findall(text))):
                tables[name] = methods
        found = module.cache["own buffers"] = tables
    return cast("dict[str, list[str]]", found)


def _with_numbers(module: Module, names: Sequence[str]) -> list[str]:
    return [name for name in names if _NUMBER.search(module.body_text(name))]
