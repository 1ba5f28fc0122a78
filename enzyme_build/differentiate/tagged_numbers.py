"""Numbers that the optimiser moves as integers, where the language says that both ends hold numbers.

`double a = x[0]; p->a = a;` may be a load and a store of eight bytes as an integer, with the tags of accesses to a
`double`. In the model that the pass reads, that is the number again; elsewhere the integer's users have its bits. Where
the memory may hold something else as well, its bits would be watched while the derivative runs.

Source: LLVM language reference, "TBAA".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.copied import access_kind, says_type
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import remove_instructions, replace_values, users
from enzyme_build.ir.metadata import retyped
from enzyme_build.ir.types import DOUBLE, FLOAT, I32, I64

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import FloatType, Type
    from enzyme_build.ir.values import Value

_NUMBERS: dict[Type, FloatType] = {I64: DOUBLE, I32: FLOAT}


def numbers_for_tags(module: Module, function: Function) -> None:
    """Retype such loads, and the stores of what they read; those, too, that a word is put together of."""
    loads = [i for i in function.instructions() if isinstance(i, ir.Load) and _is_number(module, i, i.type)]
    readers = users(function) if loads else {}
    replaced: dict[Value, Value] = {}
    gone: set[Value] = set()
    for load in loads:
        used = readers.get(load, ())
        stores = [i for i in used if isinstance(i, ir.Store) and i.value is load and _is_number(module, i, load.type)]
        if not stores and not any(isinstance(i, ir.Cast) and i.op == "zext" and i.type is I64 for i in used):
            continue
        builder = in_front_of(load)
        number = builder.load(_NUMBERS[load.type], load.pointer, load.align)
        number.name, number.metadata = load.name, retyped(load.metadata)
        for store in stores:
            store.operands[0] = number
        if len(used) > len(stores):
            replaced[load] = builder.cast("bitcast", number, load.type)
        gone.add(load)
    replace_values(function, replaced)
    remove_instructions(function, gone)


def _is_number(module: Module, i: ir.Load | ir.Store, type_: Type) -> bool:
    """Is this an access to a number, as an integer as wide?"""
    if type_ not in _NUMBERS or i.ordering or i.volatile or not says_type(module, i.metadata):
        return False
    number = _NUMBERS[type_]
    return access_kind(module, i.metadata, number.bits // 8) == (Kind.FLOAT, number)
