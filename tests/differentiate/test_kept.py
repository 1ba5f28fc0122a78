"""Messages where kept memory has no shadow: of which variable they are, and which pointers need none."""

from __future__ import annotations

import re

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text

PROGRAM = """
@_ZL6tablesB5cxx11 = internal global ptr null
declare double @sin(double)
declare void @__enzyme_autodiff(...)
define double @f(ptr %x, i1 %c) {
entry:
  %table = load ptr, ptr @_ZL6tablesB5cxx11
  %at = getelementptr i8, ptr %table, i64 8
  %held = load ptr, ptr %at
  store ptr %x, ptr %at
  br i1 %c, label %numbers, label %function
numbers:
  %a = load double, ptr %held
  %b = load double, ptr %x
  %ab = fmul double %a, %b
  ret double %ab
function:
  %p = load double, ptr %x
  CALL
}
define void @caller(ptr %x, ptr %b) {
  call void (...) @__enzyme_autodiff(ptr @f, ptr %x, ptr %b, i1 true)
  ret void
}
"""


def differentiated(call: str) -> str:
    """The module's text after differentiation, which is verified."""
    module = parse_module(PROGRAM.replace("CALL", call))
    differentiate(module)
    text = print_module(module)
    parse_text(text, "the module")
    return text


def test_the_message_names_the_variable_as_the_source_does() -> None:
    text = differentiated("ret double %p")
    assert "memory that 'tables' kept from before this call has no shadow" in text


def test_the_address_of_a_function_needs_no_shadow() -> None:
    """It lies where other objects have a pointer to numbers, which may be the user's."""
    call = "%known = icmp eq ptr %held, @sin\n  %s = call double %held(double %p)\n  ret double %s"
    with_function, without = differentiated(call), differentiated("ret double %p")
    message = re.compile(r"kept\d*:[^:]*icmp eq ptr %\S+, @sin", re.DOTALL)
    assert message.search(with_function)
    assert not message.search(without)
