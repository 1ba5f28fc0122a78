"""What varies, what is useful, and which memory has shadows."""

from __future__ import annotations

from .models import Model


def names(values):
    return {value.name for value in values}


def regions(model, found, *pointers):
    """Which of the named pointers point into the given regions."""
    return {name for name in pointers if model.place(name).region in found}


ARITHMETIC = """
declare double @sin(double)
define double @f(double %x, double %k, i32 %n) {
  %s = call double @sin(double %x)
  %useless = fmul double %x, 2.0
  %constant = fmul double %k, 2.0
  %r = fmul double %s, %constant
  %c = fptosi double %x to i32
  %back = sitofp i32 %c to double
  %t = fadd double %r, %back
  ret double %t
}"""


def test_active_is_varied_and_useful():
    found = Model(ARITHMETIC).activity("out const const", "out")
    assert names(found.values) == {"x", "s", "r", "t"}


def test_nothing_is_active_without_an_active_result():
    assert not Model(ARITHMETIC).activity("out out const").values


def test_nothing_is_active_without_an_active_argument():
    assert not Model(ARITHMETIC).activity("const const const", "out").values


def test_through_memory():
    m = Model("""
define void @f(ptr noalias %in, ptr noalias %out, ptr noalias %table) {
  %x = load double, ptr %in
  %k = load double, ptr %table
  %y = fmul double %x, %k
  %z = fmul double %k, %k
  store double %y, ptr %out
  ret void
}""")
    found = m.activity("dup dup const")
    assert names(found.values) == {"x", "y"}
    assert not found.is_active(m["k"])
    assert not found.is_active(m["z"])
    assert regions(m, found.regions, "in", "out", "table") == {"in", "out"}


LOCALS = """
define double @f(double %x, double %k) {
  %a = alloca double
  %b = alloca double
  %c = alloca double
  store double %x, ptr %a
  store double %k, ptr %b
  store double %x, ptr %c
  %u = load double, ptr %a
  %v = load double, ptr %b
  %r = fmul double %u, %v
  ret double %r
}"""


def test_local_memory_is_active_if_a_number_goes_through_it():
    m = Model(LOCALS)
    found = m.activity("out const", "out")
    assert regions(m, found.regions, "a", "b", "c") == {"a"}
    assert regions(m, found.shadowed, "a", "b", "c") == {"a"}
    assert names(found.values) >= {"u", "r"}
    assert not found.is_active(m["v"])


def test_integers_and_pointers_are_no_numbers():
    m = Model("""
define void @f(ptr %p, i64 %n, ptr %index) {
  %j = load i64, ptr %index
  %i = add i64 %j, %n
  %q = getelementptr double, ptr %p, i64 %i
  %v = load double, ptr %q
  store double %v, ptr %p
  ret void
}""")
    found = m.activity("dup const dup")
    assert names(found.values) == {"v"}


def test_a_double_carried_by_an_integer_is_a_number():
    m = Model("""
define void @f(ptr %p, ptr %q) {
  %b = load i64, ptr %p
  store i64 %b, ptr %q
  %v = load double, ptr %q
  ret void
}""")
    assert m.activity("dup dup").is_active(m["b"])


def test_memory_that_points_to_active_memory_has_a_shadow():
    m = Model("""
define double @f(ptr %t) {
  %p = load ptr, ptr %t
  %v = load double, ptr %p
  ret double %v
}""")
    found = m.activity("dup", "out")
    assert found.has_shadow(m["t"])
    assert found.has_shadow(m["p"])


def test_local_table_of_pointers():
    m = Model("""
define double @f(ptr %x, i64 %i) {
  %t = alloca [2 x ptr]
  %u = alloca ptr
  store ptr %x, ptr %t
  %q = load ptr, ptr %t
  %v = load double, ptr %q
  ret double %v
}""")
    found = m.activity("dup const", "out")
    assert found.has_shadow(m["t"])
    assert not found.has_shadow(m["u"])


MIXED = """
define double @f(ptr %a, ptr %b, i1 %c) {
  %p = select i1 %c, ptr %a, ptr %b
  %v = load double, ptr %p
  ret double %v
}"""


def test_a_pointer_to_either_constant_or_active_memory_is_uncertain():
    m = Model(MIXED)
    assert m.activity("dup const const", "out").is_uncertain(m["p"])
    assert not m.activity("dup dup const", "out").is_uncertain(m["p"])
    assert m.activity("dup runtime const", "out").is_uncertain(m["p"])


def test_constant_memory_alone_is_not_uncertain():
    m = Model(MIXED)
    found = m.activity("const const const", "out")
    assert not found.is_active(m["v"])
    assert not found.is_uncertain(m["p"])


def test_constant_table_among_active_memory():
    m = Model("""
@one = internal constant double 1.0
define double @f(ptr %a, i1 %c) {
  %p = select i1 %c, ptr %a, ptr @one
  %v = load double, ptr %p
  ret double %v
}""")
    assert m.activity("dup const", "out").is_uncertain(m["p"])


