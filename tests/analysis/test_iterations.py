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
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
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
  %result = phi double [ 0.0, {result} ], [ %r, %done ]
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
    "result": "%entry",
}


def iterations(*, value_wanted=False, **parts):
    module = parse_module(DECLARATIONS + FUNCTION.format(**USUAL | parts))
    return independent_iterations(module, module.function("f"), value_wanted=value_wanted)


def changed(*changes, **parts):
    text = FUNCTION
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    module = parse_module(DECLARATIONS + text.format(**USUAL | parts))
    return independent_iterations(module, module.function("f"), value_wanted=False)


def test_a_work_array_filled_before_it_is_read():
    (found,) = iterations()
    assert found.loop.header.name == "outer"
    assert [phi.name for phi in found.counted] == ["p"]
    assert [phi.name for phi in found.carried] == ["s"]
    assert {phi.name for phi in found.passed} == {"s"}
    assert [i.name for i in found.steering] == ["p1", "last"]
    assert {base.name for base in found.scratch} == {"w"}
    assert found.droppable


AGAIN = (
    ("entry:", "start:\n  br label %entry\nentry:\n  %k = phi i64 [ 0, %start ], [ %k1, %end ]"),
    ("ret double", "%k1 = add i64 %k, 1\n  br i1 %c, label %out, label %entry\nout:\n  ret double"),
)


@pytest.mark.parametrize(
    ("table", "found"),
    [("call noalias ptr @malloc(i64 8)", 1), ("alloca double", 0), ("getelementptr i8, ptr %y, i64 8", 0)],
)
def test_what_it_reads_is_allocated_again_before_it_is_overwritten(table, found):
    """In a loop around, the next round writes a table of its own, or the same again."""
    tabled = f"{USUAL['work']}\n  %table = {table}\n  store double 2.0, ptr %table"
    read = "%factor = load double, ptr %table\n  %e = fmul double %factor, %total"
    assert len(changed(*AGAIN, work=tabled, more=read, added="%e")) == found


CHECKED_SIZE = """%size = shl i64 %m, 3
  %few = icmp ult i64 %m, 2305843009213693952
  %fit = icmp ult i64 %size, 9223372036854775801
  %fine = and i1 %few, %fit
  br i1 %fine, label %small, label %large
large:
  call void @abort()
  unreachable
small:
  %w = call noalias ptr @malloc(i64 %size)"""


@pytest.mark.parametrize(("guard", "found"), [("%few", 0), ("%fine", 1)])
def test_a_size_that_was_checked(guard, found):
    """Rust's usize: that eight times as many bytes are no fewer follows from both comparisons."""
    checked = CHECKED_SIZE.replace("i1 %fine,", f"i1 {guard},")
    parts = {"work": checked, "length": "%m", "result": "%small"}
    assert len(changed(("%j1 = add nuw nsw", "%j1 = add nuw"), **parts, reads="%n")) == 0
    # Elements up to the end of the array, whatever ends the loop that reads them.
    ended = (
        "%summed = icmp eq i64 %j1, {reads}",
        "%end_of_w = load double, ptr %wj\n  %summed = fcmp oeq double %end_of_w, 0.0",
    )
    assert len(changed(ended, **parts)) == found


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
    "as much is read as filled, whoever knows how much": {"length": "%m", "reads": "%m"},
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
VECTOR = """br label %any
any:
  %zero = icmp eq i64 %bytes, 0
  br i1 %zero, label %made, label %memory
memory:
  %got = call noalias ptr @malloc(i64 %bytes)
  br label %made
made:
  %w = phi ptr [ {empty}, %any ], [ %got, %memory ]"""
DANGLING = "inttoptr (i64 8 to ptr)"
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
        "work": f"{STACK}\n  call void @llvm.lifetime.start.p0(ptr %w)", "length": "%m", "reads": "%n", "freed": "",
    },
}  # fmt: skip


@pytest.mark.parametrize("case", PRIVATE)
def test_private(case):
    assert len(iterations(**PRIVATE[case])) == 1


OTHERWISE = """i1 %c, label %one, label %other
other:
  call void @llvm.memset.p0.i64(ptr %w, i8 0, i64 {}, i1 false)
  br label %read
one:
  br label %fill"""


@pytest.mark.parametrize(("length", "found"), [("%bytes", 1), ("%m", 0)])
def test_a_work_array_filled_on_either_way(length, found):
    assert len(changed(("[ 0, %outer ]", "[ 0, %one ]"), fill=OTHERWISE.format(length))) == found


ROW = """br label %row
row:
  %k = phi i64 [ 0, %fill ], [ %k1, %row ]
  %rows = shl nuw nsw i64 {of}, 3
  %ik = add nuw nsw i64 %rows, %k
  %wi = getelementptr inbounds double, ptr %w, i64 %ik
  store double %v, ptr %wi
  %k1 = add nuw nsw i64 %k, 1
  %last_of_row = icmp eq i64 %k1, {columns}
  br i1 %last_of_row, label %end_of_row, label %row
end_of_row:"""
MATRIX = """%size = shl nuw nsw i64 %n, 6
  %elements = shl nuw nsw i64 %n, 3
  %w = call noalias ptr @malloc(i64 %size)"""
