"""What global variables keep, what users see, and whose the shadows are."""

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
