"""The dimensions of Fortran's arrays, as far as compiled code tells them: numbers, or which argument one is.

For `a(m, n)` flang has variables of its own, whose values debug records give: what is read from an argument, made
wider, and not below zero.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.ir.debug import DebugParameter
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_LOCAL: Final = r"%[\w.$]+"
_RECORD: Final = regex(rf"^ +#dbg_value\(\w+ ({_LOCAL}), (!\d+), ", re.MULTILINE)
_LOAD: Final = regex(rf"load i\d+, ptr ({_LOCAL})\b")
_THROUGH: Final = regex(
    rf"(?:[sz]ext (?:nneg )?i\d+ ({_LOCAL}) to "
    rf"|(?:tail )?call i\d+ @llvm\.smax\.i\d+\(i\d+ ({_LOCAL}), i\d+ 0\)"
    rf"|select i1 {_LOCAL}, i\d+ ({_LOCAL}), i\d+ 0\b)"
)
_DEFINITION: Final = regex(rf"^ +({_LOCAL}) = (.*)$", re.MULTILINE)


def length_arguments(module: Module, function: Function) -> dict[str, int]:
    """The variables of debug data that are the value of an argument, with its number."""
    text = module.body_text(function.name)
    definitions = dict(_DEFINITION.findall(text))
    arguments = {f"%{argument.name or argument.index}": argument.index for argument in function.arguments}
    found: dict[str, set[int | None]] = {}
    for value, variable in _RECORD.findall(text):
        found.setdefault(variable, set()).add(_argument(value, definitions, arguments))
    return {variable: index for variable, (index, *others) in found.items() if index is not None and not others}


def extents_of(parameter: DebugParameter, lengths: Mapping[str, int]) -> tuple[int | str | None, ...] | None:
    """The dimensions of an array; None for what is none."""
    if parameter.type.kind != "array":
        return None
    known: list[int | str | None] = list(parameter.type.dimensions)
    told = parameter.variable.lengths if parameter.variable is not None else ()
    if len(told) == len(known):
        known = [f"%{lengths[t]}" if k is None and t in lengths else k for k, t in zip(known, told, strict=True)]
    return tuple(known)


def _argument(value: str, definitions: Mapping[str, str], arguments: Mapping[str, int]) -> int | None:
    """The number of the argument that a value is read from."""
    for _ in range(8):
        definition = definitions.get(value, "")
        if (read := _LOAD.match(definition)) is not None:
            return arguments.get(read[1])
        through = _THROUGH.match(definition)
        if through is None:
            return None
        value = through[1] or through[2] or through[3]
    return None
