"""What a call does that the pass knows without looking into the callee.

`call_effects` joins the tables of `rules` (by name, for functions without body) with what the program's own
declarations say: LLVM's allocation attributes and `memory(…)`, and what its users told (see `annotations`). None
means: look into the body, or assume anything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.function import Function
from enzyme_build.ir.types import DOUBLE, FLOAT, I8, PTR, FloatType, IntType, PointerType
from enzyme_build.ir.values import ConstantInt, InlineAssembly
from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.rules.inactive import PRINTED
from enzyme_build.rules.inactive_rows import Inactive, Why
from enzyme_build.rules.libcxx import libcxx_method
from enzyme_build.rules.memory import Allocation, Deallocation, Transfer, memory_function_by_attributes
from enzyme_build.rules.mirrored import Mirrored
from enzyme_build.rules.multiple import Stored
from enzyme_build.rules.registry import Known, MultipleFunction, ScalarFunction, like, lookup

from .annotations import annotations_of
from .kinds import Kind
from .targets import table_entry

if TYPE_CHECKING:
    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

_CHEAP_INTRINSICS: Final = tuple(
    f"llvm.{name}."
    for name in "fabs fmuladd fma copysign smax smin umax umin maxnum minnum abs".split()  # noqa: SIM905
)
_COUNTS = regex(r"ctpop|ctlz|cttz|popcount|clz|ctz|ffs|[su]cmp")
_NO_WRITE = regex(r"memory\((?:none|read|argmem: (?:none|read)(?=[,)])|inaccessiblemem: \w+|errnomem: \w+|, )+\)")


@dataclass(frozen=True, slots=True)
class CallEffects:
    """Argument numbers by what the call does with them.

    `fields`: (argument, byte offset, kind, float type) of memory whose type the function fixes; `everywhere` has the
    bytes from one element to the next in place of the offset. `copies`:
    (destination, source, length) arguments. `resizes`: the argument whose memory the result continues.
    `inactive`: the call carries no derivative. `overrides_body`: holds even where the module has a body.
    """

    known: Known
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    frees: tuple[int, ...] = ()
    integers: tuple[int, ...] = ()
    integer_result: bool = False
    fields: tuple[tuple[int, int, Kind, Type | None], ...] = ()
    everywhere: tuple[tuple[int, int, Kind, Type | None], ...] = ()
    allocates: bool = False
    resizes: int | None = None
    returns_argument: int | None = None
    copies: tuple[int, int, int] | None = None
    inactive: bool = False
    no_return: bool = False
    overrides_body: bool = False


_HINTS: Final = {
    "__enzyme_float": (Kind.FLOAT, FLOAT),
    "__enzyme_double": (Kind.FLOAT, DOUBLE),
    "__enzyme_integer": (Kind.INTEGER, I8),
    "__enzyme_pointer": (Kind.POINTER, PTR),
}
_MOST_FIELDS: Final = 64
FLAG_ONLY: Final = "!enzyme.flag_only"
"""Mark of integer arithmetic of which only the flag that tells of overflow is used."""


def hinted(callee: Function) -> tuple[Kind, Type] | None:
    """What a call of `callee` says about memory, if it is no function but a remark: `__enzyme_double(p, n)`."""
    if "__enzyme_" not in callee.name or not callee.is_declaration:
        return None
    return next((known for hint, known in _HINTS.items() if hint in callee.name), None)


def _remark(call: CallBase, kind: Kind, type_: Type) -> CallEffects:
    """The bytes at the first argument, as many as the second says, hold elements of this type."""
    size = {FLOAT: 4, I8: 1}.get(type_, 8)
    length = call.arguments[1] if len(call.arguments) > 1 else None
    count = length.value // size if isinstance(length, ConstantInt) else 0
    number = type_ if kind is Kind.FLOAT else None
    known = Inactive(Why.COMPILER)
    if not 0 < count <= _MOST_FIELDS:
        return CallEffects(known, everywhere=((0, size, kind, number),), inactive=True)
    return CallEffects(known, fields=tuple((0, at * size, kind, number) for at in range(count)), inactive=True)


def is_cheap_intrinsic(call: CallBase) -> bool:
    """Is this an operation of a few cycles, which is sooner done again than its result is kept?"""
    return (getattr(call.callee, "name", None) or "").startswith(_CHEAP_INTRINSICS)


_cache: dict[tuple[str, object, int, str, str], CallEffects | None] = {}


def call_effects(module: Module, call: CallBase) -> CallEffects | None:
    """The effects of a call to a known function."""
    callee = call.callee
    if not isinstance(callee, Function):
        return _method(module, call)
    hint = hinted(callee)
    if hint is not None:
        return _remark(call, *hint)
    defined = module.is_defined(callee.name)
    if annotations_of(module).overrides(callee.name):
        return _told(module, call, callee)
    if defined and callee.name.startswith(PRINTED):
        return _without_derivative(module, call, callee, Why.TEXT)
    if defined and not callee.name.startswith(("enzyme_build.", "_Zn", "_Zd")):
        return None
    attributes = module.attributes_of(callee)
    here = call.function_attributes
    # Numbers of attribute groups mean something else in every module.
    key = (callee.name, call.function_type, len(call.arguments), attributes, "" if "#" in here else here)
    if "allockind" in attributes or key not in _cache:
        _cache[key] = _effects(call, callee, attributes)
    return _cache[key]


def _method(module: Module, call: CallBase) -> CallEffects | None:
    """The effects of a virtual call through a class of a library, which no class of the link is derived from (else it
    is a choice among those: see `differentiate.known_targets`)."""
    place = table_entry(module, call)
    known = None if place is None else libcxx_method(*place)
    return None if known is None else _with(known, call, "")


def has_rule(module: Module, function: Function) -> bool:
    """Is the derivative known without the body: was it told, or is this a function of a library?"""
    if annotations_of(module).overrides(function.name):
        return True
    if module.is_defined(function.name):
        return False
    return isinstance(lookup(function.name, function.function_type), ScalarFunction | MultipleFunction)


def _told(module: Module, call: CallBase, callee: Function) -> CallEffects | None:
    """What the user told of the callee, which its body does not change."""
    table, name = annotations_of(module), callee.name
    attributes = module.attributes_of(callee)
    known: Known | None
    if name in table.rules:
        # Its derivative is the user's; what it does to memory is as ever, unless it was to carry no derivative.
        known = None if module.is_defined(name) else lookup(name, callee.function_type)
        return _with(known, call, attributes) if isinstance(known, ScalarFunction | MultipleFunction) else None
    if name in table.inactive:
        return _without_derivative(module, call, callee, Why.TOLD)
    known = table.allocators.get(name) or table.deallocators.get(name)
    if known is None:
        known = like(table.alike[name], callee.function_type)
    effects = None if known is None else _with(known, call, attributes)
    return None if effects is None else replace(effects, overrides_body=True)


def _without_derivative(module: Module, call: CallBase, callee: Function, why: Why) -> CallEffects:
    """A call that has no derivative, whatever the callee's body does."""
    pointers = tuple(n for n, a in enumerate(call.arguments) if isinstance(a.type, PointerType))
    stops = "noreturn" in module.attributes_of(callee) or "noreturn" in call.function_attributes
    known = Inactive(why, writes_from=0, no_return=stops)
    return CallEffects(known, reads=pointers, writes=pointers, inactive=True, no_return=stops, overrides_body=True)


