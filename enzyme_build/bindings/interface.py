"""The interface of an exported function: arguments by role, element type and shape.

Roles: an argument is passed by value or as a pointer; it is read, written, or both (`Intent`); and it is constant,
duplicated (a shadow goes with it), or active by value. A *length* is an integer argument which the shape of an array
gives, a *stride* one which its layout gives; a name in a shape that is no argument only has to be the same wherever it
stands. Complex numbers by value go by address, through a function of ours (`ByAddress`): calling conventions pass their
parts in many ways.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .dimension import Affine, Dimension, Name, Number, affine, names
from .dtypes import Kind
from .native import NativeFunction, NativeParameter, Passing
from .signature import Declared, Intent, Order, Signature

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from .dtypes import DType

_PIECE: Final = regex(r"[._]coerce\d*$")
"""End of the names that clang gives to pieces of a struct."""
_STRUCT: Final = "write a function that takes its members, as numbers or as an array"


class Activity(Enum):
    """How an argument takes part in the derivative; the value is the marker's name after `enzyme_`."""

    CONST = "const"
    DUP = "dup"
    DUPNONEED = "dupnoneed"
    OUT = "out"


@dataclass(frozen=True)
class Argument:
    """One argument of an exported function."""

    name: str
    ir_type: str
    dtype: DType | None
    """None: a pointer to something the bindings need not know."""
    passing: Passing = Passing.VALUE
    shape: tuple[Dimension, ...] | None = None
    """Of a pointer; empty: one element; None: not known, as for pointers of a plain `gradient`."""
    intent: Intent = Intent.IN
    activity: Activity = Activity.CONST
    read_only: bool = True
    """Is the memory known never to be written by the primal?"""
    ir_attributes: str = ""
    order: Order = Order.C
    strides: tuple[str | None, ...] = ()
    """For each axis the argument that is its stride; empty: all axes are dense."""
    pieces: tuple[str, ...] = ()
    """Of a complex number that the compiled function takes by value: the IR's types of its parts."""
    is_result: bool = False
    """Is it what the compiled function returns, a complex number?"""

    @property
    def is_pointer(self) -> bool:
        return self.passing is Passing.POINTER

    @property
    def is_array(self) -> bool:
        """Is it an array in Python?"""
        return self.is_pointer and self.shape != ()

    @property
    def is_active(self) -> bool:
        return self.activity is not Activity.CONST

    @property
    def shape_text(self) -> str:
        inner = ", ".join(map(str, self.shape or ()))
        return f"({inner},)" if len(self.shape or ()) == 1 else f"({inner})"

    @property
    def inner_first(self) -> tuple[int, ...]:
        """The axes, the fastest first."""
        axes = range(len(self.shape or ()))
        return tuple(axes if self.order is Order.F else reversed(axes))

    @property
    def element(self) -> DType:
        if self.dtype is None:
            raise ConfigError(
                f"the element type of argument '{self.name}' is not known",
                hint=f"compile its source with -g, or write the type: '{self.name}[…]: float64'; "
                f"for a struct, {_STRUCT}",
            )
        return self.dtype


@dataclass(frozen=True)
class LengthSource:
    """Which array gives a length: dimension `axis` of `argument` is `rule.scale * length + rule.offset`."""

    argument: str
    axis: int
    rule: Affine


@dataclass(frozen=True)
class ByAddress:
    """The compiled function behind one of ours that takes and gives complex numbers by address."""

    symbol: str
    result_type: str
    result_attributes: str


