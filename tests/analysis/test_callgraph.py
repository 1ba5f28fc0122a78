"""Reachable functions, their order and their cycles."""

from __future__ import annotations

from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.ir.parser import parse_module

CHAIN = """
declare void @outside()
define void @a() {
  call void @b()
  call void @outside()
  ret void
}
define void @b() {
  call void @c()
  ret void
}
define void @c() {
  ret void
}
define void @unused() {
  call void @a()
  ret void
}
"""

CYCLE = """
define void @root() {
  call void @even()
  call void @self()
  ret void
}
define void @even() {
  call void @odd()
  ret void
}
define void @odd() {
  call void @even()
  call void @leaf()
  ret void
}
define void @self() {
  call void @self()
  ret void
}
define void @leaf() {
  ret void
}
"""


def graph_of(text, *roots):
    module = parse_module(text)
    return call_graph(module, [module.function(name) for name in roots])


def names(component):
    return sorted(f.name for f in component)


def test_callees_come_first_and_only_what_is_reachable():
    graph = graph_of(CHAIN, "a")
    assert [names(c) for c in graph.components] == [["c"], ["b"], ["a"]]
    assert graph.recursive == frozenset()


def test_cycles_are_one_component():
    graph = graph_of(CYCLE, "root")
    components = [names(c) for c in graph.components]
    assert ["even", "odd"] in components
    assert components[-1] == ["root"]
    assert components.index(["leaf"]) < components.index(["even", "odd"])
    assert names(graph.recursive) == ["even", "odd", "self"]


def test_taken_addresses_are_uses():
    text = """
@table = internal constant [1 x ptr] [ptr @d]
define void @a(ptr %p) {
  store ptr @b, ptr %p
  %c = getelementptr i8, ptr @c, i64 0
  store ptr getelementptr (i8, ptr @c, i64 0), ptr %p
  ret void
}
define void @b() {
  ret void
}
define void @c() {
  ret void
}
define void @d() {
  ret void
}
"""
    graph = graph_of(text, "a")
    assert {f.name for f in graph.uses[graph.components[-1][0]]} >= {"b", "c"}


def test_what_a_pointer_is_compared_with_is_no_use():
    text = """
define i1 @a(ptr %p) {
  %c = icmp eq ptr %p, @b
  ret i1 %c
}
define void @b() {
  ret void
}
"""
    assert [[f.name for f in component] for component in graph_of(text, "a").components] == [["a"]]


def test_several_roots_share_their_callees():
    graph = graph_of(CHAIN, "b", "a")
    assert [names(c) for c in graph.components] == [["c"], ["b"], ["a"]]


def test_a_deep_chain_needs_no_recursion():
    count = 3000
    text = "\n".join(f"define void @f{n}() {{\n  call void @f{n + 1}()\n  ret void\n}}" for n in range(count))
    graph = graph_of(f"{text}\ndefine void @f{count}() {{\n  ret void\n}}\n", "f0")
    assert len(graph.components) == count + 1
    assert names(graph.components[0]) == [f"f{count}"]