def _effects(call: CallBase, callee: Function, attributes: str) -> CallEffects | None:
    known = lookup(callee.name, callee.function_type)
    if known is None and "allockind" in attributes:
        known = memory_function_by_attributes(attributes, [a.attributes for a in callee.arguments], "free")
    return _with(known, call, attributes)


def _with(known: Known | None, call: CallBase, attributes: str) -> CallEffects | None:
    """The effects of a call to a function that is like `known`."""
    count = len(call.arguments)
    pointers = tuple(n for n, a in enumerate(call.arguments) if isinstance(a.type, PointerType))
    integers = tuple(n for n, a in enumerate(call.arguments) if isinstance(a.type.scalar, IntType))
    integer_result = isinstance(call.type.scalar, IntType)
    match known:
        case ScalarFunction():
            return CallEffects(known, integers=integers)
        case MultipleFunction():
            return _multiple(known, integers)
        case Allocation():
            return CallEffects(
                known,
                integers=integers,
                allocates=known.stored is None and known.reallocated is None,
                resizes=known.reallocated,
                reads=() if known.reallocated is None else (known.reallocated,),
                writes=() if known.stored is None else (known.stored,),
            )
        case Deallocation():
            return CallEffects(known, frees=(known.pointer,), integers=integers)
        case Transfer():
            return _transfer(known, integers)
        case Inactive():
            writes = tuple(n for n in pointers if known.may_write(n))
            return CallEffects(
                known,
                reads=pointers if known.reads else (),
                writes=writes,
                integers=integers,
                integer_result=integer_result,
                inactive=True,
                no_return=known.no_return,
                overrides_body=known.copied,
            )
        case Mirrored():
            # Followed links lead to the same structure, so a returned pointer is one into the first argument's memory.
            return CallEffects(
                known,
                reads=pointers,
                writes=tuple(sorted(known.writes)),
                integers=integers,
                returns_argument=pointers[0] if isinstance(call.type, PointerType) else None,
            )
        case None:
            return _by_attributes(call, attributes, pointers, integers, count)


