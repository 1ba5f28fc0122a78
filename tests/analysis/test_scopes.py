"""Scopes of `restrict`: which accesses they tell apart."""

from __future__ import annotations

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.dominators import dominators
from enzyme_build.analysis.loops import loop_forest
from enzyme_build.analysis.scopes import Scopes
from enzyme_build.ir.instructions import Load, Store
from enzyme_build.ir.parser import parse_module

DECLARED = "call void @llvm.experimental.noalias.scope.decl(metadata !{})"
PROGRAM = """
declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @f(ptr %a, ptr %b, i64 %n) {{
entry:
  {before}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  {inside}
  %v = load double, ptr %a{read}
  store double %v, ptr %b{write}
  %i1 = add nuw nsw i64 %i, 1
  %c = icmp slt i64 %i1, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}}
!0 = distinct !{{!0, !"body"}}
!1 = distinct !{{!1, !0, !"body: %a"}}
!2 = distinct !{{!2, !0, !"body: %b"}}
!3 = !{{!1}}
!4 = !{{!2}}
!5 = !{{!1, !2}}
"""
BOTH = "\n  ".join(DECLARED.format(n) for n in (3, 4))
READ, WRITE = ", !alias.scope !3, !noalias !4", ", !alias.scope !4, !noalias !3"


def apart(*, before="", inside="", read=READ, write=WRITE):
    module = parse_module(PROGRAM.format(before=before, inside=inside, read=read, write=write))
    function = module.function("f")
    cfg = control_flow(function)
    forest = loop_forest(cfg, dominators(cfg))
    load = next(i for i in function.instructions() if isinstance(i, Load))
    store = next(i for i in function.instructions() if isinstance(i, Store))
    scopes = Scopes(module, cfg, forest)
    assert scopes.apart(load, store) == scopes.apart(store, load)
    return scopes.apart(load, store)


def test_an_inlined_body_with_restrict():
    assert apart(before=BOTH)
    # One side is enough; a pointer based on both is told apart by neither.
    assert apart(before=BOTH, read=", !alias.scope !3", write=", !noalias !3")
    assert not apart(before=BOTH, read=", !alias.scope !5", write=", !noalias !3")
    assert not apart(before=BOTH, read="", write=WRITE)


def test_a_body_that_a_loop_repeats():
    """What one iteration reads, the next may write."""
    assert not apart(inside=BOTH)


def test_a_scope_that_nobody_declares():
    assert not apart()
