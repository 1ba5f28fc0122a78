"""What the parser makes of text: objects for headers at once, bodies on demand, errors with the line."""

from __future__ import annotations

import pytest

from enzyme_build.errors import InputError
from enzyme_build.ir.function import Function
from enzyme_build.ir.instructions import Binary, Branch, Call, GetElementPtr, Invoke, Load, Phi, Switch
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, I32, PTR, VOID, function_type, struct_type
from enzyme_build.ir.values import ConstantAggregate, ConstantExpression, ConstantInt, GlobalVariable, MetadataOperand

LOOP = """
define double @sum(ptr noundef %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.000000e+00, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8, !tbaa !0
  %t = fadd fast double %s, %v
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret double %t
}
"""


def only(text: str, name: str = "f") -> Function:
    return parse_module(text).function(name)


def test_bodies_are_read_on_demand() -> None:
    module = parse_module(LOOP)
    header = module.globals["sum"]
    assert isinstance(header, Function)
    assert not header.blocks
    assert module.function("sum") is header
    assert [block.name for block in header.blocks] == ["entry", "loop", "exit"]


def test_instructions_of_a_loop() -> None:
    function = only(LOOP, "sum")
    x, n = function.arguments
    assert (x.name, x.attributes, x.type) == ("x", "noundef", PTR)
    entry, loop, leave = function.blocks
    i, s, p, v, t, following, again, branch = loop.instructions
    assert isinstance(i, Phi)
    assert i.blocks == [entry, loop]
    assert i.operands[1] is following
    assert isinstance(s, Phi)
    assert s.incoming(loop) is t
    assert isinstance(p, GetElementPtr)
    assert p.operands == [x, i]
    assert (p.flags, p.source_type) == ("inbounds", DOUBLE)
    assert isinstance(v, Load)
    assert (v.align, v.metadata) == (8, "!tbaa !0")
    assert isinstance(t, Binary)
    assert (t.op, t.flags, t.operands) == ("fadd", "fast", [s, v])
    assert again.operands[1] is n
    assert isinstance(branch, Branch)
    assert branch.successors == (loop, leave)
    assert leave.terminator.operands == [t]


def test_numbered_locals_have_no_name() -> None:
    function = only(
        "define i32 @f(i32 %0, i32 %named) {\n  %2 = add i32 %0, %named\n  br label %3\n\n3:\n  ret i32 %2\n}\n"
    )
    assert [argument.name for argument in function.arguments] == [None, "named"]
    add = function.entry.instructions[0]
    assert add.name is None
    assert add.operands == function.arguments
    assert function.blocks[1].name is None


def test_quoted_names_lose_their_quotes() -> None:
    function = only(
        'define void @f(i32 %"a b") {\n"the entry":\n  %"x,y" = add i32 %"a b", 1\n'
        '  br label %"the end"\n\n"the end":\n  ret void\n}\n'
    )
    assert function.arguments[0].name == "a b"
    assert [block.name for block in function.blocks] == ["the entry", "the end"]
    assert function.entry.instructions[0].name == "x,y"


def test_a_switch_over_several_lines() -> None:
    function = only(
        "define void @f(i32 %x) {\n  switch i32 %x, label %d [\n    i32 1, label %a\n"
        "    i32 -7, label %d\n  ], !prof !1\n\n"
        "a:                                ; preds = %0\n  ret void\n\nd:\n  ret void\n}\n"
    )
    switch = function.entry.terminator
    assert isinstance(switch, Switch)
    assert [(constant.value, block.name) for constant, block in switch.cases] == [(1, "a"), (-7, "d")]
    assert switch.metadata == "!prof !1"


def test_an_invoke_over_two_lines() -> None:
    function = only(
        "declare double @g(double)\ndefine double @f() {\n  %r = invoke double @g(double noundef 1.000000e+00)\n"
        "          to label %a unwind label %b, !dbg !3\n\na:\n  ret double %r\n\nb:\n"
        "  %pad = landingpad { ptr, i32 }\n          cleanup\n          catch ptr null\n  unreachable\n}\n"
    )
    invoke = function.entry.terminator
    assert isinstance(invoke, Invoke)
    assert (invoke.normal.name, invoke.unwind.name, invoke.metadata) == ("a", "b", "!dbg !3")
    assert invoke.argument_attributes == ["noundef"]
    assert function.blocks[2].instructions[0].type is struct_type((PTR, I32))


def test_globals_are_the_modules_objects() -> None:
    module = parse_module(
        "@g = global i32 0\ndeclare void @h(ptr)\ndefine void @f() {\n  call void @h(ptr @g)\n"
        "  call void @h(ptr getelementptr inbounds (i8, ptr @g, i64 4))\n  ret void\n}\n"
    )
    first, second, _ = module.function("f").entry.instructions
    assert isinstance(first, Call)
    assert first.callee is module.globals["h"]
    assert first.arguments == [module.globals["g"]]
    inner = second.operands[0]
    assert isinstance(inner, ConstantExpression)
    assert inner.operands[0] is module.globals["g"]
    assert isinstance(inner.operands[1], ConstantInt)


def test_metadata_arguments_keep_their_locals() -> None:
    function = only(
        "declare void @llvm.x(metadata, metadata)\ndefine void @f(ptr %p) {\n"
        '  call void @llvm.x(metadata ptr %p, metadata !"text")\n  ret void\n}\n'
    )
    call = function.entry.instructions[0]
    first, second = call.operands[:2]
    assert isinstance(first, MetadataOperand)
    assert first.operands == (function.arguments[0],)
    assert isinstance(second, MetadataOperand)
    assert second.text == '!"text"'


