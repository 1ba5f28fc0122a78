"""What global variables keep, what users see, and whose the shadows are."""

import pytest

from tests.analysis.models import Model

HEAD = """
@work = internal global ptr null
declare ptr @malloc(i64)
"""


def flags(text: str, *names: str) -> list[set[str]]:
    model = Model(HEAD + text)
    regions = [model.place(name).region for name in names]
    return [{f for f in ("kept", "handed", "doubtful", "owned", "open") if getattr(r, f)} for r in regions]


def test_what_a_global_pointer_leads_to_is_kept() -> None:
    text = """
define double @f(ptr %x) {
  %w = load ptr, ptr @work
  %row = load ptr, ptr %w
  %local = call ptr @malloc(i64 8)
  store double 1.0, ptr %local
  %r = load double, ptr %row
  ret double %r
}
"""
    assert flags(text, "w", "row", "local", "x") == [{"kept", "owned"}, {"kept", "owned"}, set(), set()]


def test_an_argument_that_a_global_keeps_is_doubtful() -> None:
    text = """
define double @f(ptr %x) {
  %old = load ptr, ptr @work
  store ptr %x, ptr @work
  %r = load double, ptr %old
  ret double %r
}
"""
    assert flags(text, "old") == [{"kept", "doubtful"}]


def test_memory_that_users_see_is_theirs() -> None:
    text = """
define void @f(ptr %object) {
  %made = call ptr @malloc(i64 8)
  store ptr %made, ptr @work
  store ptr %made, ptr %object
  ret void
}
"""
    assert flags(text, "made") == [{"kept", "handed", "doubtful"}]


def test_callees_are_told_and_agree() -> None:
    text = """
define internal ptr @made() {
  %p = call ptr @malloc(i64 8)
  ret ptr %p
}
define void @f(ptr %object) {
  %a = call ptr @made()
  store ptr %a, ptr @work
  %b = call ptr @made()
  store ptr %b, ptr %object
  ret void
}
"""
    # What one function allocates is freed by the allocator's own function if any of its callers hands it to the user.
    assert flags(text, "a", "b") == [{"kept"}, {"handed"}]


def test_nodes_that_a_library_links_belong_together() -> None:
    name = "_ZNSt8__detail15_List_node_base7_M_hookEPS0_"
    text = f"""
@list = internal global {{ ptr, ptr, i64 }} zeroinitializer
declare void @{name}(ptr, ptr)
define void @f(double %x) {{
  %node = call ptr @malloc(i64 24)
  %p = getelementptr i8, ptr %node, i64 16
  store double %x, ptr %p
  call void @{name}(ptr %node, ptr @list)
  ret void
}}
"""
    assert flags(text, "node") == [{"kept", "owned"}]
    model = Model(HEAD + text)
    assert model.memory.heads == {(model["@list"], 0)}


def test_pointers_that_other_code_sets_are_open() -> None:
    text = """
@other = internal global ptr null
@named = internal global double 0.0
@unknown = internal global double 0.0
define double @f() {
  %a = load ptr, ptr @work
  %b = load ptr, ptr @other
  %c = load double, ptr @named
  %d = load double, ptr @unknown
  ret double %c
}
define void @set_up(ptr %p) {
  store ptr %p, ptr @work
  store double 1.0, ptr @unknown
  store ptr null, ptr @other
  call void @g(ptr @named)
  ret void
}
declare void @g(ptr)
"""
    assert flags(text, "a", "b") == [{"kept", "owned", "open"}, {"kept", "owned"}]
    assert flags(text, "@named", "@unknown") == [{"open"}, set()]


CHOSEN = """
define double @f(ptr %x, i1 %c) {
  %old = load ptr, ptr @work
  %bare = icmp eq ptr %old, null
  br i1 %bare, label %make, label %use

make:
  %made = call ptr @malloc(i64 8)
  store ptr %made, ptr @work
  br label %use

use:
  %w = load ptr, ptr @work
  %p = select i1 %c, ptr %w, ptr %x
  %r = load double, ptr %p
  ret double %r
}
"""


def own(text: str) -> set[str]:
    """Names of the loads whose pointers are never the user's."""
    return {i.name or "" for i in Model(HEAD + text).memory.own_loads}


def test_a_choice_between_kept_memory_and_an_argument_keeps_neither_in_the_other() -> None:
    assert flags(CHOSEN, "w", "made") == [{"kept", "doubtful", "owned"}] * 2
    assert own(CHOSEN) == {"old", "w"}


def test_other_code_may_copy_a_function_and_clean_up() -> None:
    text = """
declare void @free(ptr)
define void @others(ptr %x, i1 %c) {
  %made = call ptr @malloc(i64 8)
  store ptr %made, ptr @work
  %w = load ptr, ptr @work
  %p = select i1 %c, ptr %w, ptr %x
  store double 1.0, ptr %p
  call void @free(ptr %w)
  store ptr null, ptr @work
  ret void
}
"""
    assert own(CHOSEN + text) == {"old", "w"}


