"""What memory holds and where pointers point, from accesses, arithmetic and calls."""

from __future__ import annotations

from enzyme_build.analysis.bytetypes import Component
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir.types import DOUBLE, FLOAT

from .models import Model

INTEGER, POINTER, UNKNOWN = (Kind.INTEGER, None), (Kind.POINTER, None), (Kind.UNKNOWN, None)


def test_loads_and_stores_type_memory():
    m = Model("""
define void @f(ptr %p, ptr %q) {
  %v = load double, ptr %p
  %at = getelementptr i8, ptr %p, i64 8
  store i32 7, ptr %at
  %r = load ptr, ptr %q
  %w = load float, ptr %r
  ret void
}""")
    assert m.holds("p") == (Kind.FLOAT, DOUBLE)
    assert m.holds("p", 8) == INTEGER
    assert m.holds("p", 16) == UNKNOWN
    assert m.holds("q") == POINTER
    assert m.holds("r") == (Kind.FLOAT, FLOAT)
    assert not m.same_region("p", "q")


def test_zero_says_nothing():
    """i64 0 may be stored over a double, a pointer or an integer."""
    m = Model("define void @f(ptr %p) {\n  store i64 0, ptr %p\n  ret void\n}")
    assert m.holds("p") == UNKNOWN


def test_double_carried_by_an_integer():
    m = Model("""
define void @f(ptr %p, ptr %q) {
  %bits = load i64, ptr %p
  store i64 %bits, ptr %q
  %v = load double, ptr %q
  ret void
}""")
    assert m.holds("p") == (Kind.FLOAT, DOUBLE)
    assert m.memory.integer_kind(m["bits"]) == (Kind.FLOAT, DOUBLE)


def test_computing_makes_an_integer():
    m = Model("""
define void @f(ptr %p, ptr %q) {
  %a = load i64, ptr %p
  %b = mul i64 %a, 3
  %c = load i64, ptr %q
  %d = getelementptr double, ptr %p, i64 %c
  ret void
}""")
    assert m.holds("p") == INTEGER
    assert m.holds("q") == INTEGER


def test_masking_bits_does_not_make_an_integer():
    """The sign bit of a double is cleared by `and`."""
    m = Model("""
define double @f(ptr %p) {
  %a = load i64, ptr %p
  %b = and i64 %a, 9223372036854775807
  %c = bitcast i64 %b to double
  ret double %c
}""")
    assert m.holds("p") == UNKNOWN
    assert m.memory.integer_kind(m["b"]) == (Kind.FLOAT, DOUBLE)


def test_contradicting_accesses_are_mixed():
    m = Model("""
define void @f(ptr %p) {
  %a = load double, ptr %p
  %b = load float, ptr %p
  ret void
}""")
    assert m.holds("p")[0] is Kind.MIXED


def test_struct_of_an_array_in_a_loop():
    m = Model("""
define void @f(ptr %p, i64 %i) {
  %a = getelementptr { i32, double }, ptr %p, i64 %i, i32 1
  %v = load double, ptr %a
  %b = getelementptr { i32, double }, ptr %p, i64 %i
  store i32 1, ptr %b
  ret void
}""")
    assert (m.place("a").offset, m.place("a").stride) == (8, 16)
    assert m.holds("a") == (Kind.FLOAT, DOUBLE)
    assert m.holds("b") == INTEGER


def test_phi_and_select_unify():
    m = Model("""
define void @f(ptr %p, ptr %q, ptr %s, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %m = phi ptr [ %p, %entry ], [ %q, %a ]
  %n = select i1 %c, ptr %m, ptr null
  %v = load double, ptr %n
  ret void
}""")
    assert m.same_region("p", "q")
    assert not m.same_region("p", "s")
    assert m.holds("q") == (Kind.FLOAT, DOUBLE)


def test_walking_pointer_has_the_stride_of_its_steps():
    m = Model("""
define void @f(ptr %p, i1 %c) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %n, %loop ]
  %v = load double, ptr %q
  %n = getelementptr i8, ptr %q, i64 8
  br i1 %c, label %loop, label %exit
exit:
  ret void
}""")
    assert m.same_region("p", "q")
    assert m.place("q").stride == 8


def test_memcpy_shares_what_is_held():
    m = Model("""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q, ptr %r) {
  %at = getelementptr i8, ptr %p, i64 16
  %v = load double, ptr %at
  %beyond = getelementptr i8, ptr %p, i64 24
  %w = load float, ptr %beyond
  %from = getelementptr i8, ptr %p, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %from, i64 16, i1 false)
  ret void
}""")
    assert m.holds("q", 8) == (Kind.FLOAT, DOUBLE)
    assert m.holds("q", 16) == UNKNOWN
    assert not m.same_region("p", "q")