def _multiple(known: MultipleFunction, integers: tuple[int, ...]) -> CallEffects:
    writes, fields = [], []
    for result in known.rule.results:
        if isinstance(result.place, Stored):
            writes.append(result.place.argument)
            kind, type_ = (Kind.INTEGER, None) if result.integer else (Kind.FLOAT, known.type)
            fields.append((result.place.argument, 0, kind, type_))
    return CallEffects(known, writes=tuple(writes), fields=tuple(fields), integers=integers)


def _transfer(known: Transfer, integers: tuple[int, ...]) -> CallEffects:
    source = known.source
    return CallEffects(
        known,
        reads=() if source is None else (source,),
        writes=(known.destination,),
        integers=integers,
        copies=None if source is None else (known.destination, source, known.length),
        returns_argument=known.destination if known.returns in ("destination", "end") else None,
    )


def keeps_bits(module: Module, call: CallBase) -> bool:
    """May the integers that a function without body returns have bits of those that it takes? Counts of bits do not."""
    callee = call.callee
    if not isinstance(callee, Function) or _COUNTS.search(callee.name) is not None or FLAG_ONLY in call.metadata:
        return False
    known = call_effects(module, call)
    return known is None or (isinstance(known.known, Inactive) and known.known.why is Why.INTEGER)


def writes_nothing(attributes: str) -> bool:
    """Do a function's attributes say that it writes no memory of the program?"""
    return _NO_WRITE.search(attributes) is not None


def _by_attributes(
    call: CallBase, attributes: str, pointers: tuple[int, ...], integers: tuple[int, ...], count: int
) -> CallEffects | None:
    """An external function that returns nothing we differentiate and writes nowhere is inactive whatever it is."""
    del count
    number = isinstance(call.type.scalar, FloatType)
    here = call.function_attributes
    if "noreturn" in attributes or "noreturn" in here:
        return CallEffects(Inactive(Why.STOP, no_return=True), reads=pointers, inactive=True, no_return=True)
    if number or isinstance(call.type, PointerType) or isinstance(call.callee, InlineAssembly):
        return None
    if writes_nothing(attributes) and isinstance(call.type.scalar, IntType):
        return CallEffects(Inactive(Why.INTEGER), reads=pointers, integers=integers, integer_result=True, inactive=True)
    return None
