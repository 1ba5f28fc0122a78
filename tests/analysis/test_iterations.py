"""Which loops have iterations that can be run again one at a time."""

from __future__ import annotations

import pytest

from enzyme_build.analysis.iterations import independent_iterations
from enzyme_build.ir.parser import parse_module

DECLARATIONS = """
declare noalias ptr @malloc(i64)
declare void @free(ptr)
declare double @exp(double)
declare double @llvm.fmuladd.f64(double, double, double)
declare i32 @puts(ptr)
declare void @abort() noreturn
declare void @tell(double) noreturn
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
@shared = global double 0.0
"""
FUNCTION = """
define double @f(ptr %x, ptr %y, i64 %n, i64 %m, i1 %c) {{
entry:
  %bytes = shl nuw nsw i64 %n, 3
  {work}
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %before, label %end

before:
  br label %outer

outer:
  %p = phi i64 [ 0, %before ], [ %p1, %{last} ]
  %s = phi double [ 1.0, %before ], [ %s1, %{last} ]
  {first}
  br {fill}

fill:
  %i = phi i64 [ 0, %outer ], [ %i1, %fill ]
  %xi = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %xi
  %wi = getelementptr inbounds double, ptr %w, i64 {at}
  store double %v, ptr %wi
  %i1 = add nuw nsw i64 %i, 1
  %filled = icmp eq i64 %i1, {length}
  br i1 %filled, label %read, label %fill

read:
  br label %sum

sum:
  %j = phi i64 [ 0, %read ], [ %j1, %sum ]
  %t = phi double [ 0.0, %read ], [ %t1, %sum ]
  %wj = getelementptr inbounds double, ptr %w, i64 {from}
  %a = load double, ptr %wj
  %q = fmul double %a, %a
  %t1 = fadd double %t, %q
  %j1 = add nuw nsw i64 %j, 1
  %summed = icmp eq i64 %j1, {reads}
  br i1 %summed, label %latch, label %sum

latch:
  %total = phi double [ %t1, %sum ]
  {more}
  %s1 = fadd double {passed}, {added}
  %p1 = add nuw nsw i64 %p, 1
  %last = icmp eq i64 %p1, %n
  br i1 %last, label %done, label %outer

done:
  %r = phi double [ %s1, %{last} ]
  {behind}
  br label %end

end:
  %result = phi double [ 0.0, %entry ], [ %r, %done ]
  {freed}
  ret double %result
}}
"""
USUAL = {
    "work": "%w = call noalias ptr @malloc(i64 %bytes)",
    "first": "",
    "fill": "label %fill",
    "at": "%i",
    "from": "%j",
    "length": "%n",
    "reads": "%n",
    "more": "",
    "passed": "%s",
    "added": "%total",
    "behind": "",
    "last": "latch",
    "freed": "call void @free(ptr %w)",
}


def iterations(*, value_wanted=False, **parts):
    module = parse_module(DECLARATIONS + FUNCTION.format(**USUAL | parts))
    return independent_iterations(module, module.function("f"), value_wanted=value_wanted)


def test_a_work_array_filled_before_it_is_read():
    (found,) = iterations()
    assert found.loop.header.name == "outer"
    assert [phi.name for phi in found.counted] == ["p"]
    assert [phi.name for phi in found.carried] == ["s"]
    assert {phi.name for phi in found.passed} == {"s"}
    assert [i.name for i in found.steering] == ["p1", "last"]
    assert {base.name for base in found.scratch} == {"w"}
    assert found.droppable


ENDS = """%bad = fcmp olt double {of}, 0.0
  br i1 %bad, label %ended, label %good
ended:
  {said}
  {ending}
good:"""


@pytest.mark.parametrize("ending", ["unreachable", "br label %meeting\nmeeting:\n  unreachable"])
def test_a_check_that_ends_the_program(ending):
    said = "%shown = fptosi double %total to i64\n  call void @abort()"
    (found,) = iterations(more=ENDS.format(of="%total", said=said, ending=ending), last="good")
    assert [block.name for block in found.ends] == ["ended"]
    assert found.passed
    assert found.droppable


def test_a_check_that_tells_a_carried_number():
    said = "call void @tell(double %s)"
    (found,) = iterations(more=ENDS.format(of="%total", said=said, ending="unreachable"), last="good")
    assert not found.passed
    assert not found.droppable


def test_a_check_that_leaves_the_loop():
    assert not iterations(more=ENDS.format(of="%total", said="", ending="ret double 0.0"), last="good")