@dataclass(frozen=True)
class Interface:
    """An exported function: how to call it and what can be differentiated."""

    name: str
    symbol: str
    arguments: tuple[Argument, ...]
    result: DType | None = None
    result_attributes: str = ""
    wrt: tuple[str, ...] = ()
    attribute_text: str = ""
    is_fortran: bool = False
    by_address: ByAddress | None = None

    @property
    def has_active_result(self) -> bool:
        return self.result is not None and self.result.is_float

    @property
    def symbols(self) -> tuple[str, ...]:
        """Of the function that is differentiated, and of the compiled one if that is another."""
        return (self.symbol, self.by_address.symbol) if self.by_address else (self.symbol,)

    @property
    def written(self) -> tuple[Argument, ...]:
        """Arguments whose memory is a result."""
        return tuple(a for a in self.arguments if a.intent is not Intent.IN)

    @property
    def active_written(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.written if a.is_active)

    def argument(self, name: str) -> Argument:
        return next(a for a in self.arguments if a.name == name)

    @property
    def wrt_arguments(self) -> tuple[Argument, ...]:
        return tuple(self.argument(name) for name in self.wrt)

    @property
    def lengths(self) -> dict[str, LengthSource]:
        """Names that an input array gives, in the order in which they are found."""
        found: dict[str, LengthSource] = {}
        for argument in sorted(self.arguments, key=lambda a: a.intent is Intent.OUT):
            for axis, dimension in enumerate(argument.shape or ()):
                rule = affine(dimension)
                # An output of ours to allocate cannot say its own length.
                if rule and rule.name not in found and argument.intent is not Intent.OUT:
                    found[rule.name] = LengthSource(argument.name, axis, rule)
        return found

    @property
    def strides(self) -> dict[str, list[tuple[Argument, int]]]:
        """Arguments that the layout of arrays gives, with the axes whose strides they are."""
        found: dict[str, list[tuple[Argument, int]]] = {}
        for argument in self.arguments:
            for axis, name in enumerate(argument.strides):
                if name is not None:
                    found.setdefault(name, []).append((argument, axis))
        return found

    @property
    def given_by_arrays(self) -> frozenset[str]:
        """Arguments that nobody has to give: lengths and strides."""
        return frozenset(self.lengths) | frozenset(self.strides)

    @property
    def free_names(self) -> tuple[str, ...]:
        """Names in shapes that are no arguments."""
        own = {a.name for a in self.arguments}
        every = (name for a in self.arguments for d in a.shape or () for name in names(d))
        return tuple(dict.fromkeys(name for name in every if name not in own))


def make_interface(
    signature: Signature, native: NativeFunction, *, wrt: Sequence[str] = (), name: str | None = None
) -> Interface:
    """Join what the user declares with what the compiled function says; differences are errors."""
    arguments = tuple(_joined(signature, native))
    _check_lengths(signature, arguments)
    _check_strides(signature, arguments)
    active = _active_names(signature, arguments, wrt)
    constant = {d.name for d in signature.arguments or () if d.constant}
    if signature.result is not None and native.result is not None and signature.result != native.result:
        raise ConfigError(f"'{signature.name}' returns {native.result}, but the signature says {signature.result}")
    result = native.result
    by_address = None
    if any(a.pieces for a in arguments) or (result is not None and result.is_complex):
        by_address = ByAddress(native.symbol, native.result_type, native.result_attributes)
    if result is not None and result.is_complex:
        arguments, result = (_result_by_address(result, arguments), *arguments), None
    return Interface(
        name=name or signature.base_name,
        symbol=f"enzyme_build_{native.symbol}_by_address" if by_address else native.symbol,
        arguments=tuple(replace(a, activity=_activity(a, active, constant)) for a in arguments),
        result=result,
        result_attributes=native.result_attributes if result else "",
        wrt=active,
        attribute_text=native.attribute_text,
        is_fortran=native.is_fortran,
        by_address=by_address,
    )


def _result_by_address(result: DType, arguments: Sequence[Argument]) -> Argument:
    """A result as an argument, which is written to."""
    taken = {a.name for a in arguments} | {name for a in arguments for d in a.shape or () for name in names(d)}
    own = next(name for name in ("value", *(f"value{n}" for n in range(1, len(taken) + 2))) if name not in taken)
    return Argument(own, "ptr", result, Passing.POINTER, (), Intent.OUT, read_only=False, is_result=True)


def with_activities(interface: Interface, activities: Mapping[str, Activity]) -> Interface:
    """The interface with the activities that the user names (`--arg x:dup`) instead of the inferred ones."""
    known = [a.name for a in interface.arguments]
    for name, activity in activities.items():
        if name not in known:
            raise _unknown_argument(name, known, interface.name)
        argument = interface.argument(name)
        if activity is Activity.OUT and argument.is_pointer:
            raise ConfigError(f"argument '{name}' of '{interface.name}' is a pointer: 'out' is for scalars, use 'dup'")
    arguments = tuple(replace(a, activity=activities.get(a.name, a.activity)) for a in interface.arguments)
    wrt = tuple(a.name for a in arguments if a.is_active and a.intent is not Intent.OUT)
    return replace(interface, arguments=arguments, wrt=wrt)


