"""Functions that have no derivative themselves but build or walk a structure of pointers, as the red-black tree of
`std::map`: they are called on the shadow structure as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from enzyme_build.records import dataclass

from .inactive import OVERLOADS

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Mirrored:
    """Call it on the shadows of the pointer arguments too; a returned pointer's shadow is that call's result."""

    writes: frozenset[int] = frozenset()
    structure: Literal["", "tree", "list", "whole_list"] = ""
    """What it follows links of, from the nodes that the arguments `nodes` point to."""
    nodes: tuple[int, ...] = ()
    colours: Literal["", "colours", "grows", "shrinks"] = ""
    """Which colours of a tree's nodes it goes by, from the first of `nodes` on (`differentiate.runtime_trees`)."""


LINKS: Final[Mapping[str, tuple[int, ...]]] = {"tree": (8, 16, 24), "list": (0, 8), "whole_list": (0, 8)}
"""Where in a node of a structure the pointers to other nodes are."""


def _tree(
    *nodes: int, writes: tuple[int, ...] = (), colours: Literal["", "colours", "grows", "shrinks"] = ""
) -> Mirrored:
    return Mirrored(frozenset(writes), "tree", nodes, colours)


def _list(*nodes: int, writes: tuple[int, ...] = ()) -> Mirrored:
    return Mirrored(frozenset(writes), "list", nodes)


#: Structures of libstdc++ whose links are changed or followed out of line; the numbers are arguments written behind.
MIRRORED: Final[Mapping[str, Mirrored]] = {
    "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base": _tree(0),
    "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base": _tree(0),
    "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base": _tree(0, colours="colours"),
    "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base": _tree(0, colours="colours"),
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_": _tree(2, 3, writes=(1, 2, 3), colours="grows"),
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_": _tree(0, 1, writes=(0, 1), colours="shrinks"),
    "_ZNSt8__detail15_List_node_base7_M_hookEPS0_": _list(1, writes=(0, 1)),
    "_ZNSt8__detail15_List_node_base9_M_unhookEv": _list(0, writes=(0,)),
    "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_": _list(0, 1, 2, writes=(0, 1, 2)),
    "_ZNSt8__detail15_List_node_base10_M_reverseEv": Mirrored(frozenset([0]), "whole_list", (0,)),
    "_ZNSt8__detail15_List_node_base4swapERS0_S1_": _list(0, 1, writes=(0, 1)),
}

#: Intrinsics that hand a pointer on, without their overload suffix.
MIRRORED_INTRINSICS: Final[Mapping[str, Mirrored]] = dict.fromkeys(
    [
        *("launder.invariant.group", "strip.invariant.group", "ptr.annotation", "ptrmask", "threadlocal.address"),
        *("ssa.copy", "preserve.array.access.index", "preserve.struct.access.index", "preserve.union.access.index"),
    ],
    Mirrored(),
)


def mirrored_function(name: str) -> Mirrored | None:
    """The row of a symbol to be called on shadows too."""
    if name.startswith("llvm."):
        return MIRRORED_INTRINSICS.get(OVERLOADS.sub("", name[5:]))
    return MIRRORED.get(name)
