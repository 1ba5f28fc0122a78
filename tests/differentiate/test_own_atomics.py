"""Atomic operations on memory that no other thread sees become ordinary ones."""

from __future__ import annotations

from enzyme_build.analysis.bytetypes import memory_models
from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.differentiate.own_atomics import plain_atomics
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
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
define internal void @push(ptr %head, ptr %node) {
entry:
  %first = load atomic i64, ptr %head seq_cst, align 8
  %new = ptrtoint ptr %node to i64
  %pair = cmpxchg weak ptr %head, i64 %first, i64 %new seq_cst seq_cst, align 8
  %fine = extractvalue { i64, i1 } %pair, 1
  br i1 %fine, label %done, label %again
again:
  %last = phi { i64, i1 } [ %pair, %entry ], [ %other, %again ]
  %word = extractvalue { i64, i1 } %last, 0
  store i64 %word, ptr %node
  %other = cmpxchg weak ptr %head, i64 %word, i64 %new seq_cst seq_cst, align 8
  %well = extractvalue { i64, i1 } %other, 1
  br i1 %well, label %done, label %again
done:
  ret void
}
define double @stack(double %x) {
  %head = alloca ptr
  %node = alloca { ptr, double }
  store ptr null, ptr %head
  %v = getelementptr i8, ptr %node, i64 8
  store double %x, ptr %v
  call void @push(ptr %head, ptr %node)
  %top = load ptr, ptr %head
  %tv = getelementptr i8, ptr %top, i64 8
  %r = load double, ptr %tv
  ret double %r
}
define double @shared(ptr %p, double %x) {
  %old = atomicrmw fadd ptr %p, double %x seq_cst, align 8
  ret double %old
}
"""


def run(name: str, root: str | None = None) -> list[ir.Instruction]:
    module = parse_module(TEXT)
    function, root = module.function(name), module.function(root or name)
    memory = memory_models(module, call_graph(module, [root]), [root])[function]
    plain_atomics(function, memory)
    assert check_function(module, function) == []
    return list(function.instructions())


def test_memory_of_its_own_is_read_and_written_in_order():
    found = run("own")
    assert not any(isinstance(i, ir.AtomicRMW | ir.CompareExchange) for i in found)
    assert not any(i.ordering for i in found if isinstance(i, ir.Load | ir.Store))
    assert sum(isinstance(i, ir.Store) for i in found) == 3


def test_memory_of_others_stays_atomic():
    assert any(isinstance(i, ir.AtomicRMW) for i in run("shared"))


def test_memory_of_callers_that_they_keep_to_themselves_is_its_own():
    """What an exchange has read, and whether it was expected, go around the loop separately: one is a pointer."""
    found = run("push", "stack")
    assert not any(isinstance(i, ir.CompareExchange | ir.ExtractValue | ir.InsertValue) for i in found)
    assert not any(i.ordering for i in found if isinstance(i, ir.Load | ir.Store))
    assert sorted(str(i.type) for i in found if isinstance(i, ir.Phi)) == ["i1", "i64"]
    assert any(isinstance(i, ir.CompareExchange) for i in run("push"))
