"""Sorts and searches by callback, as permutations and numbers of elements.

A sort moves the elements of an array, by an order that has no derivative itself: `qsort` is, in the model that the pass
reads, a call of a function that asks for the order (`runtime_sorts`) and moves each element to its place; a function of
its own for each call, so that the types of bytes of one array are not mixed with those of another. Where no derivative
takes part, that function calls `qsort` after all. What `bsearch` finds is an element by its number. The
program's own functions stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.known import call_effects
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.analysis.targets import Targets, functions_among
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Block, Function, replace_values
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import I1, I8, I32, I64, PTR, VOID, FunctionType, array_type, function_type
from enzyme_build.ir.values import Argument, ConstantInt, const_int, null

from .metadata import kept_attributes
from .runtime import runtime_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_COMPARE: Final = function_type(I32, (PTR, PTR))
_COMPARE_WITH: Final = function_type(I32, (PTR, PTR, PTR))
_SORTS: Final = {
    "qsort": function_type(VOID, (PTR, I64, I64, PTR)),
    "qsort_r": function_type(VOID, (PTR, I64, I64, PTR, PTR)),
}
_SEARCHES: Final = {
    "bsearch": function_type(PTR, (PTR, PTR, I64, I64, PTR)),
    "lfind": function_type(PTR, (PTR, PTR, PTR, I64, PTR)),
}


class Sorts:
    """The functions that stand for sorts of a module."""

    def __init__(self, module: Module, targets: Targets) -> None:
        self.module = module
        self.targets = targets
        self.hosts: dict[str, Function] = {}
        """By the name of a function that stands for a sort: whose call it was."""
        self._library: dict[str, Function] = {}

    def rewrite(self, function: Function) -> None:
        """Replace the calls of the function's model."""
        replaced: dict[Value, Value] = {}
        for block in function.blocks:
            for call in [i for i in block.instructions if isinstance(i, ir.Call)]:
                name = self._library_function(call)
                if name is None:
                    continue
                builder = Builder(block, debug_attachment(call))
                at = builder.position = block.instructions.index(call)
                if name in _SORTS:
                    self._sort(builder, function, call)
                else:
                    replaced[call] = self._search(builder, call, name)
                at = block.instructions.index(call, at)
                del block.instructions[at]
                for record in block.records:
                    record.index -= record.index > at
        replace_values(function, replaced)

    def _library_function(self, call: ir.Call) -> str | None:
        callee = call.callee
        if not isinstance(callee, Function) or self.module.is_defined(callee.name):
            return None
        known: FunctionType | None = _SORTS.get(callee.name) or _SEARCHES.get(callee.name)
        return callee.name if known is not None and callee.function_type is known is call.function_type else None

    def call_library(self) -> None:
        """Have the functions that were made call the library: of those with derivatives that is the primal."""
        for name, callee in self._library.items():
            function = self.module.function(name)
            function.blocks.clear()
            builder = Builder(function.add_block(Block("entry")))
            builder.call(callee, function.arguments[: len(callee.arguments)])
            builder.ret()

    # Sorts -----------------------------------------------------------------------------------------------------------

    def _sort(self, builder: Builder, host: Function, call: ir.Call) -> None:
        assert isinstance(call.callee, Function)
        name = self.module.unique_name(f"enzyme_build.{call.callee.name}")
        names = ("base", "n", "size", "compare", "context")[: len(call.arguments)]
        types = call.function_type.parameters
        arguments = [Argument(type_, at, index) for index, (type_, at) in enumerate(zip(types, names, strict=True))]
        suffix = kept_attributes(self.module, host)
        function = Function(name, f'@"{name}"', call.function_type, arguments, prefix="internal", suffix=suffix)
        self.module.add_function(function)
        self.hosts[name], self._library[name] = host, call.callee
        size, compare = call.arguments[2], call.arguments[3]
        self._body(
            function,
            size if isinstance(size, ConstantInt) else arguments[2],
            compare if isinstance(compare, Function) else arguments[3],
            self._candidates(compare, _COMPARE if len(types) == 4 else _COMPARE_WITH),
        )
        builder.call(function, call.arguments)

    def _candidates(self, compare: Value, type_: FunctionType) -> list[Value]:
        """Whether it is known which functions may compare, and those beside the one that is called by its name."""
        found = functions_among(self.module, compare)
        if found is not None:
            return [const_int(I1, 1), *(() if isinstance(compare, Function) else found)]
        guessed = (f for f in self.targets.plain if f.function_type is type_ and self.module.is_defined(f.name))
        return [const_int(I1, 0), *(f for f in guessed if self._may_change(self.module.function(f.name)))]

    def _may_change(self, function: Function) -> bool:
        """May a function do more than compare? Others need not be looked at."""
        return any(self._writes(i) for i in function.instructions())

    def _writes(self, i: ir.Instruction) -> bool:
        match i:
            case ir.Store():
                return not isinstance(fixed_base(self.module.layout, i.pointer)[0], ir.Alloca)
            case ir.CallBase():
                known = call_effects(self.module, i)
                return known is None or bool(known.writes or known.frees)
            case _:
                return isinstance(i, ir.AtomicRMW | ir.CompareExchange)

    def _body(self, function: Function, size: Value, compare: Value, candidates: Sequence[Value]) -> None:
        module = self.module
        base, n = function.arguments[:2]
        context = function.arguments[4] if len(function.arguments) > 4 else null(PTR)
        library = "qsort" if len(function.arguments) == 4 else "qsort_r"
        entry, some, loop, end, done = (
            function.add_block(Block(name)) for name in ("entry", "some", "loop", "end", "done")
        )
        builder = Builder(entry)
        builder.branch(builder.icmp("ult", n, const_int(I64, 2)), done, some)
        builder = Builder(some)
        reserve, free = runtime_function(module, "reserve"), module.declare("free", function_type(VOID, (PTR,)))
        order = builder.call(reserve, [null(PTR), builder.mul(n, const_int(I64, 8))], name="order")
        arguments = [order, base, n, size, compare, context, *candidates]
        builder.call(runtime_function(module, f"order_{library}"), arguments)
        bytes_ = builder.mul(n, size)
        copy = builder.call(reserve, [null(PTR), bytes_], name="copy")
        memcpy = intrinsic(module, "memcpy", PTR, PTR, I64)
        builder.call(memcpy, [copy, base, bytes_, const_int(I1, 0)])
        builder.jump(loop)
        builder = Builder(loop)
        i = builder.phi(I64, "i")
        number = builder.load(I64, builder.gep(I64, order, [i]), 8)
        to, from_ = (self._element(builder, array, at, size) for array, at in ((base, i), (copy, number)))
        builder.call(memcpy, [to, from_, size, const_int(I1, 0)])
        following = builder.add(i, const_int(I64, 1), "nuw nsw")
        builder.branch(builder.icmp("eq", following, n), end, loop)
        Builder.add_incoming(i, const_int(I64, 0), some)
        Builder.add_incoming(i, following, loop)
        builder = Builder(end)
        builder.call(free, [copy])
        builder.call(free, [order])
        builder.jump(done)
        Builder(done).ret()

    @staticmethod
    def _element(builder: Builder, array: Value, at: Value, size: Value) -> Value:
        if isinstance(size, ConstantInt):
            return builder.gep(array_type(I8, size.value), array, [at])
        return builder.ptradd(array, builder.mul(at, size))

    # Searches --------------------------------------------------------------------------------------------------------

    def _search(self, builder: Builder, call: ir.Call, name: str) -> Value:
        """The address of an element, or null."""
        arguments = [*call.arguments, *self._candidates(call.arguments[4], _COMPARE)]
        element = builder.call(runtime_function(self.module, f"place_{name}"), arguments)
        none = builder.icmp("slt", element, const_int(I64, 0))
        found = self._element(builder, call.arguments[1], element, call.arguments[3])
        return builder.select(none, null(PTR), found, name=call.name)
