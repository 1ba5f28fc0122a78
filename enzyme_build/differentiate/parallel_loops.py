"""Loops of the reverse sweep of which LLVM is told that their iterations touch different adjoints.

Rows and columns of arrays whose size the program computes lie apart, which LLVM does not see: before it runs such a
loop as one of vectors it asks at run time, of each two arrays, whether they overlap, and leaves short loops as they
are. The primal's addresses have been read for that already (see `analysis.dependence`), and shadows are as far from
each other as what they are shadows of.

The loops are of one block and reversed upward (see `ascending`). Their accesses are to

- adjoints, each of which the same instruction of the primal reads or writes at another place in each iteration, and no
  two of them at one place in different iterations;
- memory of the primal and the tape, which the reverse sweep only reads.

What goes to one place in all iterations is not marked: LLVM keeps it in a register, or does not believe the rest.

Of a loop so marked LLVM takes for granted, too, that what it gathers of one iteration may change its order: members of
structs, and columns, which lie in vectors with others between them (`InterleavedAccessInfo`; rows without gaps are read
and written in their order). So these must lie apart within each iteration as well.

Source: LLVM language reference, "'llvm.access.group' Metadata" and "'llvm.loop.parallel_accesses' Metadata".
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.counts import Const
from enzyme_build.ir import instructions as ir

from .joined_loops import simple_loop
from .memory_scopes import joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.analysis.loops import Loop
    from enzyme_build.ir.function import Block

    from .reverse import ReverseSweep

_MOST_ACCESSES: Final = 16
"""Of active memory in a loop: each is compared with each."""

_VECTORS: Final = (8, 16, 24, 32)
"""Rounds of a loop that is to become vectors, as loops over lanes are, before it is unrolled: behind that LLVM finds
vectors across them, whose elements it gathers."""
_UNROLL_LATER: Final = '!{{!"llvm.loop.vectorize.followup_all", {}}}'

_Access = ir.Load | ir.Store


def mark_parallel(sweep: ReverseSweep) -> None:
    """Mark such loops of a sweep that is emitted."""
    if sweep.context.request.width != 1 or not sweep.engine.last_order:
        return
    for loop in sweep.prepared.reversal.upward:
        found = simple_loop(sweep, loop)
        if found is not None:
            _mark(sweep, loop, (found.body, found.again))


def _mark(sweep: ReverseSweep, loop: Loop, blocks: Sequence[Block]) -> None:
    scopes = sweep.context.scopes
    marked: list[_Access] = []
    of_adjoints: dict[_Access, list[_Access]] = {}
    for i in (i for block in blocks for i in block.instructions):
        if not isinstance(i, _Access) or isinstance(i.pointer, ir.Alloca):
            continue
        origin = sweep.adjoints_of.get(i)
        if origin is not None and origin.block in loop.blocks and scopes.shadow in i.metadata:
            of_adjoints.setdefault(origin, []).append(i)
        elif isinstance(i, ir.Load) and (scopes.primal in i.metadata or scopes.tape in i.metadata):
            marked.append(i)
        else:
            return
    moving = [origin for origin in of_adjoints if _apart(sweep, origin, origin, loop)] if of_adjoints else []
    if len({origin.pointer for origin in moving}) < 2 or len(moving) > _MOST_ACCESSES:
        return
    dense = {origin for origin in moving if _is_dense(sweep, origin, loop)}
    # What is read where something is written is written in each iteration: promises hold for it.
    written = {origin.pointer: origin for origin in moving if isinstance(origin, ir.Store)}
    for first, second in combinations(moving, 2):
        one, other = written.get(first.pointer, first), written.get(second.pointer, second)
        if not _apart(sweep, one, other, loop):
            return
        if not {first, second} <= dense and not sweep.context.aliasing.apart_in_each_iteration(one, other, loop):
            return
    marked += [i for origin in moving for i in of_adjoints[origin]]
    add = sweep.module.add_metadata
    group = add("distinct !{}")
    for i in marked:
        i.metadata = joined(i.metadata, f"!llvm.access.group {group}")
    told = [add(f'!{{!"llvm.loop.parallel_accesses", {group}}}')]
    if _is_vector(sweep, loop):
        told += [add('!{!"llvm.loop.unroll.count", i32 1}'), add(_UNROLL_LATER.format(add('!{!"enzyme.loop"}')))]
    back = blocks[-1].terminator
    node = add(f"distinct !{{{', '.join(['!self', *told])}}}")
    back.metadata = joined(back.metadata, f"!llvm.loop {node}")


def _is_vector(sweep: ReverseSweep, loop: Loop) -> bool:
    """Are its rounds so many as vectors have lanes, or few times that?"""
    count = sweep.context.facts.evolution.backedge_count(loop)
    return isinstance(count, Const) and count.value + 1 in _VECTORS


def _is_dense(sweep: ReverseSweep, access: _Access, loop: Loop) -> bool:
    """Does it go on from iteration to iteration without gaps, up or down?"""
    type_ = access.type if isinstance(access, ir.Load) else access.value.type
    affine = sweep.context.facts.evolution.affine(access.pointer, loop)
    step = affine.step_int if affine is not None else None
    return step is not None and abs(step) == sweep.context.layout.alloc_size(type_)


def _apart(sweep: ReverseSweep, one: _Access, other: _Access, loop: Loop) -> bool:
    return sweep.context.aliasing.apart_between_iterations(one, other, loop)
