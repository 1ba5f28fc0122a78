"""What to do with a call: which rule applies, and what its derivative takes.

In order: dropped remarks for the compiler, known functions by their tables, functions that carry no derivative,
functions with a body, otherwise an error with the remedies.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import annotations_of, is_inactive_place, place_of_mark
from enzyme_build.analysis.exported import PREFIX
from enzyme_build.analysis.formats import constant_text
from enzyme_build.analysis.kept_bits import kept_parts
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.known import CallEffects, call_effects, hinted
from enzyme_build.analysis.number_places import Sure
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.origins import is_unfollowed
from enzyme_build.analysis.stored_numbers import stores_numbers
from enzyme_build.analysis.strings import is_of_text
from enzyme_build.errors import MissingRuleError, UnsupportedError, driver_for
from enzyme_build.ir.debug import location_chain
from enzyme_build.ir.function import Function
from enzyme_build.ir.instructions import CallBase, Freeze, GetElementPtr, Load, Phi, Select, Store
from enzyme_build.ir.types import PointerType
from enzyme_build.ir.values import Argument, Constant, InlineAssembly
from enzyme_build.rules.inactive import SETJMP
from enzyme_build.rules.inactive_rows import Comparison, Inactive, Why
from enzyme_build.rules.libraries import library_of
from enzyme_build.rules.memory import Allocation, Deallocation, Transfer
from enzyme_build.rules.mirrored import Mirrored
from enzyme_build.rules.registry import MultipleFunction, ScalarFunction

from .casts import is_cast, known_distances
from .lost_addresses import unfollowed_address
from .memory_checks import kept_in_string
from .other_types import is_of_other_type, lacks_arguments, of_other_type
from .overwritten import scanned_items
from .own_buffers import check_stream

if TYPE_CHECKING:
    from enzyme_build.analysis.regions import Region
    from enzyme_build.errors import SourceLocation
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.values import Value

    from .context import Context

OURS = "enzyme_build."
_DROPPED = (
    "llvm.lifetime.",
    "llvm.assume",
    "llvm.experimental.noalias.scope.decl",
    "llvm.dbg.",
    "llvm.invariant.",
    "llvm.stacksave",
    "llvm.stackrestore",
    "llvm.sideeffect",
    "llvm.prefetch",
    "llvm.donothing",
)


class CallKind(Enum):
    DROPPED = "dropped"
    MATH = "math"
    MULTIPLE = "multiple"
    TRANSFER = "transfer"
    ALLOCATION = "allocation"
    DEALLOCATION = "deallocation"
    MIRRORED = "mirrored"
    PLAIN = "plain"
    """No derivative takes part: the call is made as it is, once."""
    DERIVE = "derive"
    JOINT = "joint"
    """Called as it is in the forward sweep; the reverse sweep calls the whole derivative."""


def classify(context: Context, call: CallBase) -> tuple[CallKind, CallEffects | None]:
    """Which kind of call this is; raises MissingRuleError where nothing is known and active data takes part."""
    callee = call.callee
    if isinstance(callee, Function) and (callee.name.startswith(_DROPPED) or hinted(callee) is not None):
        return CallKind.DROPPED, None
    if is_inactive_place(call) and call.type.text == "void":
        raise UnsupportedError(
            f"enzyme_inactive is on a parameter or local variable of '{context.function.name}', where it is not "
            "supported",
            location=place_of_mark(call),
            hint="put it on a function that returns the value, or on a global variable or member",
            code="E0336",
        )
    lost = context.activity.inactive_places.lost
    if lost is not None and is_inactive_place(call) and context.activity.memory_active(call.arguments[0]):
        raise UnsupportedError(
            "the address of a member with enzyme_inactive is kept, returned, or chosen among others, and what is read "
            "there would have a derivative",
            location=context.location(lost) or place_of_mark(call),
            hint="read the member itself, or copy it before",
            code="E0346",
        )
    has_body = isinstance(callee, Function) and context.module.is_defined(callee.name)
    if (
        isinstance(callee, Function)
        and callee.name not in SETJMP
        and "returns_twice" in context.module.attributes_of(callee)
    ):
        raise UnsupportedError(
            f"cannot differentiate '{context.function.name}': '{callee.name}' may return more than once",
            location=context.location(call),
            hint="call it outside of what is differentiated",
            code="E0121",
        )
    if is_cast(call) and not known_distances(context.module, call):
        _refuse_cast(context, call)
    rule = annotations_of(context.module).rules.get(callee.name) if isinstance(callee, Function) else None
    if rule is not None:
        derive = takes_part(context, call) or _touches(context, call)
        derive = derive or (isinstance(rule.exported, UnsupportedError) and _depends(context, call))
        if derive and lacks_arguments(call):
            raise of_other_type(context.module, call)
        return CallKind.DERIVE if derive else CallKind.PLAIN, None
    effects = call_effects(context.module, call)
    if effects is not None and (not has_body or effects.overrides_body):
        if has_body and effects.inactive:
            _refuse_changed_numbers(context, call)
        return _known(context, call, effects), effects
    if has_body:
        derive = takes_part(context, call)
        if derive and is_of_other_type(context.module, call):
            raise of_other_type(context.module, call)
        return (CallKind.DERIVE if derive else CallKind.PLAIN), None
    if takes_part(context, call):
        raise missing_rule(context, call)
    if call.block in context.facts.returning.index:
        _refuse_hidden_state(context, call)
    return CallKind.PLAIN, None


def _known(context: Context, call: CallBase, effects: CallEffects) -> CallKind:
    if isinstance(effects.known, Inactive) and effects.known.why is Why.IO:
        check_stream(context, call)
    match effects.known:
        case ScalarFunction():
            return CallKind.MATH
        case MultipleFunction():
            return CallKind.MULTIPLE if takes_part(context, call) else CallKind.PLAIN
        case Transfer():
            return CallKind.TRANSFER
        case Allocation():
            return CallKind.ALLOCATION
        case Deallocation():
            return CallKind.DEALLOCATION
        case Mirrored():
            return CallKind.MIRRORED if takes_part(context, call) else CallKind.PLAIN
        case Inactive() if context.activity.is_active(call) and call not in context.activity.watched:
            raise unsupported_number(context.location(call), call)
        case Inactive(grows=int(at)) if call.arguments and context.activity.has_shadow(call.arguments[at]):
            assert isinstance(call.callee, Function)
            raise UnsupportedError(
                f"cannot differentiate '{context.function.name}': '{call.callee.name}' makes text in memory that has a "
                "shadow, which would not follow where it grows",
                location=context.location(call),
                hint="make the text with format!, or keep it in a variable, not in a struct with active numbers",
                code="E0100",
            )
        case Inactive(strings=True) if any(_is_part(context, a) for a in kept_parts(context.memory, call)):
            raise kept_in_string(context.location(call))
        case Inactive(compares=Comparison() as comparison) if _changes_active(context, call, comparison):
            raise _changed_by_comparison(context, call)
        case Inactive(fresh=False) if effects.returns_argument is None and _finds_numbers(context, call):
            raise _found_in_memory(context, call)
        case Inactive(scans=int()):
            _require_constant_format(context, call, effects)
            return CallKind.PLAIN
        case _:
            return CallKind.PLAIN


def _finds_numbers(context: Context, call: CallBase) -> bool:
    """Does a library function (`memchr`) return a pointer by which numbers with derivatives are read, and may it have
    found it in such memory?"""
    active = context.activity
    if not isinstance(call.type, PointerType) or not active.memory_active(call):
        return False
    if not any(map(active.memory_active, call.arguments)):
        return False
    seen: dict[Value, None] = {call: None}
    pending: list[Value] = [call]
    while pending:
        for user in context.facts.users.get(pending.pop(), ()):
            if isinstance(user, Load) and active.is_active(user):
                return True
            if isinstance(user, GetElementPtr | Phi | Select | Freeze) and user not in seen:
                seen[user] = None
                pending.append(user)
    return False


def _found_in_memory(context: Context, call: CallBase) -> UnsupportedError:
    assert isinstance(call.callee, Function)
    name = call.callee.name
    return UnsupportedError(
        f"'{name}' may return a pointer into memory with derivatives, by which numbers are read: nothing says where "
        "its shadow leads",
        location=context.location(call),
        hint=f"compute the pointer from the one that '{name}' is given, and the distance between them",
        code="E0204",
    )


def _changes_active(context: Context, call: CallBase, comparison: Comparison) -> bool:
    """May a function that compares change memory with derivatives? Integers in it may change, as counts of its calls,
    but not in the elements, where those are moved behind its back."""
    effects = context.memory.effects[call]
    touched = {place.resolved().region for place in (*effects.writes, *effects.frees)}
    elements = context.memory.place(call.arguments[comparison.given[0]])
    if comparison.copied and elements is not None and elements.resolved().region in touched:
        return True
    return any(
        region in context.activity.shadowed and any(c.kind is not Kind.INTEGER for c in region.contents())
        for region in touched
    )


def _changed_by_comparison(context: Context, call: CallBase) -> UnsupportedError:
    library = getattr(call.callee, "name", "").removeprefix(OURS).partition("_")[2]
    return UnsupportedError(
        f"cannot differentiate '{context.function.name}': the function that compares for '{library}' may change active "
        "data",
        location=context.location(call),
        hint="let the function compare only, or sort with a loop",
        code="E0103",
    )


def _is_part(context: Context, value: Value) -> bool:
    """May this integer be part of a number that depends on active arguments, and become a number again?"""
    is_part = value in context.activity.varied and context.activity.bit_flow.sure(value) is not Sure.NO
    return is_part and not is_of_text(value)


def unsupported_number(location: object, i: Instruction) -> UnsupportedError:
    """The refusal of integer tricks on the bits of a float."""
    name = getattr(i, "op", None) or getattr(getattr(i, "callee", None), "name", type(i).__name__.lower())
    return UnsupportedError(
        f"cannot differentiate '{name}' on the bits of a floating-point number",
        location=location,  # type: ignore[arg-type]
        hint="write it with floating-point operations (fabs, copysign, frexp, ldexp …)",
        code="E0111",
    )


def _require_constant_format(context: Context, call: CallBase, effects: CallEffects) -> None:
    """What `scanf` overwrites must be known where derivatives may end there."""
    assert isinstance(effects.known, Inactive)
    active = any(context.activity.memory_active(call.arguments[at]) for at in effects.writes)
    if active and scanned_items(context.module, call, effects.known) is None:
        assert isinstance(call.callee, Function)
        assert effects.known.scans is not None
        constant = constant_text(context.module, call.arguments[effects.known.scans]) is not None
        found = "has what the C standard does not" if constant else "is not constant"
        raise UnsupportedError(
            f"cannot differentiate '{context.function.name}': '{call.callee.name}' reads numbers into memory that "
            f"carries derivatives, by a format that {found}",
            location=context.location(call),
            hint="write the format as a string constant of the conversions of C, or read into other memory and assign "
            "the numbers",
            code="E0170",
        )


def takes_part(context: Context, call: CallBase) -> bool:
    """Does active data go into or come out of the call?"""
    activity = context.activity
    if activity.is_active(call) or pointer_shadow(context, call):
        return True
    effects = context.memory.effects.get(call)
    if effects is not None:
        touched = [place.resolved().region for place in (*effects.writes, *effects.frees)]
        if any(region in activity.shadowed for region in touched):
            return True
        if any(activity.is_active(a) for a in call.arguments) and any(r.external for r in touched):
            return True
    return False


def _touches(context: Context, call: CallBase) -> bool:
    """Does the call get active numbers or pointers with shadows? A rule may do more than the body shows."""
    return any(context.activity.is_active(a) or pointer_shadow(context, a) for a in call.arguments)


def _depends(context: Context, call: CallBase) -> bool:
    """Does what the call gets depend on active arguments? It may go to the function's own variables, and from there to
    results that nobody sees depend on it."""
    activity = context.activity
    reads = (place.resolved().region for place in context.memory.effects[call].reads)
    return not (activity.varied.isdisjoint(call.arguments) and activity.varied_regions.isdisjoint(reads))


def _refuse_hidden_state(context: Context, call: CallBase) -> None:
    """An unknown function may keep what it gets, and give it back when nobody looks."""
    name = getattr(call.callee, "name", None)
    library = library_of(name) if name else None
    if library is not None and library.stateless:
        return
    if _depends(context, call):
        raise missing_rule(context, call)


def pointer_shadow(context: Context, value: Value) -> bool:
    if isinstance(value, Constant) or value.type.text == "void":
        return False
    return any(
        isinstance(leaf, PointerType) and context.activity.has_shadow(value, path)
        for path, leaf, _ in scalar_leaves(context.layout, value.type)
    )


def _refuse_cast(context: Context, call: CallBase) -> None:
    if context.activity.has_shadow(call.arguments[0]):
        raise UnsupportedError(
            f"cannot differentiate '{context.function.name}': where this dynamic_cast leads is only known at run time",
            location=context.location(call),
            hint="link the source of a class that has both parts, or use a virtual function",
            code="E0145",
        )


def lost_derivative(context: Context, i: Instruction) -> UnsupportedError:
    """The error for active values that go through memory without a shadow."""
    regions = _lost_regions(context, i)
    origins = {origin for region in regions for origin in region.origins}
    if isinstance(i, Load | Store) and any(map(is_unfollowed, origins)):
        return unfollowed_address(context.location(i))
    makers = [origin for origin in origins if isinstance(origin, CallBase)]
    if makers and not any(isinstance(origin, Argument) for origin in origins):
        called = {maker.callee.name for maker in makers if isinstance(maker.callee, Function)}
        names = sorted(name for name in called if not name.startswith(OURS))  # no remarks of ours
        maker = f"'{names[0]}'" if names else "a library function" if called else "a call through a pointer"
        return UnsupportedError(
            f"active values are stored in memory that comes from {maker}, and read from it again: nothing is known of "
            "it, nor whether it has a shadow",
            location=context.location(i),
            hint=f"compile the source of {maker if names else 'what is called'} with enzyme-cc too, or use memory that "
            "the program allocates itself",
            code="E0204",
        )
    return UnsupportedError(
        "active values are stored in memory that is constant, and read from it again: derivatives would get lost",
        location=context.location(i),
        hint="pass the memory with a shadow (enzyme_dup), or where the program allocates it, reach it by pointers only",
        code="E0204",
    )


def _lost_regions(context: Context, i: Instruction) -> list[Region]:
    """The memory that an instruction touches and whose derivatives would get lost."""
    if isinstance(i, Load | Store):
        place = context.memory.place(i.pointer)
        return [] if place is None else [place.region]
    touched = touched_memory(context, i) if isinstance(i, CallBase) else ()
    return [region for region in touched if region in context.activity.lost]


def _refuse_changed_numbers(context: Context, call: CallBase) -> None:
    """A function that is said to be inactive must leave numbers with derivatives as they are: new ones have none, or
    others than those before, and nobody says how many it changes."""
    assert isinstance(call.callee, Function)
    copy = context.memory.handed.get(call)
    ours = call.callee.name.startswith(OURS)
    if ours or copy is None or stores_numbers(copy).isdisjoint(context.activity.regions):
        return
    raise UnsupportedError(
        f"'{call.callee.name}' is said to be inactive, and changes numbers with derivatives",
        location=context.location(call),
        hint="differentiate it (take the mark away: numbers that it makes of constants have no derivative anyway), or "
        "register a derivative that clears the shadow of what it changes",
        code="E0348",
    )


def touched_memory(context: Context, call: CallBase) -> list[Region]:
    """The memory that a call reads or writes. What it only reads may be what a library found in other memory."""
    effects = context.memory.effects.get(call)
    return [place.resolved().region for place in (*effects.writes, *effects.reads)] if effects is not None else []


def missing_rule(context: Context, call: CallBase) -> MissingRuleError:
    """The error for a call on active data that nothing is known about."""
    callee = call.callee
    caller = context.function.name
    location = context.location(call)
    if isinstance(callee, InlineAssembly):
        return MissingRuleError(
            f"cannot differentiate '{caller}': inline assembly works on active data",
            location=location,
            hint="write it in C, or keep active data out of it",
            code="E0101",
        )
    if not isinstance(callee, Function):
        return MissingRuleError(
            f"cannot differentiate '{caller}': call through a pointer to an unknown function on active data",
            location=location,
            hint="link the source of the functions it may reach too, or call the function by its name",
            code="E0102",
        )
    if callee.name.startswith(f"{PREFIX}."):
        return MissingRuleError(
            f"cannot differentiate '{caller}': derivatives that were exported have no derivatives of their own",
            location=location,
            hint="link the code of the function compiled with enzyme-cc",
            code="E0352",
        )
    library = library_of(callee.name)
    if library is not None:
        return MissingRuleError(
            f"cannot differentiate '{caller}': '{callee.name}' works on active data, and there are no derivative rules "
            f"for {library.name}",
            location=_start_of_region(context, call, location),
            hint=library.hint,
            code="E0103",
        )
    return MissingRuleError(
        f"cannot differentiate '{caller}': no derivative rule and no body for '{callee.name}'",
        location=location,
        hint=f"compile the source of '{callee.name}' with {driver_for(callee.name)} too, or say that it is inactive "
        "(__enzyme_inactivefn) if no result depends on what it gets",
        code="E0100",
    )


def _start_of_region(context: Context, call: CallBase, location: SourceLocation | None) -> SourceLocation | None:
    """Where an OpenMP region begins: flang gives the call that runs it the place of the statement before."""
    regions = [a for a in call.arguments if isinstance(a, Function) and a.name.endswith("..omp_par")]
    if location is None or not regions:
        return location
    chains = (location_chain(context.module, i) for i in context.module.function(regions[0].name).instructions())
    inside = [chain[0] for chain in chains if len(chain) == 1 and chain[0].line > location.line]
    return min(inside, key=lambda place: (place.line, place.column), default=location)
