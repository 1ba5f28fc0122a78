"""Warnings: what is legal and differentiated as asked, and probably not what was meant.

Their classes are told on the command line as a compiler's: `-Wenzyme-NAME`, `-Wno-enzyme-NAME`, `-Werror=enzyme-NAME`;
`-Wenzyme-all` also asks for those that often are a matter of course, `-Wno-enzyme` for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.regions import led_to, may_hold_numbers
from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.errors import DoubtError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.types import PointerType
from enzyme_build.ir.values import Constant

from .markers import parameter_place, structs
from .shadow_types import shorter_shadow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from enzyme_build.analysis.regions import Place, Region
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.values import Argument, Value

    from .context import Context
    from .request_call import Actual, RequestCall

CLASSES: Final = {
    "inactive-argument": True,
    "constant-output": True,
    "loose-types": True,
    "unused-rule": True,
    "hidden-memory": True,
    "freed-argument": True,
    "same-shadow": True,
    "short-shadow": True,
    "no-target": True,
    "noted-types": True,
    "rounding": False,
    "equality": False,
}
"""Name, and whether it is on without being asked for."""


_PREFIX: Final = "-Wenzyme-"


def _name(doubt: DoubtError) -> str:
    return (doubt.code or "").removeprefix(_PREFIX)


class Doubts:
    """Collects the warnings of one link; `words` are the options as they were given, the last one counts."""

    def __init__(self, words: Sequence[str] = ()) -> None:
        self.enabled = {name for name, on in CLASSES.items() if on}
        self.errors: set[str] = set()
        self.found: list[DoubtError] = []
        self._assumed: set[str] = set()
        for word in words:
            self._tell(word)

    def _tell(self, word: str) -> None:
        off = word.startswith("no-")
        word = word.removeprefix("no-")
        error = word.startswith("error=")
        name = word.removeprefix("error=").removeprefix("enzyme").removeprefix("-")
        names = set(CLASSES) if name in {"", "all"} else {name}
        if error:
            self.errors = self.errors - names if off else self.errors | names
        if not (error and off):
            self.enabled = self.enabled - names if off else self.enabled | names

    def add(self, name: str, message: str, location: SourceLocation | None, hint: str | None = None) -> None:
        """Note a warning if its class is enabled."""
        if name in self.enabled:
            self.found.append(DoubtError(message, hint=hint, location=location, code=f"{_PREFIX}{name}"))

    def fatal(self) -> list[DoubtError]:
        """Those that were made errors."""
        return [doubt for doubt in self.found if _name(doubt) in self.errors]

    def messages(self) -> list[str]:
        """The text of the others, each once, in order of the source."""
        kept = [doubt for doubt in self.found if _name(doubt) not in self.errors]
        places = {doubt.warning: (str(doubt.location), doubt.warning) for doubt in kept}
        return sorted(places, key=lambda text: places[text])

    # What is looked at ---------------------------------------------------------------------------------------------

    def look_at_request(self, request: RequestCall, context: Context) -> None:
        """Arguments whose activity has no effect, or hides one."""
        name = request.primal.name.removeprefix("enzyme_build.call.")
        function = context.function
        silent = _without_effect(request, context)
        for number, (actual, argument) in enumerate(zip(request.actuals, function.arguments, strict=True)):
            at, source_name = parameter_place(function, number)
            label = f"argument {at}" + (f" ({source_name})" if source_name else "")
            place = context.memory.place(argument) if isinstance(argument.type, PointerType) else None
            region = place.resolved().region if place is not None else None
            touched = region is None or region.root.reads or region.root.writes
            unused = not context.facts.users.get(argument)
            if number in silent:
                self.add(
                    "inactive-argument",
                    f"the derivative of '{name}' by {label} is always zero",
                    request.location,
                    "no result with a derivative depends on it: say enzyme_const, or look whether an output is missing",
                )
            elif actual.activity.has_shadow and actual.value is not None and (unused or not touched):
                self.add(
                    "inactive-argument",
                    f"'{name}' does not use the memory of {label}, which has a shadow",
                    request.location,
                    "say enzyme_const",
                )
            elif actual.activity is Activity.CONSTANT and region is not None and (found := _written(context, region)):
                where = label if region.root in found else f"memory that {label} leads to"
                self.add(
                    "constant-output",
                    f"'{name}' writes to {where}, which is constant, what depends on active arguments",
                    request.location,
                    "say enzyme_dup with a shadow if its derivatives count",
                )
            may_free = (
                request.mode is not Mode.FORWARD and actual.activity.has_shadow and _frees(argument, region, context)
            )
            if may_free and not _points_to_numbers(context, at):
                split = ": reverse passes of earlier calls must not need it" if request.mode is Mode.SPLIT else ""
                self.add(
                    "freed-argument",
                    f"'{name}' may free memory that {label} leads to, and its shadow with the adjoints there{split}",
                    request.location,
                    "reserve room before the call in the argument and its shadow, so that they keep their memory (a "
                    "std::vector that grows), or let the function work on a copy",
                )
            if (
                request.mode is not Mode.FORWARD
                and region in context.activity.regions
                and _is_own_shadow(request, number)
            ):
                self.add(
                    "same-shadow",
                    f"the shadow of {label} of '{name}' is the argument itself: the derivative is added to its values",
                    request.location,
                    "pass memory of the same shape for the derivative; say enzyme_const if there is none",
                )

            self._look_at_shadows(request, actual, place, label, context.module.layout)

    def _look_at_shadows(
        self, request: RequestCall, actual: Actual, place: Place | None, label: str, layout: DataLayout
    ) -> None:
        sizes = shorter_shadow(layout, actual.value, actual.shadows) if actual.value is not None else None
        if sizes is not None and not (place is not None and _ends_before(place, sizes[1])):
            self.add(
                "short-shadow",
                f"the shadow of {label} of '{request.primal.name}' has {sizes[1]} bytes, the argument {sizes[0]}",
                request.location,
                "declare the shadow as the argument is declared",
            )

    def no_target(self, name: str, location: SourceLocation | None) -> None:
        """A call through a pointer from memory that no function of the link fits."""
        self.add(
            "no-target",
            f"no function of the link has the type of the one that '{name}' calls here: if it is called, the "
            "derivative ends the program",
            location,
            "link the source of the functions that may be set there",
        )

    def assume_inactive(self, context: Context, call: CallBase) -> None:
        """A function without body, which could have been given memory before, is taken not to touch any: told once."""
        name = getattr(call.callee, "name", None)
        if name in self._assumed:
            return
        self._assumed.add(name or "")
        called = f"'{name}'" if name else "a function that is called through a pointer"
        self.add(
            "hidden-memory",
            f"{called} has no body here: it is taken neither to read nor to write memory that it may have been given "
            "before",
            context.location(call),
            "compile its source with enzyme-cc too; or say that it is so, by "
            + (f"void *__enzyme_inactivefn[] = {{(void *){name}}};" if name else "-Wno-enzyme-hidden-memory"),
        )

    def look_at_code(self, context: Context) -> None:
        """Steps that a derivative does not see."""
        if not self.enabled & {"rounding", "equality"}:
            return
        for i in self._steps(context):
            if isinstance(i, ir.Compare):
                self.add(
                    "equality",
                    "numbers with derivatives are compared for equality: the branch taken has the derivative",
                    context.location(i),
                )
            else:
                self.add(
                    "rounding",
                    "a number with a derivative is converted to an integer: the derivative does not see its jumps",
                    context.location(i),
                )

    @staticmethod
    def _steps(context: Context) -> Iterator[ir.Instruction]:
        for block in context.facts.returning.order:
            for i in block.instructions:
                rounds = isinstance(i, ir.Cast) and i.op in {"fptosi", "fptoui"}
                equals = isinstance(i, ir.Compare) and i.predicate in {"oeq", "une", "ueq", "one"}
                operands = [o for o in i.operands if not isinstance(o, Constant)] if rounds or equals else []
                if not context.activity.varied.isdisjoint(operands):
                    yield i


def _written(context: Context, region: Region) -> set[Region]:
    """The memory that constant memory leads to, itself included, in which results that nobody reads are left."""
    activity = context.activity
    return {r for r in led_to([region]) if r.writes and r in activity.varied_regions and r not in activity.regions}


def _frees(argument: Argument, region: Region | None, context: Context) -> bool:
    """Does the function free active memory that its callers have, there or where pointers there lead?"""
    if not context.memory.frees_users:
        return False
    active = context.activity.regions
    found = [*led_to([region])] if region is not None else []
    if "readonly" in argument.attributes.split():  # but for what pointers there lead to
        found = [one for one in found if one is not region]
    return any(one.ends and one.external and may_hold_numbers(one) and one in active for one in found)


def _ends_before(place: Place, size: int) -> bool:
    """Does the function use nothing of an argument's memory behind so many bytes, as far as is known?"""
    place = place.resolved()
    return all(not stride and offset - place.offset < size for offset, stride, _ in place.region.entries())