ROWS = [
    ("%i", "8", "%elements", 1),
    ("%down", "8", "%elements", 1),
    ("%i", "7", "%elements", 0),
    ("%i", "9", "%elements", 0),
    ("%i1", "8", "%elements", 0),
    ("%i", "%m", "%elements", 0),
    ("%i", "8", "%m", 1),
]


@pytest.mark.parametrize(("of", "columns", "reads", "found"), ROWS)
def test_a_matrix_filled_row_by_row(of, columns, reads, found):
    """Rows of eight from the first to the last, or the other way round; others leave gaps or lie over each other."""
    down = "%i1 = add nuw nsw i64 %i, 1\n  %down = sub nuw nsw i64 %n, %i1\n  "
    row = ROW.format(of=of, columns=columns)
    store = ("%wi = getelementptr inbounds double, ptr %w, i64 {at}\n  store double %v, ptr %wi", row)
    changes = (("%i1 = add nuw nsw i64 %i, 1\n", ""), store, ("[ %i1, %fill ]", "[ %i1, %end_of_row ]"))
    changes += (("%v = load", f"{down}%v = load"),)
    assert len(changed(*changes, work=MATRIX, reads=reads)) == found


@pytest.mark.parametrize(("length", "found"), [("128", 1), ("120", 1), ("136", 0), ("%m", 0)])
def test_what_is_copied_from_a_work_array(length, found):
    work = "%w = alloca [17 x double]\n  %copy = alloca [17 x double]"
    copy = f"call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %w, i64 {length}, i1 false)"
    assert len(iterations(work=work, more=copy, length="16", reads="16", freed="")) == found


@pytest.mark.parametrize("condition", ["%odd", "%c"])
def test_an_element_that_is_written_in_some_rounds(condition):
    """What another round of the loop wrote is another element."""
    rounds = f"""%odd = trunc i64 %j to i1
  %wj = getelementptr inbounds double, ptr %w, i64 %j
  br i1 {condition}, label %written, label %kept
written:
  store double %t, ptr %wj
  br label %kept
kept:
  %a = load"""
    read = "%wj = getelementptr inbounds double, ptr %w, i64 {from}\n  %a = load"
    ways = [(f"[ %{name}, %sum ]", f"[ %{name}, %kept ]") for name in ("j1", "t1")]
    assert not changed((read, rounds), *ways, fill="label %read")


def test_an_element_that_is_written_on_either_way():
    rounds = """%wj = getelementptr inbounds double, ptr %w, i64 %j
  br i1 %c, label %one, label %two
one:
  store double %t, ptr %wj
  br label %both
two:
  store double 1.0, ptr %wj
  br label %both
both:
  %a = load"""
    read = "%wj = getelementptr inbounds double, ptr %w, i64 {from}\n  %a = load"
    ways = [(f"[ %{name}, %sum ]", f"[ %{name}, %both ]") for name in ("j1", "t1")]
    assert len(changed((read, rounds), *ways, fill="label %read")) == 1


@pytest.mark.parametrize("empty", [DANGLING, "null"])
def test_a_vector_that_may_be_empty(empty):
    (found,) = iterations(work=VECTOR.format(empty=empty), freed="", result="%made")
    assert [base.name for base in found.scratch] == ["got"]


@pytest.mark.parametrize("empty", ["%y", "@shared", "inttoptr (i64 65536 to ptr)"])
def test_a_pointer_that_may_be_another_object(empty):
    assert not iterations(work=VECTOR.format(empty=empty), freed="", result="%made")


def test_a_vector_of_the_iteration_before():
    """The pointer is that of the last time: what it leads to was written then."""
    carried = f"%got = phi ptr [ null, %before ], [ %w, %latch ]\n  {USUAL['work']}"
    read = "%wj = getelementptr inbounds double, ptr "
    assert not changed((f"{read}%w", f"{read}%got"), work="", first=carried, freed="")


def test_an_array_whose_end_is_a_pointer():
    """What `chunks` and iterators of Rust and C++ compare with."""
    ends = "%end_of_w = getelementptr inbounds i8, ptr %w, i64 %bytes"
    (found,) = iterations(work=f"{USUAL['work']}\n  {ends}", more="%same = icmp eq ptr %w, %end_of_w")
    assert {base.name for base in found.scratch} == {"w"}
    assert not iterations(more="%same = icmp eq ptr %w, %y")  # tells something of where it is


CHECKED = """%many = icmp ult i64 %i, %n
  br i1 %many, label %fits, label %panic
panic:
  call void @abort()
  unreachable
fits:"""


def test_an_array_filled_by_a_loop_with_checked_bounds():
    """Who leaves the loop by a failed check reads nothing."""
    read = "%xi = getelementptr"
    assert len(changed((read, f"{CHECKED}\n  {read}"), ("[ %i1, %fill ]", "[ %i1, %fits ]"))) == 1


@pytest.mark.parametrize(("flags", "found"), [("inbounds nuw", 1), ("inbounds", 0)])
def test_indices_that_are_not_negative_by_the_address(flags, found):
    """`add nuw` alone counts in unsigned numbers; `nuw` of the address says that these are the same."""
    read = "%wj = getelementptr"
    assert len(changed((f"{read} inbounds", f"{read} {flags}"), ("%j1 = add nuw nsw", "%j1 = add nuw"))) == found


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
        ("%k = fadd double %s, %r", True),  # what the last iteration began with
        ("%k = fmul double %s, %s", False),
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
