"""Shadows of memory that global variables kept from before the derivative call.

What is in such memory then is constant, so its shadow starts as zero; nobody sees it afterwards. Where a pointer to it
is read, the shadow memory says null, and one is found by the address (see `runtime_kept`). Where the pointer may be one
to memory of the user's (see `analysis.kept`), and where a derivative is differentiated again, the program ends with a
message instead.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.regions import led_to
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import I1, I64, PTR, PointerType, function_type
from enzyme_build.ir.values import Argument, GlobalVariable, Value, const_int, null, zero
from enzyme_build.rules.mirrored import mirrored_function

from .runtime import runtime_function, stop_with
from .runtime_copies import HIGHEST_ADDRESS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.analysis.regions import Place, Region
    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.module import Module
    from enzyme_build.rules.memory import Allocation

    from .context import Context
    from .engine import Engine
    from .sweep import Sweep

_BYTE_LINE = 64


class KeptShadows:
    """What the sweeps of one function do about kept memory; `b` of the sweep is where they emit."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        self.engine = sweep.engine
        self.module = sweep.module
        self.memory = sweep.context.memory
        self.found = self.engine.last_order

    # Reading -------------------------------------------------------------------------------------------------------

    def loaded(self, i: ir.Load, value: Value, shadow: Value, *, again: bool) -> Value:
        """The shadow of what a load gives: `value`, beside which the shadow memory holds `shadow`. What is done `again`
        was refused before."""
        b = self.sweep.b
        for path, place in kept_pointers(self.sweep.context, i):
            primal = b.extract_value(value, path) if path else value
            part = b.extract_value(shadow, path) if path else shadow
            if (place.region.doubtful and i not in self.memory.own_loads) or not self.found:
                if not again:
                    self._refuse(i, primal, part, place.region)
                continue
            b = self.sweep.b
            known = b.call(self.engine.kept_finder(place.region, self.sweep.lanes.current), [primal, part])
            shadow = b.insert_value(shadow, known, path) if path else known
        return shadow

    def _refuse(self, i: ir.Load, value: Value, shadow: Value, led: Region) -> None:
        """End the program with a message where there is no shadow. A word that may be a number (the runtime's copies of
        mixed words read both as pointers) tells which one it is by its bits: those of no address are a number's. The
        address of a function, which lies where objects of other classes have that of numbers, needs no shadow."""
        sweep = self.sweep
        b = sweep.b
        below = b.binary("add", b.cast("ptrtoint", value, I64), const_int(I64, -1))
        address = b.icmp("ult", below, const_int(I64, HIGHEST_ADDRESS))
        missing = b.binary("and", b.icmp("eq", shadow, zero(PTR)), address)
        stop, go_on = sweep.function.add_block(Block("kept")), sweep.function.add_block(Block("fresh"))
        b.branch(missing, stop, go_on)
        b = Builder(stop)
        for function in sorted((f for f in led.globals | led.told if isinstance(f, Function)), key=lambda f: f.name):
            other = sweep.function.add_block(Block("kept"))
            b.branch(b.icmp("eq", value, function), go_on, other)
            b = Builder(other)
        location = sweep.context.location(i)
        where = f"{location.file}:{location.line}" if location else f"in '{sweep.context.function.name}'"
        text = f"{where}: memory that {self._keeper(i)} kept from before this call has no shadow"
        stop_with(sweep.module, b, f"{text}; allocate it in the call, or pass it as an argument")
        sweep.b.block, sweep.b.position = go_on, None

    @cached_property
    def _leading(self) -> Mapping[Region, list[str]]:
        """The variables that lead to memory, directly or by others."""
        found: dict[Region, list[str]] = {}
        for value, region in self.memory.globals.items():
            for name in _names([value]):
                for reached in led_to([region]):
                    found.setdefault(reached, []).append(name)
        return found

    def _keeper(self, i: ir.Load) -> str:
        """The variable that is read, or the only one that leads to what is read."""
        place = self.memory.place(i.pointer)
        if place is not None:
            read = place.resolved().region
            own = _names(read.globals | read.told)
            leading = self._leading.get(read, [])
            if own or len(leading) == 1:
                return f"'{(own or leading)[0]}'"
        return "a global variable"

    def links(self, i: ir.CallBase) -> None:
        """Make the shadow nodes whose links a mirrored call will follow what the nodes are."""
        known = mirrored_function(getattr(i.callee, "name", None) or "")
        if known is None or not self.found or self.sweep.again:
            return
        for at in known.nodes:
            pointer = i.arguments[at]
            place = self.memory.place(pointer)
            if place is None or not place.region.kept or not self.sweep.activity.has_shadow(pointer):
                continue
            function = runtime_function(self.module, f"kept_{known.structure}")
            for lane in self.sweep.lanes.each():
                # A pass that goes through the structure again finds it as it is then.
                if place.region.doubtful or self.sweep.context.request.replayed:
                    find = runtime_function(self.module, "kept_doubtful")
                else:
                    find = self.engine.kept_finder(place.region, lane)
                self.sweep.b.call(function, [self.sweep.value(pointer), self.sweep.shadow(pointer), find])

    # Allocating ----------------------------------------------------------------------------------------------------

    def owns(self, pointer: Value) -> bool:
        """Are shadows of allocations here the call's own?"""
        place = self.memory.place(pointer)
        return self.found and place is not None and place.region.owned

    def owns_stored(self, pointer: Value) -> bool:
        """The same of memory to which a pointer is stored here."""
        place = self.memory.place(pointer)
        target = place.content.target if place is not None else None
        return self.found and target is not None and target.resolved().region.owned

    def take(self, size: Value, alignment: Value | None = None) -> Value:
        """A zeroed block of the call's own."""
        self.engine.uses_kept = True
        line = const_int(I64, _BYTE_LINE)
        return self.sweep.b.call(runtime_function(self.module, "kept_take"), [size, alignment or line])

    def take_beside(self, i: ir.CallBase, known: Allocation, size: Value) -> Value:
        """The shadow of a fresh allocation."""
        alignment = None if known.alignment is None else self.sweep.value(i.arguments[known.alignment])
        return self.take(size, alignment)

    def give(self, shadow: Value) -> None:
        """Free a block of the call's own."""
        self.sweep.b.call(runtime_function(self.module, "kept_give"), [shadow])

    def to_free(self, pointer: Value, shadow: Value) -> Value:
        """The shadow to free by the program's own deallocator: null if the derivative call found it."""
        place = self.memory.place(pointer)
        if not self.found or place is None or not place.region.kept:
            return shadow
        return self.sweep.b.call(runtime_function(self.module, "kept_own"), [shadow])

    def room(self, pointer: Value, shadow: Value) -> Value | None:
        """The bytes of the shadow of an allocation; None if the allocator knows them."""
        if not self.is_kept(pointer) and not self.owns(pointer):
            return None
        owned = const_int(I1, int(self.owns(pointer)))
        return self.sweep.b.call(runtime_function(self.module, "kept_room"), [shadow, owned])

    def is_kept(self, pointer: Value) -> bool:
        place = self.memory.place(pointer)
        return self.found and place is not None and place.region.kept