def test_copied_pointers_point_to_the_same():
    m = Model("""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  %a = load ptr, ptr %p
  %b = load ptr, ptr %q
  ret void
}""")
    assert m.same_region("a", "b")


def test_members_named_by_the_copy():
    """`*q = *p` in C: struct { long n; double x; float v[2]; void *s; }."""
    m = Model("""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, ptr %q) {
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 32, i1 false), !tbaa.struct !0
  ret void
}
!0 = !{i64 0, i64 8, !1, i64 8, i64 8, !2, i64 16, i64 8, !3, i64 24, i64 8, !8, i64 32, i64 1, !9}
!1 = !{!4, !4, i64 0}
!2 = !{!5, !5, i64 0}
!3 = !{!6, !6, i64 0}
!4 = !{!"long", !7, i64 0}
!5 = !{!"double", !7, i64 0}
!6 = !{!"float", !7, i64 0}
!7 = !{!"omnipotent char", !10, i64 0}
!8 = !{!11, !11, i64 0}
!9 = !{!7, !7, i64 0}
!10 = !{!"Simple C/C++ TBAA"}
!11 = !{!"any pointer", !7, i64 0}
""")
    for pointer in "pq":
        assert m.holds(pointer) == INTEGER
        assert m.holds(pointer, 8) == (Kind.FLOAT, DOUBLE)
        assert m.holds(pointer, 16) == m.holds(pointer, 20) == (Kind.FLOAT, FLOAT)
        assert m.holds(pointer, 24) == POINTER
        assert m.holds(pointer, 32) == UNKNOWN


CALLS = """
define internal void @g(ptr %x, ptr %y) {
  %v = load double, ptr %x
  store double %v, ptr %y
  ret void
}
define void @f(ptr %a, ptr %b, ptr %c) {
  call void @g(ptr %a, ptr %b)
  call void @g(ptr %b, ptr %c)
  ret void
}"""


def test_callees_type_their_callers_memory_per_call():
    m = Model(CALLS)
    for name in "abc":
        assert m.holds(name) == (Kind.FLOAT, DOUBLE)
    assert not m.same_region("a", "b")
    assert not m.same_region("b", "c")


def test_effects_of_a_call_are_the_callees():
    m = Model(CALLS)
    first = next(i for i in m.function.instructions() if i in m.memory.effects)
    effects = m.memory.effects[first]
    assert [p.resolved().region for p in effects.reads] == [m.place("a").region]
    assert [p.resolved().region for p in effects.writes] == [m.place("b").region]


def test_returned_argument():
    m = Model("""
define internal ptr @g(ptr %x) {
  %y = getelementptr i8, ptr %x, i64 8
  ret ptr %y
}
define void @f(ptr %a) {
  %b = call ptr @g(ptr %a)
  %v = load float, ptr %b
  ret void
}""")
    assert m.same_region("a", "b")
    assert m.holds("a", 8) == (Kind.FLOAT, FLOAT)


def test_each_call_of_an_allocating_function_is_memory_of_its_own():
    m = Model("""
declare ptr @malloc(i64)
define internal ptr @g() {
  %m = call ptr @malloc(i64 8)
  ret ptr %m
}
define void @f() {
  %a = call ptr @g()
  %b = call ptr @g()
  store double 1.0, ptr %a
  store i64 5, ptr %b
  ret void
}""")
    assert not m.same_region("a", "b")
    assert m.holds("a") == (Kind.FLOAT, DOUBLE)
    assert m.holds("b") == INTEGER


def test_recursive_functions_share_their_regions():
    m = Model("""
define void @f(ptr %node) {
entry:
  %at = getelementptr i8, ptr %node, i64 8
  %next = load ptr, ptr %at
  %end = icmp eq ptr %next, null
  br i1 %end, label %done, label %more
more:
  call void @f(ptr %next)
  br label %done
done:
  %v = load double, ptr %node
  ret void
}""")
    assert m.same_region("node", "next")
    assert m.holds("next") == (Kind.FLOAT, DOUBLE)


def test_unknown_call_may_keep_what_it_reaches():
    m = Model("""
declare void @unknown(ptr)
define void @f() {
  %a = alloca double
  %b = alloca double
  %t = alloca ptr
  store ptr %a, ptr %t
  call void @unknown(ptr %t)
  %v = load double, ptr %b
  ret void
}""")
    assert m.place("a").region.external
    assert m.place("t").region.external
    assert not m.place("b").region.external