def _joined(signature: Signature, native: NativeFunction) -> Iterator[Argument]:
    declared = signature.arguments
    if declared is None:
        for index, parameter in enumerate(native.parameters):
            yield _argument(Declared(parameter.name or f"arg{index}"), parameter, signature, shaped=False)
        return
    if len(declared) != len(native.parameters):
        known = ", ".join(p.name or f"(unnamed {p.ir_type})" for p in native.parameters)
        in_pieces = any(_PIECE.search(p.name or "") for p in native.parameters)
        raise ConfigError(
            f"the signature of '{signature.name}' has {len(declared)} arguments, the function has "
            f"{len(native.parameters)}: {known or 'none'}",
            hint="a struct that is passed by value arrives in pieces: " + _STRUCT if in_pieces else None,
        )
    for one, parameter in zip(declared, native.parameters, strict=True):
        yield _argument(one, parameter, signature, shaped=True)


def _argument(declared: Declared, native: NativeParameter, signature: Signature, *, shaped: bool) -> Argument:
    where = f"argument '{declared.name}' of '{signature.name}'"
    if native.is_scalar and declared.shape:
        raise ConfigError(f"{where} is one number in the source, but the signature makes it an array")
    if native.is_scalar:
        declared = replace(declared, shape=())
    if native.passing is Passing.POINTER and shaped and declared.shape is None:
        raise ConfigError(
            f"{where} is a pointer, but the signature gives it no shape",
            hint=f"write '{declared.name}[n]' for n elements, '{declared.name}[]' for one",
        )
    if native.passing is Passing.VALUE and declared.shape is not None:
        raise ConfigError(f"{where} is passed by value ({native.ir_type}), but the signature gives it a shape")
    if native.passing is Passing.VALUE and declared.intent and declared.intent is not Intent.IN:
        raise ConfigError(f"{where} is passed by value: it cannot be '{declared.intent.value}'")
    if declared.dtype and native.dtype and declared.dtype not in _views(native):
        raise ConfigError(f"{where} is {native.dtype} in the source, but the signature says {declared.dtype}")
    if native.constant and declared.intent in {Intent.OUT, Intent.INOUT}:
        raise ConfigError(f"{where} is declared '{declared.intent.value}', but the function never writes to it")
    if native.only_written and shaped and declared.intent in {None, Intent.IN}:
        raise ConfigError(
            f"{where} is only written to, but the signature makes it an input",
            hint=f"mark it as a result: 'out {declared.name}[…]'",
        )
    default = Order.F if native.extents is not None else Order.C
    order = declared.order or default
    # With a stride, the source has the dimensions of what the array is a part of.
    if declared.shape and native.extents is not None and not declared.strides:
        _check_extents(where, declared, _named(native.extents, signature), order, signature)
    argument = Argument(
        name=declared.name,
        ir_type="ptr" if native.pieces else native.ir_type,
        dtype=declared.dtype or native.dtype,
        passing=Passing.POINTER if native.pieces else native.passing,
        shape=() if native.pieces else declared.shape,
        intent=declared.intent or Intent.IN,
        read_only=native.constant or bool(native.pieces),
        ir_attributes=native.attributes,
        order=order,
        strides=declared.strides,
        pieces=native.pieces,
    )
    if shaped:
        _ = argument.element
    return argument


def _views(native: NativeParameter) -> tuple[DType, ...]:
    """What a parameter can be taken for: complex numbers in memory for what they consist of, too."""
    if native.dtype is None:
        return ()
    return (native.dtype, native.dtype.part) if native.passing is Passing.POINTER else (native.dtype,)


def _named(extents: Sequence[int | str | None], signature: Signature) -> list[int | str | None]:
    """Dimensions with the names of arguments that the signature gives them."""
    names_ = [argument.name for argument in signature.arguments or ()]
    return [names_[int(extent[1:])] if isinstance(extent, str) else extent for extent in extents]


