"""Virtual calls keep the class that they are made through."""

from __future__ import annotations

import re

from enzyme_build.llvm.virtual_calls import with_classes

TEXT = """
@_ZTV1A = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @f] }, !type !0
@_ZTV1B = internal constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @f] }, !type !1
declare i1 @llvm.public.type.test(ptr, metadata)
declare i1 @llvm.type.test(ptr, metadata)
declare void @llvm.assume(i1)
define double @f(ptr %this) {
  ret double 1.0
}
define double @first(ptr %object) personality ptr null {
  %vtable = load ptr, ptr %object, align 8
  %0 = tail call i1 @llvm.public.type.test(ptr %vtable, metadata !"_ZTS1A"), !dbg !9
  tail call void @llvm.assume(i1 %0)
  %1 = load ptr, ptr %vtable, align 8
  %r = tail call noundef double %1(ptr noundef nonnull %object) #3, !dbg !9
  ret double %r
}
define double @second(ptr %object, ptr %other) {
  %vtable = load ptr, ptr %object, align 8
  %0 = call i1 @llvm.type.test(ptr nonnull %vtable, metadata !5)
  call void @llvm.assume(i1 %0)
  %vfn = getelementptr inbounds nuw i8, ptr %vtable, i64 16
  %1 = load ptr, ptr %vfn, align 8, !dbg !9
  %r = invoke double %1(ptr %object)
          to label %next unwind label %next
next:
  %2 = load ptr, ptr %other, align 8
  %s = call double %2(ptr %object)
  ret double %s
}
!0 = !{i64 16, !"_ZTS1A"}
!1 = !{i64 16, !5}
!5 = distinct !{}
!6 = !{i64 16, !7}
!7 = distinct !{}
"""


def calls(text: str) -> list[str]:
    return re.findall(r"(?:call|invoke)[^\n]* (%\d+\([^\n]*)", text)


def test_calls_through_tested_tables_say_the_class() -> None:
    assert calls(with_classes(TEXT)) == [
        '%1(ptr noundef nonnull %object) "enzyme-class"="_ZTS1A" #3, !dbg !9',
        '%1(ptr %object) "enzyme-class"="hidden class 5"',
        "%2(ptr %object)",
    ]


def test_tests_are_true_and_hidden_classes_get_names() -> None:
    text = with_classes(TEXT)
    assert "type.test(ptr %" not in text
    assert text.count("icmp eq i32 0, 0") == 2
    assert '!1 = !{i64 16, !"hidden class 5"}' in text
    assert "!6 = !{i64 16, !7}" in text


def test_modules_without_tests_stay_as_they_are() -> None:
    text = "define void @f() {\n  ret void\n}\n"
    assert with_classes(text) is text
