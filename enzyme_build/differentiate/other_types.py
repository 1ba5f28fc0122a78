"""Calls of functions that are defined with other parameters: which argument is which cannot be told then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.function import Function

if TYPE_CHECKING:
    from collections.abc import Iterator

    from enzyme_build.ir.module import Module


def calls_of_other_types(module: Module, function: Function) -> Iterator[UnsupportedError]:
    """Refusals of such calls in a function; arguments that the callee does not take are no harm, unless they take
    part."""
    for call in function.instructions():
        if isinstance(call, ir.CallBase) and is_of_other_type(module, call):
            assert isinstance(call.callee, Function)
            given, taken = call.function_type, call.callee.function_type
            if given.result is not taken.result or given.parameters[: len(taken.parameters)] != taken.parameters:
                yield of_other_type(module, call)


def is_of_other_type(module: Module, call: ir.CallBase) -> bool:
    callee = call.callee
    if not isinstance(callee, Function) or callee.function_type is call.function_type:
        return False
    return module.is_defined(callee.name) and not callee.function_type.variadic


def lacks_arguments(call: ir.CallBase) -> bool:
    return isinstance(call.callee, Function) and len(call.arguments) < len(call.callee.function_type.parameters)


def of_other_type(module: Module, call: ir.CallBase) -> UnsupportedError:
    assert isinstance(call.callee, Function)
    return UnsupportedError(
        f"cannot differentiate a call of '{call.callee.name}' as {call.function_type.text}, which is defined as "
        f"{call.callee.function_type.text}",
        location=location_of(module, call),
        hint="declare it as it is defined; pass structs by pointer between languages",
        code="E0146",
    )
