"""Exceptions are left out of what is differentiated."""

from __future__ import annotations

from enzyme_build.analysis.cfg import control_flow
from enzyme_build.differentiate.unwinding import without_unwinding
from enzyme_build.ir.instructions import Call, Cast, Invoke, Store
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module

TEXT = """
declare double @g(double)
declare i32 @__gxx_personality_v0(...)
define double @f(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %a = invoke double @g(double %x)
          to label %more unwind label %bad
more:
  %b = invoke double @g(double %a)
          to label %good unwind label %bad
good:
  ret double %b
bad:
  %p = phi double [ %x, %entry ], [ %a, %more ]
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
"""


def test_invokes_become_calls():
    module = parse_module(TEXT)
    function = module.function("f")
    without_unwinding(function)
    kinds = [type(i) for i in function.instructions()]
    assert Invoke not in kinds
    assert kinds.count(Call) == 2
    assert [block.name for block in control_flow(function).order] == ["entry", "more", "good"]
    reachable = control_flow(function)
    results = {i.name: i for block in reachable.order for i in block.instructions if i.name}
    assert results["b"].operands[0] is results["a"]
    assert reachable.exits[0].terminator.operands[0] is results["b"]


def test_landing_pads_are_gone():
    module = parse_module(TEXT)
    function = module.function("f")
    without_unwinding(function)
    assert [block.name for block in function.blocks] == ["entry", "more", "good"]


def test_nothing_comes_from_handlers():
    handled = TEXT.replace("ret double %b", "br label %after").replace(
        "resume { ptr, i32 } %l\n",
        "br label %after\nafter:\n  %r = phi double [ %b, %good ], [ %p, %bad ]\n  ret double %r\n",
    )
    function = parse_module(handled).function("f")
    without_unwinding(function)
    (phi,) = function.blocks[-1].phis
    assert [(value.name, block.name) for value, block in zip(phi.operands, phi.blocks, strict=True)] == [("b", "good")]


CAUGHT = """
declare double @g(double)
declare ptr @payload()
declare i32 @rust_eh_personality(...)
define double @f(double %x, ptr %to) personality ptr @rust_eh_personality {
entry:
  %a = invoke double @g(double %x)
          to label %good unwind label %bad
good:
  %bits = bitcast double %a to i64
  %number = inttoptr i64 %bits to ptr
  br label %after
bad:
  %l = landingpad { ptr, i32 } catch ptr null
  %thrown = call ptr @payload()
  br label %after
after:
  %either = phi ptr [ %number, %good ], [ %thrown, %bad ]
  %payload = phi ptr [ null, %good ], [ %thrown, %bad ]
  %flag = phi i32 [ 0, %good ], [ 1, %bad ]
  %well = icmp eq ptr %payload, null
  br i1 %well, label %ask, label %failed
ask:
  %failing = icmp ne i32 %flag, 0
  br i1 %failing, label %failed, label %end
failed:
  store ptr %either, ptr %to
  br label %end
end:
  %r = phi double [ 0.0, %failed ], [ %a, %ask ]
  ret double %r
}
"""


def test_what_is_done_if_something_was_thrown_is_gone():
    function = parse_module(CAUGHT).function("f")
    without_unwinding(function)
    assert [block.name for block in function.blocks] == ["entry", "good", "after", "ask", "end"]
    assert not any(isinstance(i, Cast | Store) for i in function.instructions())


def test_the_program_itself_stays_as_it_is():
    module = parse_module(TEXT)
    without_unwinding(module.function("f"))
    assert print_module(module).strip() == TEXT.strip()
