"""What a linker would have done between its inputs, done to merged modules."""

from __future__ import annotations

import re

from enzyme_build.differentiate.runtime import TEXTS
from enzyme_build.llvm import context
from enzyme_build.llvm.emit import emit_object
from enzyme_build.llvm.linkage import set_apart, with_init_arrays, without_folder, wrapped
from enzyme_build.llvm.optimise import Target
from enzyme_build.llvm.text import hide

CONSTRUCTORS = """
$key = comdat any
@key = linkonce_odr global i32 0, comdat, align 4
@plain = global i32 0
@llvm.global_ctors = appending global [4 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @b, ptr @key }, \
{ i32, ptr, ptr } { i32 65535, ptr @c, ptr @plain }, { i32, ptr, ptr } { i32 200, ptr @a, ptr null }, \
{ i32, ptr, ptr } { i32 65535, ptr @"d e", ptr null }]
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 300, ptr @a, ptr null }]
define void @a() {
  ret void
}
define void @b() {
  ret void
}
define void @c() {
  ret void
}
define void @"d e"() {
  ret void
}
"""


def test_constructors_stand_in_sections_by_priority_and_in_their_order() -> None:
    text = with_init_arrays(CONSTRUCTORS)
    context.parse_text(text, "the test")
    lines = [line.partition(" = ")[2] for line in text.splitlines() if line.startswith("@enzyme_build.")]
    assert lines == [
        'private global ptr @a, section ".init_array.00200", align 8',
        'private global ptr @b, section ".init_array", comdat($key), align 8',
        'private global ptr @c, section ".init_array", align 8',
        'private global ptr @"d e", section ".init_array", align 8',
        'private global ptr @a, section ".fini_array.00300", align 8',
    ]
    assert "llvm.global_" not in text


def test_objects_have_no_ctors_sections() -> None:
    data = emit_object(context.parse_text(str(context.parse_text(CONSTRUCTORS, "the test")), "the test"), Target())
    assert b".init_array" in data
    assert b".ctors" not in data


WRAPPED = """
@text = constant [6 x i8] c"@value"
@table = global ptr @value
declare i32 @value()
declare i32 @__real_value()
declare i32 @__wrap_value()
define i32 @f() {
  %1 = call i32 @value()
  %2 = call i32 @__real_value()
  %3 = call i32 @__wrap_value()
  %4 = call i32 @values()
  ret i32 %1
}
declare i32 @values()
"""


def test_a_wrapped_function_is_called_by_its_other_name() -> None:
    text = wrapped(WRAPPED, ["value"])
    context.parse_text(text, "the test")
    assert [line.split("@")[1] for line in text.splitlines() if "call" in line] == [
        "__wrap_value()",
        "value()",
        "__wrap_value()",
        "values()",
    ]
    assert "@table = global ptr @__wrap_value" in text
    assert 'c"@value"' in text


def test_the_unit_that_defines_a_wrapped_function_calls_it() -> None:
    text = "define i32 @value() {\n  ret i32 1\n}\ndefine i32 @f() {\n  %1 = call i32 @value()\n  ret i32 %1\n}\n"
    assert wrapped(text, ["value"]) is text


def test_hidden_definitions() -> None:
    text = hide(
        "@a = dso_local global i32 0\n@b = internal global i32 0\n@c = external global i32\n"
        "define weak_odr dso_local i32 @f() {\n  ret i32 0\n}\ndefine i32 @g() {\n  ret i32 0\n}\n",
        {"a", "b", "c", "f"},
    )
    assert text.splitlines()[:4] == [
        "@a = hidden global i32 0",
        "@b = internal global i32 0",
        "@c = external global i32",
        "define weak_odr hidden i32 @f() {",
    ]
    assert "define i32 @g()" in text


def test_static_functions_with_names_of_the_library_get_others() -> None:
    own = "define internal void @write() {\n  ret void\n}\ndefine void @f() {\n  call void @write()\n  ret void\n}\n"
    assert set_apart(own) == own.replace("@write", "@write.own")
    shared = own.replace("internal ", "")
    assert set_apart(shared) == shared


def test_no_name_that_derivatives_call_is_left_to_programs() -> None:
    called = set(re.findall(r"(?m)^declare [^@]*@(\w+)\(", "".join(TEXTS.values())))
    assert {"write", "abort", "mincore"} <= called
    for name in called:
        own = f"define internal void @{name}() {{\n  ret void\n}}\n"
        assert set_apart(own) == own.replace(name, f"{name}.own")


def test_paths_of_fortran_become_relative_to_a_folder() -> None:
    name, other = b"/home/a b/k.f90".hex().upper(), b"/else/k.f90".hex().upper()
    rest = f"call void @f(ptr @_QQclX{name}, ptr @_QQclX{other})\n"
    text = (
        f'@_QQclX{name} = linkonce constant [16 x i8] c"/home/a b/k.f90\\00", comdat\n'
        f'@_QQclX{other} = linkonce constant [12 x i8] c"/else/k.f90\\00", comdat\n{rest}'
        '!1 = !DIFile(filename: "k.f90", directory: "/home/a b")\n'
        '!2 = !DIFile(filename: "k.c", directory: "/home/a b")\n'
    )
    short = b"k.f90".hex().upper()
    assert without_folder(text, "/home/a b") == (
        f'@_QQclX{short} = linkonce constant [6 x i8] c"k.f90\\00", comdat\n'
        f'@_QQclX{other} = linkonce constant [12 x i8] c"/else/k.f90\\00", comdat\n{rest.replace(name, short)}'
        '!1 = !DIFile(filename: "k.f90", directory: ".")\n!2 = !DIFile(filename: "k.c", directory: "/home/a b")\n'
    )
    assert without_folder(text, "/home/other") == text