@pytest.mark.parametrize(
    "others",
    [
        "define void @g(ptr %p) {\n  store ptr %p, ptr @work\n  ret void\n}",
        "define ptr @g() {\n  %p = load ptr, ptr @work\n  ret ptr %p\n}",
        "define ptr @g() {\n  %p = call ptr @malloc(i64 8)\n  store ptr %p, ptr @work\n  ret ptr %p\n}",
        "define void @g(ptr %q) {\n  %p = load ptr, ptr @work\n  store ptr %p, ptr %q\n  ret void\n}",
        (
            "define void @g(ptr %x, i1 %c) {\n  %p = load ptr, ptr @work\n  %q = select i1 %c, ptr %p, ptr %x\n"
            "  store ptr %q, ptr @work\n  ret void\n}"
        ),
        "define void @g() {\n  %p = load ptr, ptr @work\n  call void @h(ptr %p)\n  ret void\n}\ndeclare void @h(ptr)",
        "define ptr @g() {\n  ret ptr @work\n}",
        "@address = internal global ptr @work",
        "define void @g(ptr %q) {\n  store ptr getelementptr (i8, ptr @work, i64 8), ptr %q\n  ret void\n}",
        (
            "@data = global [4 x double] zeroinitializer\ndefine void @g() {\n"
            "  store ptr getelementptr (i8, ptr @data, i64 8), ptr @work\n  ret void\n}"
        ),
        (
            "@data = global [4 x double] zeroinitializer\ndefine void @g(i1 %c) {\n  %p = load ptr, ptr @work\n"
            "  %q = select i1 %c, ptr %p, ptr getelementptr (i8, ptr @data, i64 8)\n  store ptr %q, ptr @work\n"
            "  ret void\n}"
        ),
    ],
)
def test_other_code_may_hand_kept_memory_to_the_user(others: str) -> None:
    assert own(CHOSEN + others) == set()


@pytest.mark.parametrize(
    "change",
    [
        ("%r = load", "store ptr %p, ptr @work\n  %r = load"),
        ("%r = load", "store ptr %w, ptr %x\n  %r = load"),
        ("%r = load", "call void @h(ptr %w)\n  %r = load"),
        ("@malloc(i64 8)", "@made(ptr %x)"),
    ],
)
def test_what_the_function_itself_mixes_stays_doubtful(change: tuple[str, str]) -> None:
    text = """
declare void @h(ptr)
define internal ptr @made(ptr %x) {
  %p = getelementptr i8, ptr %x, i64 8
  ret ptr %p
}
"""
    assert own(CHOSEN.replace(*change) + text) == set()


def test_other_code_may_set_members_of_a_variable() -> None:
    text = """
@both = internal global { ptr, ptr } zeroinitializer
define double @f(ptr %x, i1 %c) {
  %w = load ptr, ptr getelementptr (i8, ptr @both, i64 8)
  %p = select i1 %c, ptr %w, ptr %x
  %r = load double, ptr %p
  ret double %r
}
define void @g() {
  %made = call ptr @malloc(i64 8)
  store ptr %made, ptr getelementptr inbounds (i8, ptr @both, i64 8)
  %end = getelementptr i8, ptr %made, i64 8
  store ptr %end, ptr @both
  ret void
}
"""
    assert own(text) == {"w"}


def test_results_of_users_functions_are_theirs() -> None:
    text = CHOSEN.replace("define double", "define ptr").replace("ret double %r", "ret ptr %w")
    assert own(text) == set()


RETURNED = """
define internal ptr @chosen(ptr %x, i1 %c) {
  %w = load ptr, ptr @work
  %p = select i1 %c, ptr %w, ptr %x
  ret ptr %p
}
define internal void @look(ptr readonly captures(none) %p) {
  ret void
}
define double @f(ptr %x, i1 %c) {
  %made = call ptr @malloc(i64 8)
  store ptr %made, ptr @work
  %p = call ptr @chosen(ptr %x, i1 %c)
  %v = load ptr, ptr @work
  %r = load double, ptr %p
  ret double %r
}
define double @g(ptr %x, i1 %c) {
  %p = call ptr @chosen(ptr %x, i1 %c)
  call void @look(ptr %p)
  %r = load double, ptr %p
  ret double %r
}
"""


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ("", {"v"}),
        ("define ptr @h(ptr %x) {\n  %p = call ptr @chosen(ptr %x, i1 true)\n  ret ptr %p\n}", set()),
        (
            "define void @h(ptr %x) {\n  %p = call ptr @chosen(ptr %x, i1 true)\n  store ptr %p, ptr %x\n  ret void\n}",
            set(),
        ),
        ("define ptr @h() {\n  ret ptr @chosen\n}", set()),
    ],
)
def test_other_code_may_keep_what_a_function_returns(others: str, expected: set[str]) -> None:
    assert own(RETURNED + others) == expected


def test_numbers_that_are_copied_bring_no_pointers() -> None:
    text = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(ptr %x, i1 %c, i64 %n) {
  %at = getelementptr double, ptr %x, i64 %n
  %number = load double, ptr %at
  %w = load ptr, ptr @work
  call void @llvm.memcpy.p0.p0.i64(ptr %w, ptr %x, i64 %n, i1 false)
  %p = select i1 %c, ptr %w, ptr %x
  %v = load ptr, ptr @work
  %r = load double, ptr %p
  ret double %r
}
"""
    assert own(text) == {"w", "v"}


def test_members_of_a_variable_are_told_apart() -> None:
    text = """
@both = internal global { ptr, ptr } zeroinitializer
define double @f(ptr %x, i1 %c) {
  %made = call ptr @malloc(i64 8)
  store ptr %made, ptr @both
  store ptr %x, ptr getelementptr (i8, ptr @both, i64 8)
  %w = load ptr, ptr @both
  %v = load ptr, ptr getelementptr (i8, ptr @both, i64 8)
  %p = select i1 %c, ptr %w, ptr %v
  %r = load double, ptr %p
  ret double %r
}
"""
    assert own(text) == {"w"}
