"""Functions made of nothing but control flow, from their edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.instructions import Branch, Jump, Return, Switch
from enzyme_build.ir.types import I1, I32, VOID, function_type
from enzyme_build.ir.values import Argument, const_int

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def graph(edges: Mapping[str, str]) -> tuple[Function, dict[str, Block]]:
    """`{"a": "bc", "b": "", "c": ""}`: block a branches to b and c, which return."""
    return graph_of({name: list(targets) for name, targets in edges.items()})


def graph_of(edges: Mapping[str, Sequence[str]]) -> tuple[Function, dict[str, Block]]:
    function = Function("f", "@f", function_type(VOID, (I1, I32)), [Argument(I1, "c", 0), Argument(I32, "n", 1)])
    blocks = {name: function.add_block(Block(name)) for name in edges}
    for name, targets in edges.items():
        to = [blocks[target] for target in targets]
        match to:
            case []:
                blocks[name].append(Return())
            case [target]:
                blocks[name].append(Jump(target))
            case [then, otherwise]:
                blocks[name].append(Branch(function.arguments[0], then, otherwise))
            case [default, *others]:
                cases = [(const_int(I32, number), other) for number, other in enumerate(others)]
                blocks[name].append(Switch(function.arguments[1], default, cases))
    return function, blocks