def test_a_variadic_call_keeps_its_type() -> None:
    function = only(
        "declare i32 @printf(ptr, ...)\ndefine void @f() {\n"
        "  %1 = call i32 (ptr, ...) @printf(ptr null, double 1.0)\n  ret void\n}\n"
    )
    call = function.entry.instructions[0]
    assert isinstance(call, Call)
    assert call.function_type is function_type(I32, (PTR,), variadic=True)
    assert [argument.type for argument in call.arguments] == [PTR, DOUBLE]


def test_debug_records_stand_before_their_instruction() -> None:
    function = only(
        "define void @f(double %x) {\n    #dbg_value(double %x, !1, !DIExpression(), !2)\n  %y = fadd double %x, %x\n"
        "    #dbg_value(!DIArgList(double %x, double %y), !1, !DIExpression(), !2)\n  ret void\n}\n"
    )
    first, second = function.entry.records
    assert (first.index, first.text) == (0, "#dbg_value(double {}, !1, !DIExpression(), !2)")
    assert first.operands == [function.arguments[0]]
    assert (second.index, second.operands) == (1, [function.arguments[0], function.entry.instructions[0]])


def test_comments_of_people_are_ignored() -> None:
    function = only(
        "define double @f(double %x) { ; a function\n  ; about y\n"
        "  %y = fadd double %x, 1.0 ; one more\n  ret double %y ; done\n}\n"
    )
    assert len(function.entry.instructions) == 2
    assert function.entry.terminator.metadata == ""


def test_headers() -> None:
    module = parse_module(
        "define internal fastcc noundef nonnull ptr @f("
        "ptr byval({ i32, i32 }) align 8 %a, i32 signext range(i32 0, 5) %1, ...)"
        ' local_unnamed_addr #0 section "s,(" personality ptr @p {\n  ret ptr null\n}\n'
        "declare !dbg !1 void @p(double nofpclass(nan inf), ptr captures(address, read_provenance)) #1\n"
    )
    f, p = module.globals["f"], module.globals["p"]
    assert isinstance(f, Function)
    assert (f.prefix, f.linkage) == ("internal fastcc noundef nonnull", "internal")
    assert f.suffix == 'local_unnamed_addr #0 section "s,(" personality ptr @p'
    assert [a.attributes for a in f.arguments] == ["byval({ i32, i32 }) align 8", "signext range(i32 0, 5)"]
    assert f.function_type is function_type(PTR, (PTR, I32), variadic=True)
    assert isinstance(p, Function)
    assert p.is_declaration
    assert p.prefix == "!dbg !1"
    assert [a.attributes for a in p.arguments] == ["nofpclass(nan inf)", "captures(address, read_provenance)"]
    assert p.function_type is function_type(VOID, (DOUBLE, PTR))


def test_variables() -> None:
    module = parse_module(
        "%s = type { double, i32 }\n"
        "@a = internal constant [2 x %s] [%s { double 1.0, i32 2 }, %s zeroinitializer],"
        ' section "x", align 16, !dbg !3\n'
        "@b = external thread_local addrspace(3) global i32, align 4\n@c = alias i32, ptr @b\n"
    )
    a, b = module.globals["a"], module.globals["b"]
    assert isinstance(a, GlobalVariable)
    assert (a.linkage, a.is_constant, str(a.value_type)) == ("internal", True, "[2 x %s]")
    initial = module.global_initializer(a)
    assert isinstance(initial, ConstantAggregate)
    assert initial.text == "[%s { double 1.0, i32 2 }, %s zeroinitializer]"
    assert isinstance(b, GlobalVariable)
    assert module.global_initializer(b) is None
    assert b.type.text == "ptr addrspace(3)"
    assert "c" in module.globals


def test_named_types_may_be_used_before_their_definition() -> None:
    module = parse_module("%outer = type { %inner, ptr }\n%inner = type <{ i8, double }>\n%hidden = type opaque\n")
    inner = module.types["%inner"]
    assert module.types["%outer"].fields == (inner, PTR)
    assert inner.packed
    assert module.types["%hidden"].fields is None


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("  %y = fadd double %x", "expected ','"),
        ("  %y = fadd double %x, banana", "'banana' is no value of type double"),
        ("  %y = frobnicate double %x", "unknown instruction 'frobnicate'"),
        ("  %y = fadd double %x, %z", "%z is not defined"),
        ("  br label %nowhere", "%nowhere is not defined"),
        ("  call void @unknown()", "@unknown is not defined"),
        ("  store double %x, ptr null, align eight", "eight"),
    ],
)
def test_errors_name_what_is_wrong(line: str, part: str) -> None:
    module = parse_module(f"define double @f(double %x) {{\n{line}\n  ret double %x\n}}\n")
    with pytest.raises(InputError, match=part.replace("(", r"\(")):
        module.function("f")


def test_parameters_of_struct_type():
    module = parse_module("declare void @g({ ptr, i64 }, <{ i8, { i32, ptr } }>, [2 x { i32, i32 }], ...)\n")
    parameters = module.globals["g"].function_type.parameters
    assert [str(p) for p in parameters] == ["{ ptr, i64 }", "<{ i8, { i32, ptr } }>", "[2 x { i32, i32 }]"]


def test_parameters_may_be_structs_in_structs_as_tapes_are():
    type_ = "{ ptr, i64 }"
    for _ in range(12):
        type_ = f"{{ i64, {type_}, [2 x {type_}] }}" if type_.count("{") < 8 else f"{{ {type_} }}"
    module = parse_module(f"declare void @f({type_}, ptr, {{ {type_}, i1 }})")
    assert [a.type.text for a in module.function("f").arguments] == [type_, "ptr", f"{{ {type_}, i1 }}"]