def test_inactive_functions_stop_activity():
    m = Model("""
declare i32 @printf(ptr, ...)
@text = internal constant [3 x i8] c"%g\\00"
define double @f(double %x) {
  %n = call i32 (ptr, ...) @printf(ptr @text, double %x)
  ret double %x
}""")
    found = m.activity("out", "out")
    assert names(found.values) == {"x"}


def test_memcpy_carries_activity_forward_and_backward():
    m = Model("""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(double %x, double %k) {
  %a = alloca double
  %b = alloca double
  %c = alloca double
  store double %x, ptr %a
  store double %k, ptr %c
  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 8, i1 false)
  %v = load double, ptr %b
  ret double %v
}""")
    found = m.activity("out const", "out")
    assert regions(m, found.regions, "a", "b", "c") == {"a", "b"}


def test_active_globals():
    m = Model("""
@g = internal global double 0.0
define double @f() {
  %v = load double, ptr @g
  ret double %v
}""")
    assert not m.activity("", "out").is_active(m["v"])
    assert m.activity("", "out", ("@g",)).is_active(m["v"])


def test_calls_carry_activity_through_memory():
    m = Model("""
define internal void @g(ptr %x, ptr %y) {
  %v = load double, ptr %x
  store double %v, ptr %y
  ret void
}
define double @f(double %x) {
  %a = alloca double
  %b = alloca double
  store double %x, ptr %a
  call void @g(ptr %a, ptr %b)
  %v = load double, ptr %b
  ret double %v
}""")
    found = m.activity("out", "out")
    assert regions(m, found.regions, "a", "b") == {"a", "b"}
    assert found.is_active(m["v"])


def test_loop_carried():
    m = Model("""
define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %k = phi double [ 0.0, %entry ], [ %l, %loop ]
  %i = phi i64 [ 0, %entry ], [ %m, %loop ]
  %l = fadd double %k, 1.0
  %t = fadd double %s, %x
  %m = add i64 %i, 1
  %c = icmp eq i64 %m, %n
  br i1 %c, label %exit, label %loop
exit:
  %r = fadd double %t, %l
  ret double %r
}""")
    assert names(m.activity("out const", "out").values) == {"x", "s", "t", "r"}


def test_reallocated_memory_is_certain():
    m = Model("""
declare ptr @realloc(ptr, i64)
define double @f(double %x) {
  %p = call ptr @realloc(ptr null, i64 8)
  store double %x, ptr %p
  %v = load double, ptr %p
  ret double %v
}""")
    found = m.activity("out", "out")
    assert found.has_shadow(m["p"])
    assert not found.is_uncertain(m["p"])


HELD = """
define double @read(ptr %s) {
  %a = load ptr, ptr %s
  %at = getelementptr i8, ptr %s, i64 8
  %b = load ptr, ptr %at
  %x = load double, ptr %a
  %y = load ELEMENT, ptr %b
  %r = fmul double %x, 2.0
  ret double %r
}
define double @f(ptr %x, ptr %k) {
  %s = alloca { ptr, ptr }
  store ptr %x, ptr %s
  %at = getelementptr i8, ptr %s, i64 8
  store ptr %k, ptr %at
  %r = call double @read(ptr %s)
  ret double %r
}"""


def test_constant_numbers_behind_memory_with_a_shadow():
    """A callee would take what it finds in the shadow of `s` for the shadow of `k`."""
    m = Model(HELD.replace("ELEMENT", "double"))
    found = m.activity("dup const", "out")
    assert found.leads_to_constants(m["s"])
    assert not found.leads_to_constants(m["x"])


def test_integers_need_no_shadow():
    m = Model(HELD.replace("ELEMENT", "i32").replace("%r = fmul", "%n = add i32 %y, 1\n  %r = fmul"))
    assert not m.activity("dup const", "out").leads_to_constants(m["s"])


def test_everything_with_a_shadow_of_its_own():
    m = Model(HELD.replace("ELEMENT", "double"))
    assert not m.activity("dup dup", "out").leads_to_constants(m["s"])


def test_exceptions_lose_no_derivatives():
    """A recursive call may write all memory, that of exceptions too, which holds no numbers."""
    m = Model("""
@table = external constant ptr
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)
define double @f(ptr %p, i64 %n) {
entry:
  %bad = icmp slt i64 %n, 0
  br i1 %bad, label %throw, label %go
throw:
  %e = call ptr @__cxa_allocate_exception(i64 8)
  store ptr @table, ptr %e
  call void @__cxa_throw(ptr %e, ptr null, ptr null)
  unreachable
go:
  %m = sub i64 %n, 1
  %x = load double, ptr %p
  %y = fmul double %x, %x
  store double %y, ptr %p
  %r = call double @f(ptr %p, i64 %m)
  ret double %r
}""")
    assert not m.activity("dup const", "out").lost


