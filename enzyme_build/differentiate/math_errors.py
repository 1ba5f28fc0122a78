"""errno, where the program looks at it.

Mathematical functions write it. To derivatives that is nobody's result, as long as no function that is differentiated
asks for the variable: otherwise LLVM must know that calls write it, and those that a derivative adds must not be seen.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I32
from enzyme_build.regex import regex
from enzyme_build.rules.library_memory import ERRNO

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from enzyme_build.ir.module import Module

    from .sweep import Sweep

NOTHING: Final = "memory(none)"
_WRITES_ERRNO: Final = "memory(errnomem: write)"
_INTRINSIC: Final = regex(r"llvm\.((?:exp|log)(?:2|10)?|pow|sin|cos|tan|asin|acos|sinh|cosh)\.(f32|f64|f80)")
_ENDINGS: Final = {"f32": "f", "f64": "", "f80": "l"}


def asks_for_errno(module: Module, functions: Iterable[Function]) -> Function | None:
    """What these functions get the address of errno from."""
    known = [found for name in ERRNO if isinstance(found := module.globals.get(name), Function)]
    if not known:
        return None
    calls = (i for function in functions for i in function.instructions() if isinstance(i, ir.CallBase))
    return next((call.callee for call in calls if call.callee in known and isinstance(call.callee, Function)), None)


@contextmanager
def errno_kept(sweep: Sweep) -> Iterator[None]:
    """Calls that are added meanwhile leave errno as the program's own call left it."""
    errno = sweep.engine.errno
    if errno is None:
        yield
        return
    left = sweep.b.load(I32, sweep.b.call(errno))
    yield
    sweep.b.store(left, sweep.b.call(errno))


def let_calls_write_errno(module: Module) -> None:
    """Of mathematical functions, that derivatives declare and call."""
    for name in module.added_functions:
        function = module.globals[name]
        if isinstance(function, Function) and not name.startswith("llvm."):
            function.suffix = function.suffix.replace(NOTHING, _WRITES_ERRNO)
    calls = (
        i
        for function in [*module.functions]
        for i in (() if function.is_declaration else function.instructions())
        if isinstance(i, ir.CallBase)
    )
    for call in calls:
        call.function_attributes = call.function_attributes.replace(NOTHING, _WRITES_ERRNO)
        found = _INTRINSIC.fullmatch(getattr(call.callee, "name", None) or "")
        if found is not None:  # the machine code is a call of the library, of which LLVM says that it writes nothing
            call.operands[-1] = module.declare(found[1] + _ENDINGS[found[2]], call.function_type)
            call.function_attributes = f"nounwind willreturn {_WRITES_ERRNO}"