def _names(values: Iterable[Value]) -> list[str]:
    return sorted(value.name for value in values if isinstance(value, GlobalVariable) and not value.is_constant)


def kept_pointers(context: Context, i: ir.Load) -> list[tuple[tuple[int, ...], Place]]:
    """The pointers with shadows that a load reads and that may lead to kept memory: where they are, where they lead."""
    found = []
    for path, leaf, _ in scalar_leaves(context.layout, i.type):
        place = context.memory.place(i, path) if isinstance(leaf, PointerType) else None
        if place is not None and place.region.kept and context.activity.has_shadow(i, path):
            found.append((path, place))
    return found


def finder(engine: Engine, name: str, region: Region, lane: int) -> Function:
    """A function (pointer, shadow or null) that gives the shadow of memory of a region.

    The region's own variables and heads of structures have shadows of ours. A pointer behind the last byte of one is
    told from one to the next variable by those that the derivative knows.
    """
    module = engine.module
    arguments = [Argument(PTR, "p", 0), Argument(PTR, "shadow", 1)]
    type_ = function_type(PTR, (PTR, PTR))
    function = Function(name, f'@"{name}"', type_, arguments, prefix="internal", suffix="alwaysinline nounwind")
    module.add_function(function)
    p, given = arguments
    entry, look, done = (function.add_block(Block(text)) for text in ("entry", "look", "done"))
    b = Builder(entry)
    missing = b.binary("and", b.icmp("eq", given, null(PTR)), b.icmp("ne", p, null(PTR)))
    b.branch(missing, look, done)
    result = Builder(done).phi(PTR, "found")
    Builder.add_incoming(result, given, entry)
    Builder(done).ret(result)
    b = Builder(look)
    own = [(variable, None) for variable in _variables(module, region.globals | region.told)]
    for variable, head, inside in [
        *((v, at, True) for v, at in (*own, *engine.heads)),
        *((v, None, False) for v, _ in own),
    ]:
        try:
            shadow = engine.globals.shadow(variable, lane)
        except UnsupportedError:
            continue  # such a pointer ends the program, as one to a variable that has no part in this
        size = const_int(I64, module.layout.alloc_size(variable.value_type))
        offset = b.sub(b.cast("ptrtoint", p, I64), b.cast("ptrtoint", variable, I64))
        here: Value
        if head is not None:
            here = b.icmp("eq", offset, const_int(I64, head))
        elif inside:
            here = b.icmp("ult", offset, size)
        else:
            named = b.call(_named_memory(module), [p])
            here = b.select(named, const_int(I1, 0), b.icmp("eq", offset, size))
        hit, next_ = function.add_block(Block("hit")), function.add_block(Block("next"))
        b.branch(here, hit, next_)
        b = Builder(hit)
        Builder.add_incoming(result, b.ptradd(shadow, offset), hit)
        b.jump(done)
        b = Builder(next_)
    at = b.call(runtime_function(module, "kept_at"), [p, const_int(I64, lane)])
    Builder.add_incoming(result, at, b.block)
    b.jump(done)
    return function


