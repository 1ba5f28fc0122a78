"""BESSEL_JN and BESSEL_YN of several orders at 0: the argument, which flang's runtime is not told.

flang compares the argument with 0 and calls a function of its own there, of the orders alone; but J1 has a slope at 0.
The calls that follow such a comparison in plain sight become ones of bodies that are given the argument too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import function_type
from enzyme_build.ir.values import is_zero

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_AT_ZERO: Final = tuple(f"_FortranABessel{kind}nX0_{size}" for kind in "JY" for size in (4, 8, 10))


def give_arguments(module: Module, prefix: str) -> set[str]:
    """Change the module; the functions that are called instead, whose names begin with `prefix`."""
    found = set()
    for old in _AT_ZERO:
        if old not in module.globals:
            continue
        name = f"{prefix}{old.removeprefix('_FortranA')}At"
        for caller in module.functions_mentioning(f"@{old}"):
            function = module.function(caller)
            for call in [i for i in function.instructions() if isinstance(i, ir.Call)]:
                is_of_orders = isinstance(call.callee, Function) and call.callee.name == old
                x = _compared(function, call) if is_of_orders else None
                if x is not None:
                    type_ = call.function_type
                    call.function_type = function_type(type_.result, (*type_.parameters, x.type))
                    call.operands[-1:] = [x, module.declare(name, call.function_type)]
                    call.argument_attributes = [*call.argument_attributes, ""]
                    module.changed.add(caller)
                    found.add(name)
    return found


def _compared(function: Function, call: ir.Call) -> Value | None:
    """What is 0 where the call stands."""
    before = [block for block in function.blocks if call.block in block.successors]
    branch = before[0].terminator if len(before) == 1 else None
    compared = branch.operands[0] if isinstance(branch, ir.Branch) else None
    if not isinstance(branch, ir.Branch) or not isinstance(compared, ir.Compare) or not is_zero(compared.operands[1]):
        return None
    equal = {"oeq": branch.then, "ueq": branch.then, "one": branch.otherwise, "une": branch.otherwise}
    alone = branch.then is not branch.otherwise and compared.op == "fcmp"
    return compared.operands[0] if alone and equal.get(compared.predicate) is call.block else None
