"""Atomic operations on memory that no other thread sees become ordinary ones."""

from __future__ import annotations

from enzyme_build.analysis.bytetypes import memory_models
from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.differentiate.own_atomics import plain_atomics
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.parser import parse_module

TEXT = """
define double @own(double %x) {
  %p = alloca double
  store atomic double %x, ptr %p seq_cst, align 8
  %old = atomicrmw fadd ptr %p, double %x seq_cst, align 8
  %bits = bitcast double %x to i64
  %seen = load atomic i64, ptr %p monotonic, align 8
  %pair = cmpxchg weak ptr %p, i64 %seen, i64 %bits seq_cst monotonic, align 8
  %done = extractvalue { i64, i1 } %pair, 1
  %r = load atomic double, ptr %p seq_cst, align 8
  ret double %r
}
define double @shared(ptr %p, double %x) {
  %old = atomicrmw fadd ptr %p, double %x seq_cst, align 8
  ret double %old
}
"""


def run(name: str) -> list[ir.Instruction]:
    module = parse_module(TEXT)
    function = module.function(name)
    memory = memory_models(module, call_graph(module, [function]))[function]
    plain_atomics(function, memory)
    return list(function.instructions())


def test_memory_of_its_own_is_read_and_written_in_order():
    found = run("own")
    assert not any(isinstance(i, ir.AtomicRMW | ir.CompareExchange) for i in found)
    assert not any(i.ordering for i in found if isinstance(i, ir.Load | ir.Store))
    assert sum(isinstance(i, ir.Store) for i in found) == 3


def test_memory_of_others_stays_atomic():
    assert any(isinstance(i, ir.AtomicRMW) for i in run("shared"))