def _check_extents(
    where: str, declared: Declared, extents: Sequence[int | str | None], order: Order, signature: Signature
) -> None:
    """Compare dimensions that are numbers or arguments with those of the source (Fortran). Fewer or more are another
    view of it."""
    shape = declared.shape or ()
    arguments = {argument.name for argument in signature.arguments or ()}
    in_source = list(extents if order is Order.F else reversed(extents))
    text = ", ".join(":" if extent is None else str(extent) for extent in extents)
    turned = len(shape) == len(in_source) and any(
        _contradicts(dimension, extent, arguments) for dimension, extent in zip(shape, in_source, strict=True)
    )
    if turned:
        told = ", ".join(map(str, shape))
        raise ConfigError(
            f"{where} has the dimensions ({text}) in the source, but the signature says [{told}]",
            hint="write them as the source does; 'C' before the name turns them round, for arrays in C order",
        )


def _contradicts(dimension: Dimension, extent: int | str | None, arguments: Collection[str]) -> bool:
    match dimension, extent:
        case Number(value), int():
            return value != extent
        case Name(name), str():
            return name in arguments and name != extent
    return False


def _check_lengths(signature: Signature, arguments: Sequence[Argument]) -> None:
    by_name = {a.name: a for a in arguments}
    for argument in arguments:
        for dimension in argument.shape or ():
            for name in names(dimension):
                length = by_name.get(name)
                if length is not None and (length.is_array or length.element.is_inexact):
                    raise ConfigError(
                        f"'{argument.name}[{dimension}]' in the signature of '{signature.name}': "
                        f"'{name}' is not an integer argument"
                    )
    probe = Interface(signature.base_name, "", tuple(arguments))
    for name in probe.free_names:
        if name not in probe.lengths:
            raise ConfigError(
                f"in the signature of '{signature.name}', '{name}' is neither an argument nor given by an input array",
                hint=f"an array of shape [{name}] gives it, or an integer argument of that name",
            )


def _check_strides(signature: Signature, arguments: Sequence[Argument]) -> None:
    by_name = {a.name: a for a in arguments}
    lengths = {name for a in arguments for d in a.shape or () for name in names(d)}
    for argument in arguments:
        for name in filter(None, argument.strides):
            where = f"'stride {name}' of '{argument.name}' in the signature of '{signature.name}'"
            stride = by_name.get(name)
            if stride is None:
                raise _unknown_argument(name, list(by_name), signature.name)
            if stride.is_array or stride.element.is_inexact or stride.element.kind is Kind.BOOL:
                raise ConfigError(f"{where}: '{name}' is not an integer argument")
            if name in lengths:
                raise ConfigError(
                    f"{where}: '{name}' is a length as well",
                    hint="give the array its allocated shape, without a stride",
                )


def _active_names(signature: Signature, arguments: Sequence[Argument], wrt: Sequence[str]) -> tuple[str, ...]:
    candidates = [a for a in arguments if a.intent is not Intent.OUT and _differentiable(a)]
    constant = {d.name for d in signature.arguments or () if d.constant}
    possible = [a.name for a in candidates if a.name not in constant]
    if not wrt:
        return tuple(possible)
    for name in wrt:
        if name not in (a.name for a in arguments):
            raise _unknown_argument(name, [a.name for a in arguments], signature.name)
        if name not in possible:
            raise ConfigError(
                f"'{signature.name}' cannot be differentiated with respect to '{name}'",
                hint=f"only inputs of floating point that are not declared const: {', '.join(possible) or 'none'}",
            )
    if len(set(wrt)) != len(wrt):
        raise ConfigError(f"an argument stands twice in wrt of '{signature.name}': {', '.join(wrt)}")
    return tuple(wrt)


def _differentiable(argument: Argument) -> bool:
    return argument.is_pointer if argument.dtype is None else argument.dtype.is_inexact


def _activity(argument: Argument, active: Collection[str], constant: Collection[str]) -> Activity:
    if not _differentiable(argument) or argument.name in constant:
        return Activity.CONST
    if argument.name not in active and argument.intent is Intent.IN:
        return Activity.CONST
    # Written memory carries derivatives through the function even when nobody asks for its own.
    return Activity.DUP if argument.is_pointer else Activity.OUT


def _unknown_argument(name: str, known: Sequence[str], function: str) -> ConfigError:
    close = difflib.get_close_matches(name, known, n=1)
    return ConfigError(
        f"'{function}' has no argument '{name}'",
        hint=f"did you mean '{close[0]}'?" if close else f"it has {', '.join(known) or 'none'}",
    )