def _variables(module: Module, values: Iterable[Value]) -> list[GlobalVariable]:
    inactive = annotations_of(module).inactive_globals
    found = [v for v in values if isinstance(v, GlobalVariable) and not v.is_constant and v.name not in inactive]
    return sorted(found, key=lambda v: v.name)


def _named_memory(module: Module) -> Function:
    return module.declare("enzyme_build.named_memory", function_type(I1, (PTR,)))


def define_named_memory(module: Module, memories: Iterable[Memory]) -> None:
    """Give `named_memory` its body: is an address in a variable that some analysed function names?"""
    function = _named_memory(module)
    function.arguments, function.is_declaration = [Argument(PTR, "p", 0)], False
    function.prefix, function.suffix = "internal", "noinline nounwind"
    b = Builder(function.add_block(Block("entry")))
    address = b.cast("ptrtoint", function.arguments[0], I64)
    named: Value = const_int(I1, 0)
    for variable in _variables(module, {v for memory in memories for v in memory.globals}):
        if not variable.name.startswith("enzyme_build."):
            size = const_int(I64, module.layout.alloc_size(variable.value_type))
            offset = b.sub(address, b.cast("ptrtoint", variable, I64))
            named = b.binary("or", named, b.icmp("ult", offset, size))
    b.ret(named)


# Calls of users ------------------------------------------------------------------------------------------------------


def begin(module: Module, builder: Builder) -> Value:
    """At the beginning of an outermost derivative call; what was before is for its end."""
    return builder.call(runtime_function(module, "kept_begin"), [])


def end(module: Module, builder: Builder, outer: Value, tape: Value | None) -> None:
    """At the end of an outermost derivative call; with a `tape`, that owns what the other pass needs."""
    if tape is None:
        builder.call(runtime_function(module, "kept_end"), [outer])
    else:
        builder.call(runtime_function(module, "kept_stash"), [tape, outer])
