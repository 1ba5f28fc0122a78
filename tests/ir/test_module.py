"""Changes to a module, and the questions it answers without reading everything."""

from __future__ import annotations

import pytest

from enzyme_build.errors import InputError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.instructions import Binary
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.ir.types import DOUBLE, I32, PTR, VOID, function_type
from enzyme_build.ir.values import Argument, GlobalAlias, const_float

from .reading import llvm_text, read

TEXT = """
@counter = internal global i32 0
declare double @sin(double)
declare double @__enzyme_autodiff(ptr, double)

define double @square(double %x) #0 {
  %y = fmul double %x, %x
  ret double %y
}

define double @caller(double %x) {
  %r = call double @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}

attributes #0 = { nounwind }
!llvm.ident = !{!0}
!0 = !{!"by hand"}
"""


def new_function(name: str) -> Function:
    argument = Argument(DOUBLE, "x", 0)
    function = Function(name, f"@{name}", function_type(DOUBLE, (DOUBLE,)), [argument])
    builder = Builder(function.add_block(Block("entry")))
    builder.ret(builder.fadd(argument, const_float(DOUBLE, 1.0)))
    return function


def test_who_mentions_a_name() -> None:
    module = read(TEXT)
    assert module.functions_mentioning("__enzyme_") == ["caller"]
    assert module.callers_of("square") == ["caller"]
    assert module.functions_mentioning("by hand") == []


def test_what_is_defined() -> None:
    module = read(TEXT)
    assert module.is_defined("square")
    assert not module.is_defined("sin")
    assert not module.is_defined("counter")
    assert [function.name for function in module.functions] == ["sin", "__enzyme_autodiff", "square", "caller"]
    with pytest.raises(InputError):
        module.function("counter")


def test_only_the_changed_function_is_printed_anew() -> None:
    module = parse_module(TEXT)
    function = module.replace_function("square")
    multiply = function.entry.instructions[0]
    assert isinstance(multiply, Binary)
    multiply.op = "fadd"
    text = print_module(module)
    assert "%y = fadd double %x, %x" in text
    assert TEXT[TEXT.index("define double @caller") : TEXT.index("attributes")] in text
    llvm_text(text)


def test_additions_and_removals() -> None:
    module = read(TEXT)
    module.add_function(new_function("plus_one"))
    module.add_global("@fresh = internal constant double 2.5, align 8")
    module.declare("cos", function_type(DOUBLE, (DOUBLE,)), suffix="#0")
    module.remove("caller")
    module.remove("__enzyme_autodiff")
    text = llvm_text(print_module(module))
    assert "define double @plus_one(double %x)" in text
    assert "@fresh = internal constant double 2.500000e+00, align 8" in text
    assert "declare double @cos(double) #0" in text
    assert "__enzyme" not in text
    assert module.global_initializer(module.globals["fresh"]).text == "2.5"  # type: ignore[arg-type, union-attr]


def test_a_removed_function_can_be_replaced_by_a_new_one() -> None:
    module = read(TEXT)
    module.remove("square")
    module.add_function(new_function("square"))
    text = llvm_text(print_module(module))
    assert text.count("define double @square") == 1
    assert "fmul" not in text


def test_declaring_twice_gives_the_same_function() -> None:
    module = read(TEXT)
    sine = module.declare("sin", function_type(DOUBLE, (DOUBLE,)))
    assert sine is module.globals["sin"]
    with pytest.raises(InputError):
        module.declare("counter", function_type(VOID, ()))
    with pytest.raises(InputError):
        module.add_function(new_function("square"))


def test_names_that_need_quotes() -> None:
    module = read(TEXT)
    function = module.declare("operator()(double)", function_type(DOUBLE, (DOUBLE,)))
    assert function.text == '@"operator()(double)"'
    assert '@"operator()(double)"' in llvm_text(print_module(module) + '\n@use = global ptr @"operator()(double)"\n')


def test_unique_names() -> None:
    module = read(TEXT)
    assert module.unique_name("gradient") == "gradient"
    assert module.unique_name("square") == "square.1"


def test_attribute_groups() -> None:
    module = read(TEXT)
    assert module.add_attribute_group("nounwind") == "#0"
    assert module.add_attribute_group("") == ""
    number = module.add_attribute_group("noinline memory(none)")
    assert number == "#1"
    function = new_function("plus_one")
    function.suffix = number
    module.add_function(function)
    assert module.attributes_of(function) == "noinline memory(none)"
    assert "attributes #1 = { noinline memory(none) }" in llvm_text(print_module(module))


def test_an_empty_group_is_not_printed() -> None:
    module = parse_module("define void @f() #0 {\n  ret void\n}\n\nattributes #0 = { }\n")
    text = print_module(module)
    assert "attributes" not in text
    llvm_text(text)


def test_added_metadata_is_found_and_printed() -> None:
    module = read(TEXT)
    reference = module.add_metadata('distinct !{!"mine"}')
    assert reference == "!1"
    assert module.metadata_node(reference).distinct
    function = module.replace_function("square")
    function.entry.instructions[0].metadata = f"!note {reference}"
    assert "!note !1" in llvm_text(print_module(module))
    assert module.named_metadata == {"llvm.ident": ["!0"]}


def test_single_lines_of_much_metadata_are_found() -> None:
    lines = "".join(f'!{i} = !{{!"number {i} of many lines of metadata that nobody reads"}}\n' for i in range(20000))
    module = parse_module("define void @f() {\n  ret void\n}\n\n!named = !{!3}\n" + lines)
    for number in (0, 1, 777, 19999):
        definition = module.metadata_definition(f"!{number}")
        assert definition is not None
        assert f"number {number} of" in definition
    assert module.metadata_definition("!20000") is None
    assert module.add_metadata("!{}") == "!20000"


def test_types_are_parsed_once() -> None:
    module = read(TEXT)
    assert module.parse_type("ptr") is PTR
    assert module.parse_type("i32 (double, ...)") is function_type(I32, (DOUBLE,), variadic=True)
    assert module.parse_type("{ i32, [4 x <2 x double>] }") is module.parse_type("{ i32, [4 x <2 x double>] }")
    with pytest.raises(InputError):
        module.parse_type("i32 banana")


def test_an_empty_module_prints() -> None:
    module = parse_module("")
    module.add_function(new_function("f"))
    assert "define double @f" in llvm_text(print_module(module))


def test_what_an_alias_stands_for() -> None:
    module = read(
        "@x = global [2 x i32] zeroinitializer\n@a = alias i32, ptr @x\n"
        "@b = alias i32, getelementptr (i8, ptr @x, i64 4)\n"
    )
    x, a, b = (module.globals[name] for name in "xab")
    assert isinstance(a, GlobalAlias)
    assert a.aliasee is x
    assert isinstance(b, GlobalAlias)
    assert b.aliasee is not None
    assert b.aliasee.operands[0] is x


def test_text_in_any_order() -> None:
    module = parse_module(
        "!0 = !{}\nattributes #0 = { nounwind }\ndefine void @f() {\n  call void @g()\n  ret void\n}\n"
        "!1 = !{!0}\ndeclare void @g() #0\n"
    )
    assert module.functions_mentioning("@g") == ["f"]
    module.replace_function("f")
    module.add_attribute_group("cold")
    assert module.add_metadata("!{}") == "!2"
    llvm_text(print_module(module))