def test_known_functions_type_memory():
    m = Model("""
declare double @frexp(double, ptr)
declare double @modf(double, ptr)
define void @f(double %x, ptr %e, ptr %w) {
  %a = call double @frexp(double %x, ptr %e)
  %b = call double @modf(double %x, ptr %w)
  ret void
}""")
    assert m.holds("e") == INTEGER
    assert m.holds("w") == (Kind.FLOAT, DOUBLE)


def test_declared_types_of_allocas_and_globals():
    m = Model("""
@g = global { double, ptr } zeroinitializer
define void @f() {
  %a = alloca [4 x float]
  store double 1.0, ptr @g
  ret void
}""")
    assert m.place("a").region.declared
    assert m.place("@g").region.declared
    assert m.place("@g").region.external


def test_pointer_through_an_integer():
    m = Model("""
define void @f(ptr %p) {
  %i = ptrtoint ptr %p to i64
  %j = and i64 %i, -8
  %q = inttoptr i64 %j to ptr
  %v = load double, ptr %q
  ret void
}""")
    assert m.same_region("p", "q")
    assert m.place("q").stride == 1


def test_members_of_an_aggregate():
    m = Model("""
define void @f({ ptr, i64 } %s, ptr %p) {
  %a = extractvalue { ptr, i64 } %s, 0
  %n = extractvalue { ptr, i64 } %s, 1
  %t = insertvalue { ptr, i64 } %s, ptr %p, 0
  %b = extractvalue { ptr, i64 } %t, 0
  %v = load double, ptr %b
  ret void
}""")
    assert m.same_region("b", "p")
    assert not m.same_region("a", "p")


def test_reallocating_null_allocates():
    m = Model("""
declare ptr @realloc(ptr, i64)
define void @f(i1 %c) {
entry:
  br label %loop
loop:
  %p = phi ptr [ null, %entry ], [ %q, %loop ]
  %q = call ptr @realloc(ptr %p, i64 80)
  store double 1.0, ptr %q
  br i1 %c, label %loop, label %exit
exit:
  ret void
}""")
    assert m.same_region("p", "q")
    assert m.holds("q") == (Kind.FLOAT, DOUBLE)


LIST = """
define void @f(ptr %header) {
  %s = getelementptr i8, ptr %header, i64 16
  %size = load i64, ptr %s, !tbaa !0
  %more = add i64 %size, 1
  store i64 %more, ptr %s, !tbaa !0
  %node = load ptr, ptr %header
  store ptr %node, ptr %header
  %n = select i1 true, ptr %node, ptr %header
  %d = getelementptr i8, ptr %n, i64 16
  %v = load double, ptr %d, !tbaa !4
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"double", !2, i64 0}
"""


def test_integer_among_numbers_of_other_objects():
    """std::list: the size in the header lies where nodes hold their value; C++ says which is meant by its types."""
    m = Model(LIST)
    assert m.holds("s")[0] is Kind.MIXED
    assert m.memory.integer_kind(m["size"]) == INTEGER
    assert m.memory.integer_kind(m["more"]) == INTEGER


def test_bytes_of_a_number_copied_to_an_integer():
    """An access without a type may be what became of memcpy(&header->size, &number, 8)."""
    m = Model(LIST.replace(", !tbaa !4", ""))
    assert m.memory.integer_kind(m["size"])[0] is Kind.MIXED


ELEMENTS = """
declare ptr @malloc(i64)
define internal void @make(ptr %row) {
  %m = call ptr @malloc(i64 24)
  store ptr %m, ptr %row
  %at = getelementptr i8, ptr %row, i64 8
  store ptr %m, ptr %at
  ret void
}
define internal ptr @second(ptr %row) {
  %at = getelementptr i8, ptr %row, i64 8
  ret ptr %at
}
define internal ptr @behind(ptr %holder) {
  %row = load ptr, ptr %holder
  %at = getelementptr i8, ptr %row, i64 8
  ret ptr %at
}
define void @f(ptr %rows, i64 %n, ptr %holder) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %row = getelementptr [16 x i8], ptr %rows, i64 %i
  call void @make(ptr %row)
  %any = call ptr @second(ptr %row)
  store ptr %row, ptr %holder
  %held = call ptr @behind(ptr %holder)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  %other = getelementptr i8, ptr %rows, i64 32
  %first = load ptr, ptr %other
  %end = getelementptr i8, ptr %rows, i64 40
  %last = load ptr, ptr %end
  ret void
}"""


def test_a_callee_that_is_given_any_element_works_on_all():
    m = Model(ELEMENTS)
    assert m.same_region("first", "last")


