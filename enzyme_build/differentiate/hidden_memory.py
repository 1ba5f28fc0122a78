"""What unknown code may do to memory that it is not given: refused where it surely can see numbers, else said.

Memory that a derivative works on may have been handed to code elsewhere before. Assembly that is not understood, and
functions without body that see a global variable, are refused where numbers there depend on active arguments. Threads
run functions of the program, which see its static variables, too. Other functions without body are taken not to keep
such memory, of which the user is told once for each.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.hidden import is_exported
from enzyme_build.analysis.origins import is_table
from enzyme_build.analysis.regions import led_to, may_hold_numbers
from enzyme_build.errors import MissingRuleError
from enzyme_build.ir.function import Function
from enzyme_build.ir.values import GlobalVariable, InlineAssembly
from enzyme_build.rules.libraries import OPENMP_HINT, THREADS_HINT, is_of_threads, is_teamwork, waits_for_threads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.analysis.hidden import Way
    from enzyme_build.analysis.regions import Region
    from enzyme_build.errors import UnsupportedError
    from enzyme_build.ir.instructions import CallBase

    from .context import Context
    from .engine import Engine


def look_at_hidden_calls(engine: Engine, context: Context, calls: Mapping[CallBase, Way]) -> None:
    """Refuse or mention the calls that may touch hidden memory while a requested derivative is computed."""
    seen = {r for r in context.activity.varied_regions if r.external and may_hold_numbers(r)} if calls else set()
    if not seen:
        return
    visible = _visible_global(context, seen)
    to_threads = _visible_global(context, seen, static=True)
    for call, way in calls.items():
        name = call.callee.name if isinstance(call.callee, Function) else ""
        exported = is_exported(engine.module, call.callee)
        if is_teamwork(name):
            error: UnsupportedError | None = _teamwork(call)
        elif to_threads is not None and (is_of_threads(name) or waits_for_threads(name)):
            error, to_threads = _thread(call, to_threads), None  # one says it all
        elif waits_for_threads(name):
            continue
        else:
            error = _refusal(call, visible, exported=exported)
        if error is not None:
            _report(engine, context, way, error)
        elif not exported:
            engine.doubts.assume_inactive(context, call)


def _teamwork(call: CallBase) -> UnsupportedError:
    """The reverse sweep of one thread would not wait for what the sweeps of others add to memory that they share; and
    in each mode each thread takes the shadows of global variables for its own."""
    callee = call.callee
    assert isinstance(callee, Function)
    return MissingRuleError(
        f"cannot differentiate '{_caller(call)}': '{callee.name}' makes the threads of an OpenMP region work together, "
        "and the region is around what is differentiated",
        hint=OPENMP_HINT,
        code="E0103",
    )


def _thread(call: CallBase, visible: str) -> UnsupportedError:
    assert isinstance(call.callee, Function)
    return MissingRuleError(
        f"cannot differentiate '{_caller(call)}': '{call.callee.name}' works with other threads, which may use the "
        f"global variable '{visible}', whose numbers depend on active arguments",
        hint=THREADS_HINT,
        code="E0103",
    )


def _caller(call: CallBase) -> str:
    return call.block.function.name if call.block is not None and call.block.function is not None else ""


def _refusal(call: CallBase, visible: str | None, *, exported: bool) -> UnsupportedError | None:
    caller = _caller(call)
    if isinstance(call.callee, InlineAssembly):
        return MissingRuleError(
            f"cannot differentiate '{caller}': inline assembly may read or write memory that it does not name, while "
            "there are numbers in memory that depend on active arguments",
            hint="name the memory among its operands, as a pointer; or put it into a function of its own that is not "
            "inlined, and say that it is inactive (__enzyme_inactivefn)",
            code="E0101",
        )
    if visible is None:
        return None
    name = getattr(call.callee, "name", None)
    callee = f"'{name}' without body" if name else "a function without body"
    return MissingRuleError(
        f"cannot differentiate '{caller}': {callee} may read the global variable '{visible}', whose "
        "numbers depend on active arguments",
        hint="pass it to the function: its exported derivatives take global variables for constant"
        if exported
        else "compile its source with enzyme-cc too, say that it is inactive (__enzyme_inactivefn), or make the "
        "variable static",
        code="E0100",
    )


def _report(engine: Engine, context: Context, way: Way, error: UnsupportedError) -> None:
    with ExitStack() as calls:
        for step in way[:-1]:
            calls.enter_context(engine.called_from(context, step))
        engine.report(context, way[-1], error)


def _visible_global(context: Context, varied: set[Region], *, static: bool = False) -> str | None:
    """A variable that other code sees, with numbers in it, or where it points, that depend on active arguments; of all
    code, also that of this module, which sees `static` ones.

    Where pointers of unknown origin are written through, streams and other objects without numbers vary, too.
    """
    names = []
    without = annotations_of(context.module).inactive_globals
    for region in {region.root for region in context.memory.regions}:
        variables = [v for v in region.globals if isinstance(v, GlobalVariable) and v.name not in without]
        visible = [v.name for v in variables if (static or not v.is_local) and not is_table(v)]
        if visible and not varied.isdisjoint(led_to([region])):
            names += visible
    return min(names, default=None)
