"""Call graph: which functions are reachable from some roots, and its strongly connected components.

A function *uses* another if it calls it or mentions its address. Components come callees first (Tarjan, "Depth-first
search and linear graph algorithms", 1972); a function is *recursive* if its component has a cycle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.function import Function
from enzyme_build.ir.instructions import Compare
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from enzyme_build.ir.module import Module


@dataclass(frozen=True, slots=True)
class CallGraph:
    """`components` are callees first; `recursive` holds every function on a cycle."""

    components: tuple[tuple[Function, ...], ...]
    recursive: frozenset[Function]
    uses: Mapping[Function, tuple[Function, ...]]


def used_functions(module: Module, function: Function) -> tuple[Function, ...]:
    """Functions with bodies that `function` mentions, but for those that a pointer is only compared with; parsed."""
    found: dict[Function, None] = {}
    for instruction in function.instructions():
        if isinstance(instruction, Compare):
            continue
        pending = list(instruction.operands)
        while pending:
            operand = pending.pop()
            if isinstance(operand, Function):
                if module.is_defined(operand.name):
                    found[operand] = None
            elif (inner := getattr(operand, "text", None)) is not None and "@" in inner:
                pending.extend(getattr(operand, "operands", ()))
    return tuple(found)


def call_graph(
    module: Module, roots: Iterable[Function], prepare: Callable[[Function], None] = lambda _: None
) -> CallGraph:
    """The graph of what is reachable from `roots`; parses bodies as it goes, and lets `prepare` change them first."""
    uses: dict[Function, tuple[Function, ...]] = {}
    number: dict[Function, int] = {}
    low: dict[Function, int] = {}
    on_stack: dict[Function, None] = {}
    components: list[tuple[Function, ...]] = []
    recursive: set[Function] = set()
    for root in roots:
        if root in number:
            continue
        work = [(root, 0)]
        while work:
            function, position = work.pop()
            if position == 0:
                parsed = module.function(function.name)
                prepare(parsed)
                uses[function] = used_functions(module, parsed)
                number[function] = low[function] = len(number)
                on_stack[function] = None
            targets = uses[function]
            if position:
                low[function] = min(low[function], low[targets[position - 1]])
            while position < len(targets):
                target = targets[position]
                position += 1
                if target not in number:
                    work += [(function, position), (target, 0)]
                    break
                if target in on_stack:
                    low[function] = min(low[function], number[target])
            else:
                if low[function] == number[function]:
                    members = []
                    while True:
                        member, _ = on_stack.popitem()
                        members.append(member)
                        if member is function:
                            break
                    components.append(tuple(members))
                    if len(members) > 1 or function in targets:
                        recursive.update(members)
    return CallGraph(tuple(components), frozenset(recursive), uses)
