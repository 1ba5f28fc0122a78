"""The words of a request: markers and options, and what the values between them mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.request import Activity
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.types import FloatType, IntType, PointerType, Type
from enzyme_build.ir.values import Constant, ConstantExpression, GlobalAlias, GlobalVariable, Value
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module

ACTIVITIES = {
    "enzyme_const": Activity.CONSTANT,
    "enzyme_out": Activity.ACTIVE,
    "enzyme_dup": Activity.DUPLICATED,
    "enzyme_dupnoneed": Activity.DUPLICATED_NO_PRIMAL,
    "enzyme_dupv": Activity.DUPLICATED,
    "enzyme_dupnoneedv": Activity.DUPLICATED_NO_PRIMAL,
}
STRIDED = ("enzyme_dupv", "enzyme_dupnoneedv")
FLAGS = (
    "enzyme_primal_return",
    "enzyme_noret",
    "enzyme_const_return",
    "enzyme_runtime_activity",
    "enzyme_strong_zero",
    "enzyme_nofree",
)
OPTIONS = ("enzyme_width", "enzyme_seed", "enzyme_tape", "enzyme_allocated")
BATCHED = ("enzyme_vector", "enzyme_scalar")
MAXIMUM_WIDTH = 64
_COERCED = regex(r"(.+)\.coerce\d*")


def structs(primal: Function) -> list[list[int]]:
    """The primal's parameters, those together that are one struct of the source: clang names them `s.coerce0` …"""
    found: list[list[int]] = []
    last = ""
    for number, argument in enumerate(primal.arguments):
        match = _COERCED.fullmatch(argument.name or "")
        base = match[1] if match else ""
        if base and base == last:
            found[-1].append(number)
        else:
            found.append([number])
        last = base
    return found


def parameter_place(primal: Function, number: int) -> tuple[int, str]:
    """Which parameter of the source it belongs to, counted from 1, and that one's name."""
    shown = [group for group in structs(primal) if "sret(" not in primal.arguments[group[0]].attributes]
    place = next((at for at, group in enumerate(shown, 1) if number in group), number + 1)
    return place, _COERCED.sub(r"\1", primal.arguments[number].name or "")


def precedence(type_: Type) -> int:
    """What a struct's default activity goes by: its pointers, or else its numbers."""
    return 2 if isinstance(type_, PointerType) else 1 if type_.is_float_like else 0


def resolve_function(module: Module, value: Value) -> Function | None:
    """Look through casts, aliases and constant pointers."""
    for _ in range(16):
        match value:
            case Function():
                return value
            case GlobalAlias() if value.aliasee is not None:
                value = value.aliasee
            case ConstantExpression() if value.op in ("bitcast", "addrspacecast", "ptrtoint", "inttoptr"):
                value = value.operands[0]
            case ir.Cast():
                value = value.operands[0]
            case ir.Load() if isinstance(value.pointer, GlobalVariable):
                initial = module.global_initializer(value.pointer)
                if initial is None or not value.pointer.is_constant:
                    return None
                value = initial
            case _:
                return None
    return None


def wrapped_function(module: Module, value: Value) -> Function | None:
    """The function whose address the memory at `value` holds: a constant, or a local variable that is set once and is
    given to requests only."""
    if isinstance(value, GlobalVariable):
        initial = module.global_initializer(value) if value.is_constant else None
        return resolve_function(module, initial) if initial is not None else None
    if not isinstance(value, ir.Alloca) or value.block.function is None:
        return None
    stored: list[Value] = []
    for user in users(value.block.function)[value]:
        if isinstance(user, ir.Store) and user.pointer is value and user.value is not value:
            stored.append(user.value)
        elif not (isinstance(user, ir.CallBase) and isinstance(user.callee, Function) and _keeps(user.callee.name)):
            return None
    return resolve_function(module, stored[0]) if len(stored) == 1 else None


def _keeps(name: str) -> bool:
    """Does a function of that name leave a variable alone?"""
    return "__enzyme_" in name or name.startswith("llvm.lifetime.")


def marker_name(value: Value) -> str | None:
    """The name of a marker: a load of a global `enzyme_…`, or its address."""
    if isinstance(value, ir.Load):
        value = value.pointer
    elif not isinstance(value, Constant):
        return None
    if isinstance(value, GlobalVariable) and value.name.startswith("enzyme_"):
        return value.name
    # C++ inside a namespace or as a static member: _ZN…10enzyme_dupE
    if isinstance(value, GlobalVariable) and value.name.startswith("_Z") and "enzyme_" in value.name:
        tail = value.name[value.name.index("enzyme_") :]
        return tail.removesuffix("E")
    return None


def convertible(actual: Type, expected: Type) -> bool:
    """Equal types, or C's promotions of variadic arguments undone."""
    if actual is expected:
        return True
    if isinstance(actual, FloatType) and isinstance(expected, FloatType):
        return actual.bits > expected.bits
    return isinstance(actual, IntType) and isinstance(expected, IntType)
