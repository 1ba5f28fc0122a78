"""A number without its derivative: a function of ours that gives what it is given.

The model that the pass reads calls it (`rules.inactive` says that it has no derivative); its bodies come last of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import function_type

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

_NAME: Final = "enzyme_build.constant."
_ATTRIBUTES: Final = "nounwind willreturn memory(none)"


def constant_function(module: Module, type_: Type) -> Function:
    """The function for numbers, or vectors of them, of a type."""
    name = _NAME + "".join(letter for letter in str(type_) if letter.isalnum())
    return module.declare(name, function_type(type_, (type_,)), _ATTRIBUTES)


def constant_text(function: Function) -> str | None:
    """The body of such a function; None for others."""
    if not function.name.startswith(_NAME):
        return None
    type_ = function.function_type.result
    return f"define internal {type_} @{function.name}({type_} %v) alwaysinline {_ATTRIBUTES} {{\n  ret {type_} %v\n}}\n"