def _points_to_numbers(context: Context, at: int) -> bool:
    """Does the language say of a parameter that it points to constant numbers? Such are not freed by it, though the
    memory may look like other memory that is."""
    told = subprogram_of(context.module, context.function)
    if told is None or at > len(told.parameters):
        return False
    declared = told.parameters[at - 1].type
    element = declared.element if declared.kind == "pointer" else None
    return element is not None and element.kind in {"float", "complex"} and element.is_const


def _is_own_shadow(request: RequestCall, number: int) -> bool:
    """Is an argument given twice where its shadow should stand, without `enzyme_runtime_activity`?"""
    actual = request.actuals[number]
    told = "enzyme_runtime_activity" in request.flags
    return not told and actual.value is not None and any(_is_same(actual.value, other) for other in actual.shadows)


def _is_same(value: Value, other: Value) -> bool:
    """Is it that value, or read of the same variable (as without optimisation)?"""
    if value is other or not (isinstance(value, ir.Load) and isinstance(other, ir.Load)):
        return value is other
    block = value.block
    if value.pointer is not other.pointer or block is None or block is not other.block:
        return False
    first, last = sorted((block.instructions.index(value), block.instructions.index(other)))
    return not any(isinstance(i, ir.Store | ir.CallBase) for i in block.instructions[first:last])


def _without_effect(request: RequestCall, context: Context) -> set[int]:
    """The first numbers of active arguments no number of which has a derivative."""
    arguments = context.function.arguments
    found: set[int] = set()
    for group in structs(context.function):
        told = [n for n in group if request.actuals[n].activity is Activity.ACTIVE]
        numbers = [arguments[n] for n in told]
        if told and not any(context.activity.is_active(n) or not n.type.is_float_like for n in numbers):
            found.add(told[0])
    return found
