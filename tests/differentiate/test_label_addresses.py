"""Computed gotos become switches over addresses that mean the same everywhere."""

from __future__ import annotations

from enzyme_build.differentiate.edges import has_fixed_edges
from enzyme_build.differentiate.label_addresses import LabelAddresses
from enzyme_build.differentiate.loop_form import canonical_loops
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text

TEXT = """
@table = internal constant [2 x ptr] [ptr blockaddress(@f, %twice), ptr blockaddress(@f, %done)]
@deep = internal constant { i32, ptr } { i32 1, ptr @table }
@changed = internal global [1 x ptr] [ptr blockaddress(@f, %twice)]
define i32 @f(i32 %n, i64 %i) {
entry:
  %deeper = getelementptr inbounds { i32, ptr }, ptr @deep, i64 0, i32 1
  %labels = load ptr, ptr %deeper
  %place = getelementptr inbounds ptr, ptr %labels, i64 %i
  %address = load ptr, ptr %place
  indirectbr ptr %address, [label %twice, label %done, label %never]
twice:
  %value = phi i32 [ %n, %entry ], [ %more, %twice ]
  %more = mul i32 %value, 2
  %big = icmp sgt i32 %more, 100
  %next = select i1 %big, ptr blockaddress(@f, %done), ptr blockaddress(@f, %twice)
  indirectbr ptr %next, [label %twice, label %done]
done:
  %result = phi i32 [ %n, %entry ], [ %more, %twice ]
  ret i32 %result
never:
  ret i32 0
}
define ptr @g(i64 %i) {
  %place = getelementptr inbounds ptr, ptr @changed, i64 %i
  %address = load ptr, ptr %place
  ret ptr %address
}
"""


def rewritten(name, text=TEXT):
    module = parse_module(text)
    function = module.replace_function(name)
    findings = []
    LabelAddresses(module, findings).replace_gotos(function)
    return module, function, findings


def test_jumps_are_switches_over_the_labels_that_are_taken():
    module, function, findings = rewritten("f")
    assert findings == []
    switches = [i for i in function.instructions() if isinstance(i, ir.Switch)]
    assert [[(case.value, to.name) for case, to in switch.cases] for switch in switches] == [
        [(0, "twice"), (1, "done")],
        [(0, "twice"), (1, "done")],
    ]
    assert all("no_label" in switch.default.name for switch in switches)
    text = print_module(module)
    assert "indirectbr" not in text
    assert "a computed goto reached an address that was taken outside of the derivative" in text
    parse_text(text, "the model").close()


def test_labels_without_names_are_found_by_number():
    _, function, _ = rewritten("f", TEXT.replace("%done", "%0").replace("done:", "0:"))
    switches = [i for i in function.instructions() if isinstance(i, ir.Switch)]
    assert [[number.value for number, _ in switch.cases] for switch in switches] == [[0, 1], [0, 1]]


def test_tables_are_copied_also_those_behind_others():
    module, _, _ = rewritten("f")
    copies = {name: v.initializer for name, v in module.globals.items() if name.startswith("enzyme_build.labels.")}
    assert set(copies) == {"enzyme_build.labels.deep", "enzyme_build.labels.table"}
    assert '@"enzyme_build.labels.table"' in copies["enzyme_build.labels.deep"]
    assert "blockaddress" not in copies["enzyme_build.labels.table"]
    assert "blockaddress(@f, %twice)" in module.globals["table"].initializer


def test_loops_that_such_jumps_enter_get_preheaders():
    module = parse_module(TEXT)
    function = module.replace_function("f")
    assert has_fixed_edges(module, function)
    LabelAddresses(module, []).replace_gotos(function)
    canonical_loops(function)
    (phi,) = (i for i in function.instructions() if i.name == "value")
    assert {block.name for block in phi.blocks} == {"twice.before", "twice"}
    parse_text(print_module(module), "the model").close()


def test_a_table_that_can_change_is_refused():
    _, _, findings = rewritten("g")
    assert [error.code for error in findings] == ["E0120"]
    assert "'changed'" in findings[0].message


def test_without_labels_nothing_is_looked_at():
    module = parse_module("define i32 @f(i32 %n) {\n  ret i32 %n\n}\n")
    LabelAddresses(module, []).replace_gotos(module.function("f"))
    assert "labels" not in print_module(module)