STEP = """
declare void @write(ptr)
declare void @both(ptr, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @step(ptr %x, ptr %log) {
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %x
  BODY
  ret void
}
define double @f(ptr noalias %x, ptr noalias %log) {
  call void @step(ptr %x, ptr %log)
  %r = load double, ptr %x
  ret double %r
}"""


def varies(body: str) -> set[str]:
    m = Model(STEP.replace("BODY", body))
    return regions(m, m.activity("dup const", "out").varied_regions, "x", "log")


def test_a_callee_does_not_mix_what_it_keeps_apart():
    assert varies("call void @write(ptr %log)") == {"x"}


def test_bytes_that_a_callee_copies_vary():
    assert varies("call void @llvm.memcpy.p0.p0.i64(ptr %log, ptr %x, i64 8, i1 false)") == {"x", "log"}


def test_what_unseen_code_is_given_beside_a_number_varies():
    assert varies("call void @write(ptr %log, ptr %x)".replace("@write", "@both")) == {"x", "log"}


FREED = """
@table = internal constant [2 x i8] c"k1"
declare void @free(ptr)
define double @f(double %x, ptr noalias %names) {
  %object = alloca { double, ptr }
  store double %x, ptr %object
  %member = getelementptr i8, ptr %object, i64 8
  store ptr @table, ptr %member
  %name = load ptr, ptr %member
  call void @free(ptr %name)
  %v = load double, ptr %object
  ret double %v
}"""


def test_what_is_freed_and_not_known_to_be_allocated_here_may_have_a_shadow():
    """Whoever allocated it may have done so for both."""
    m = Model(FREED)
    found = m.activity("out const", "out")
    assert regions(m, found.shadowed, "object", "name") == {"object", "name"}
    assert regions(m, found.uncertain, "object", "name") == {"name"}


def test_what_is_only_read_has_none():
    m = Model(FREED.replace("call void @free(ptr %name)", "%byte = load i8, ptr %name"))
    found = m.activity("out const", "out")
    assert regions(m, found.shadowed, "object", "name") == {"object"}


FILLED = """
define internal double @use(ptr %s) {
  %first = load ptr, ptr %s
  FILL
  %at = getelementptr i8, ptr %s, i64 8
  %pos = load ptr, ptr %at
  %n = load i32, ptr %first
  %c = sitofp i32 %n to double
  %v = load double, ptr %pos
  %r = fmul double %c, %v
  ret double %r
}
define double @f(ptr %x) {
  %first = alloca i32
  %s = alloca { ptr, ptr }
  store i32 1, ptr %first
  store ptr %first, ptr %s
  %at = getelementptr i8, ptr %s, i64 8
  store ptr %x, ptr %at
  %r = call double @use(ptr %s)
  ret double %r
}"""


def test_integers_that_a_callee_changes_beside_numbers_have_a_shadow():
    """It would change what it takes for their shadow, too."""
    m = Model(FILLED.replace("FILL", "store i32 2, ptr %first"))
    assert regions(m, m.activity("dup", "out").shadowed, "first", "s") == {"first", "s"}
    m = Model(FILLED.replace("FILL", ""))
    assert regions(m, m.activity("dup", "out").shadowed, "first", "s") == {"s"}


def test_memory_of_integers_that_others_made_may_be_its_own_shadow():
    m = Model("""
define double @f(ptr %s) {
  %first = load ptr, ptr %s
  store i32 2, ptr %first
  %at = getelementptr i8, ptr %s, i64 8
  %pos = load ptr, ptr %at
  %v = load double, ptr %pos
  ret double %v
}""")
    found = m.activity("dup", "out")
    assert [found.may_be_own(m[name]) for name in ("s", "first", "pos")] == [False, True, False]
    assert not found.is_uncertain(m["first"])


def test_what_leads_to_integers_that_a_callee_changes_has_one_too():
    text = FILLED.replace("%first = load ptr, ptr %s\n", "%in = load ptr, ptr %s\n  %first = load ptr, ptr %in\n")
    text = text.replace(
        "  store ptr %first, ptr %s", "  %in = alloca ptr\n  store ptr %first, ptr %in\n  store ptr %in, ptr %s"
    )
    m = Model(text.replace("FILL", "store i32 2, ptr %first"))
    assert regions(m, m.activity("dup", "out").shadowed, "first", "in", "s") == {"first", "in", "s"}


def test_variables_of_integers_that_a_callee_changes_have_a_shadow():
    text = FILLED.replace("%first = alloca i32", "%first = getelementptr i8, ptr @count, i64 0")
    m = Model("@count = internal global i32 0\n" + text.replace("FILL", "store i32 2, ptr %first"))
    assert regions(m, m.activity("dup", "out").shadowed, "first", "s") == {"first", "s"}