STACK = "%w = alloca [16 x double]"
PRIVATE = {
    "the stack, all of it": {"work": STACK, "length": "16", "reads": "16", "freed": ""},
    "the stack, less of it": {"work": STACK, "length": "16", "reads": "9", "freed": ""},
    "filled by one call": {
        "first": "call void @llvm.memset.p0.i64(ptr %w, i8 0, i64 %bytes, i1 false)", "length": "%m",
    },
    "it begins to live in each iteration": {
        "work": STACK, "first": "call void @llvm.lifetime.start.p0(ptr %w)", "length": "%m", "reads": "%m", "freed": "",
    },
    "it is allocated in each iteration": {
        "work": "", "first": USUAL["work"], "more": USUAL["freed"], "freed": "", "length": "%m", "reads": "%m",
    },
}  # fmt: skip
SHARED = {
    "more is read than filled": {"length": "%m"},
    "one more is read": {"work": STACK, "length": "15", "reads": "16", "freed": ""},
    "the first is not filled": {"work": STACK, "at": "%i1", "length": "9", "reads": "9", "freed": ""},
    "another one is read": {"work": STACK, "from": "%j1", "length": "9", "reads": "9", "freed": ""},
    "it is filled at times": {"fill": "i1 %c, label %fill, label %read"},
    "it is filled by halves": {
        "first": "call void @llvm.memset.p0.i64(ptr %w, i8 0, i64 %m, i1 false)", "length": "%m",
    },
    "it begins to live once": {
        "work": f"{STACK}\n  call void @llvm.lifetime.start.p0(ptr %w)", "length": "%m", "reads": "%m", "freed": "",
    },
}  # fmt: skip


@pytest.mark.parametrize("case", PRIVATE)
def test_private(case):
    assert len(iterations(**PRIVATE[case])) == 1


@pytest.mark.parametrize("case", SHARED)
def test_what_an_iteration_leaves_to_the_next(case):
    assert not iterations(**SHARED[case])


NEVER = {
    "others see a call": {"more": "%seen = call i32 @puts(ptr %x)"},
    "it writes the caller's memory": {"more": "store double %total, ptr %y"},
    "it writes a variable": {"more": "store double %total, ptr @shared"},
    "others know the work array": {"first": "store ptr %w, ptr %y"},
    "what it reads is overwritten behind it": {"behind": "store double %r, ptr %y"},
    "another number is used behind it": {"behind": "%d = fadd double %total, %r"},
    "volatile": {"more": "%again = load volatile double, ptr %x"},
    "atomic": {"more": "%again = load atomic double, ptr %x seq_cst, align 8"},
}  # fmt: skip


@pytest.mark.parametrize("case", NEVER)
def test_what_must_not_happen_twice(case):
    assert not iterations(**NEVER[case])


def test_numbers_that_matter_to_the_next_iteration():
    (found,) = iterations(more="%e = fmul double %s, %total", passed="%e")
    assert not found.passed
    assert not found.droppable


def test_sums_are_passed_on():
    fused = "%e = call double @llvm.fmuladd.f64(double %total, double 2.0, double %s)"
    (found,) = iterations(more=f"{fused}\n  %k = select i1 %c, double %e, double %s", passed="%k")
    assert {phi.name for phi in found.passed} == {"s"}
    assert found.droppable
    factor = "%e = call double @llvm.fmuladd.f64(double %s, double 2.0, double %total)"
    (found,) = iterations(more=factor, passed="%e")
    assert not found.passed


def test_what_is_read_behind_the_loop_is_computed_before():
    """A variable of the function's own may be written behind the loop, if the loop does not read it."""
    (found,) = iterations(behind="store double %r, ptr %w")
    assert not found.droppable


@pytest.mark.parametrize(
    ("behind", "droppable"),
    [
        ("%k = fadd double %r, 1.0", True),
        ("%k = fmul double %r, 3.0", True),
        ("%d = sitofp i64 %n to double\n  %k = fdiv double %r, %d", True),
        ("%f = load double, ptr %y\n  %k = fmul double %r, %f", False),
        ("%f = load double, ptr %y\n  %k = fdiv double %r, %f", False),
        ("%k = call double @exp(double %r)", False),
        ("%k = fadd double %r, 1.0\n  %e = fmul double %k, %k", False),
        ("%k = fcmp olt double %r, 1.0", False),
    ],
)
def test_what_slopes_behind_the_loop_depend_on_is_computed_before(behind, droppable):
    (found,) = iterations(behind=behind)
    assert found.droppable == droppable


def test_functions_of_the_library_are_not_run_twice_for_nothing():
    dear = {"added": "%e", "more": "%e = call double @exp(double %total)"}
    inner = FUNCTION.replace(
        "%q = fmul double %a, %a", "%e1 = call double @exp(double %a)\n  %q = call double @exp(double %e1)"
    )
    module = parse_module(DECLARATIONS + inner.format(**USUAL))
    assert len(independent_iterations(module, module.function("f"), value_wanted=False)) == 1
    assert not independent_iterations(module, module.function("f"), value_wanted=True)
    assert len(iterations(value_wanted=True, **dear)) == 1


def test_sums_need_no_tape():
    linear = FUNCTION.replace("%q = fmul double %a, %a", "%q = fmul double %a, 2.0")
    module = parse_module(DECLARATIONS + linear.format(**USUAL))
    assert not independent_iterations(module, module.function("f"), value_wanted=False)