def test_places_in_any_element_that_callees_return_may_be_in_any():
    m = Model(ELEMENTS)
    for name in ("any", "held"):
        assert (m.place(name).offset, m.place(name).stride) == (8, 16)


def test_any_element_may_also_be_found_in_memory():
    """What the callee stores in the element that it finds is in all of them."""
    m = Model(
        ELEMENTS.replace("%row) {\n  %m = call", "%in) {\n  %row = load ptr, ptr %in\n  %m = call")
        .replace("call void @make(ptr %row)", "store ptr %row, ptr %holder\n  call void @make(ptr %holder)")
    )  # fmt: skip
    assert m.same_region("first", "last")


def test_a_variable_that_a_callee_takes_for_the_end_of_an_object():
    """Its first byte is not that of the object, for the second call as for the first."""
    m = Model("""
%state = type { i64, double, ptr }
@state = global %state zeroinitializer

define internal double @value(ptr %p) {
  %default = icmp eq ptr %p, null
  %q = select i1 %default, ptr getelementptr (%state, ptr @state, i64 0, i32 1), ptr %p
  %next.at = getelementptr i8, ptr %q, i64 8
  %next = load ptr, ptr %next.at
  %v = load double, ptr %next
  %w = load double, ptr %q
  %s = fadd double %v, %w
  ret double %s
}

define double @f(ptr %y, ptr %t) {
  %inner = getelementptr i8, ptr %t, i64 32
  %next.at = getelementptr i8, ptr %t, i64 40
  store ptr %y, ptr %next.at
  %a = call double @value(ptr %inner)
  %b = call double @value(ptr %inner)
  %s = fadd double %a, %b
  ret double %s
}""")
    for call in (m["a"], m["b"]):
        assert m.place("y").region in {place.resolved().region for place in m.memory.effects[call].reads}
    assert m.holds("t", 16) == UNKNOWN
    assert m.holds("t", 32) == (Kind.FLOAT, DOUBLE)


def test_each_variable_stands_where_the_callee_has_it():
    """Of variables that one pointer may lead to, which begin at different distances from there."""
    m = Model("""
@first = global [4 x double] zeroinitializer
@second = global [4 x double] zeroinitializer

define internal double @value(i1 %c) {
  %end = getelementptr i8, ptr @first, i64 16
  %q = select i1 %c, ptr %end, ptr @second
  %v = load double, ptr %q
  ret double %v
}

define double @f(i1 %c) {
  %a = call double @value(i1 %c)
  %v = load i64, ptr @second
  %n = add i64 %v, 1
  ret double %a
}""")
    assert m.place("@second").offset - m.place("@first").offset == 16


def test_descriptions_of_types_are_no_memory():
    m = Model("""
@_ZTI1A = external constant ptr
define void @f(ptr %p) {
  store ptr @_ZTI1A, ptr %p
  %q = load ptr, ptr %p
  %n = getelementptr i8, ptr %p, i64 8
  store double 1.0, ptr %n
  ret void
}""")
    assert m.holds("p") == POINTER
    assert m.memory.place(m["@_ZTI1A"]) is None


def test_bytes_moved_on_without_end_come_to_rest(monkeypatch):
    """Moved by one number, of as many as nobody knows: a round over all instructions finds one field more."""
    rounds = []
    monkeypatch.setattr(
        Component, "_visit_all", lambda c, n, visit=Component._visit_all: rounds.append(n) or visit(c, n)
    )
    m = Model("""
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p, i64 %n) {
  %v = load double, ptr %p
  %behind = getelementptr i8, ptr %p, i64 8
  call void @llvm.memmove.p0.p0.i64(ptr %behind, ptr %p, i64 %n, i1 false)
  ret void
}""")
    assert m.holds("p", 8 * 20) == (Kind.FLOAT, DOUBLE)
    assert len(rounds) <= 5


ADDRESSES = """
declare double @unknown({ i64, i64 }, i64)
define double @f(ptr %a, ptr %b, ptr %c, i64 %n) {
  %word = ptrtoint ptr %a to i64
  %one = insertvalue { i64, i64 } poison, i64 %n, 1
  %both = insertvalue { i64, i64 } %one, i64 %word, 0
  %other = ptrtoint ptr %b to i64
  %r = call double @unknown({ i64, i64 } %both, i64 %other)
  ret double %r
}"""


def test_unknown_calls_reach_what_integers_lead_to_that_are_addresses():
    m = Model(ADDRESSES)
    (effects,) = m.memory.effects.values()
    for places in (effects.reads, effects.writes):
        reached = {place.region for place in places}
        assert reached == {m.place("a").region, m.place("b").region}
