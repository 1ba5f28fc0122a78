"""Bits of numbers that are taken as counts, and counts that are taken as bits of numbers.

Such integers grow with the number (see `analysis.mantissas`), and the derivative of a conversion to or from an integer
does not follow them. They are refused where the code shows that they are those of a number: by the value, by the
access, or by all accesses to the memory. A member of a union may be either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.accessed import content_behind
from enzyme_build.analysis.bit_sources import gives_rounded
from enzyme_build.analysis.bits import width
from enzyme_build.analysis.copied import ANY_TYPE, access_kind, access_name
from enzyme_build.analysis.counted_memory import gives_bits, is_bare
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.mantissas import fraction_grows, fraction_grows_with_a_number, has_slope
from enzyme_build.analysis.roundings import NUMBERS, is_count, is_scaled, rounded_number
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.values import Constant

if TYPE_CHECKING:
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

    from .context import Context


_STEPS: Final = 64


def check_count(context: Context, i: ir.Cast) -> None:
    """An integer that becomes a number must not grow with a number whose bits it has."""
    if has_slope(i.operands[0], lambda value: _number(context, value)):
        raise _counted_bits(context, i)


def check_bits(context: Context, i: ir.Cast) -> None:
    """The bits of a number must not be an integer that grows with another number, but as a derivative follows it."""
    activity, bits = context.activity, i.operands[0]
    if i.op != "bitcast" or bits not in activity.counted:
        return
    if (
        i not in activity.varied
        and not isinstance(bits, ir.Load)
        and fraction_grows_with_a_number(bits, i.type, lambda value: _number(context, value))
    ):
        raise _changed_bits(context, i)

    def rounded(value: Value) -> bool:
        number = rounded_number(value)
        return (
            value in activity.rounded.words
            or gives_rounded(context.memory, value, activity.all_varied)
            or (number is not None and (number in activity.varied or _counts_bits(context, number)))
        )

    if fraction_grows(bits, i.type, rounded) and not (_is_small(bits) and _is_only_stored(context, i)):
        raise _rounded_bits(context, i)


def _counts_bits(context: Context, number: Value) -> bool:
    """Is it computed from the bits of a number with a derivative, taken as a count? Of such it has none itself."""
    pending, seen = [number], {number}
    while pending and len(seen) < _STEPS:
        at = pending.pop()
        if is_count(at):
            if has_slope(at.operands[0], lambda value: _number(context, value)):
                return True
        elif isinstance(at, (ir.Binary, ir.Cast, ir.CallBase, ir.Negate, *ir.MERGES)):
            more = [operand for operand in at.operands if operand not in seen and not isinstance(operand, Constant)]
            seen.update(more)
            pending += more
    return False


def _is_small(bits: Value) -> bool:
    """Is this a rounded number as it is, with nothing that would move it to where a number has its exponent?"""
    while isinstance(bits, (ir.Cast, ir.Freeze)) and rounded_number(bits) is None:
        bits = bits.operands[0]
    number = rounded_number(bits)
    return number is not None and is_scaled(number, width(bits)) is False


def _is_only_stored(context: Context, number: Value) -> bool:
    """Is this stored where others store a number, as by a union that has one or the other (LLVM merges such stores)?"""
    merged, pending = {number}, [number]
    while pending:
        value = pending.pop()
        for user in context.facts.users.get(value, ()):
            if isinstance(user, ir.MERGES) and user not in merged:
                merged.add(user)
                pending.append(user)
            elif user not in merged and not (isinstance(user, ir.Store) and user.value is value):
                return False
    return len(merged) > 1


def check_memory(context: Context, i: ir.Instruction) -> None:
    """The same of what is stored as one and read as the other, here or in callees."""
    if i in context.activity.rounded.numbers:
        raise _rounded_bits(context, i)
    if i in context.activity.taken_as_counts:
        raise _counted_bits(context, i)


def _counted_bits(context: Context, i: ir.Instruction) -> UnsupportedError:
    return _refused(context, i, "the bits of a floating-point number taken as a count", "log2, frexp")


def _changed_bits(context: Context, i: ir.Instruction) -> UnsupportedError:
    return _refused(context, i, "a number whose bits are computed from those of others", "exp2, log2, frexp")


def _rounded_bits(context: Context, i: ir.Instruction) -> UnsupportedError:
    what = "a number that is rounded to an integer and taken for the bits of another one"
    return _refused(context, i, what, "exp2, ldexp")


def _refused(context: Context, i: ir.Instruction, what: str, functions: str) -> UnsupportedError:
    return UnsupportedError(
        f"cannot differentiate {what}",
        location=context.location(i),
        hint=f"write it with floating-point operations ({functions} …)",
        code="E0111",
    )


def _number(context: Context, value: Value) -> Type | None:
    """The type of the number with a derivative that an integer is for sure."""
    if value.type in NUMBERS and gives_bits(context.memory, value, context.activity.all_varied):
        return NUMBERS[value.type]
    load = _read(value)
    if load is not None and _is_untold(context, load):
        return None
    if (bare := _bare_number(context, value)) is not None:
        return bare
    if isinstance(value, ir.Cast) and value.op == "bitcast":
        return value.operands[0].type if value in context.activity.varied else None
    if load is None:
        return None
    told = _told(context, load)
    if told is not None and told[0] is Kind.FLOAT:
        return told[1] if _varies(context, load) else None
    content = content_behind(context.memory, load.pointer)
    is_number = content is not None and content.kind is Kind.FLOAT and load in context.activity.varied
    return content.float_type if content is not None and is_number else None


def _bare_number(context: Context, value: Value) -> Type | None:
    """The number that a word is which nothing says anything of but that a derivative is wanted by it."""
    bare = isinstance(value, ir.Load) and is_bare(context.memory, value) and _varies(context, value)
    return NUMBERS[value.type] if bare else None


def _read(value: Value) -> ir.Load | None:
    """Where a word is read, be it as a number."""
    if isinstance(value, ir.Cast) and value.op == "bitcast":
        value = value.operands[0]
    return value if isinstance(value, ir.Load) else None


def _told(context: Context, load: ir.Load) -> tuple[Kind, Type | None] | None:
    return access_kind(context.module, load.metadata, context.layout.store_size(load.type))


def _is_untold(context: Context, load: ir.Load) -> bool:
    """Does the language say that this may be anything, as a member of a union?"""
    return _told(context, load) is None and access_name(context.module, load.metadata) == ANY_TYPE


def _varies(context: Context, load: ir.Load) -> bool:
    """May numbers with a derivative be in the memory that is read?"""
    place = context.memory.place(load.pointer)
    region = place.resolved().region if place is not None else None
    return load in context.activity.varied or region in context.activity.varied_regions
