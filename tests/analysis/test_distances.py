"""Which differences of addresses are kept, and lead from object to object."""

from __future__ import annotations

from enzyme_build.analysis.distances import FROM_INTEGER, is_distance, kept_distances
from enzyme_build.differentiate.words import pointers_for_words

from .models import Model

TWO_NODES = """
declare ptr @malloc(i64)
define double @f(double %x) {
  %a = call ptr @malloc(i64 16)
  %b = call ptr @malloc(i64 16)
  store double %x, ptr %b
  %link = getelementptr i8, ptr %a, i64 8
  %from = ptrtoint ptr %a to i64
  %to = ptrtoint ptr %b to i64
  %distance = sub i64 %to, %from
"""
FIND = """
define internal double @find(ptr %node) {
  %at = getelementptr i8, ptr %node, i64 8
  %distance = load i64, ptr %at
  %start = ptrtoint ptr %node to i64
  %sum = add i64 %start, %distance
  %other = inttoptr i64 %sum to ptr
  %value = load double, ptr %other
  ret double %value
}
"""


def kept(text: str) -> list[str | None]:
    model = Model(text)
    for function in model.memories:
        pointers_for_words(function)
    return [i.name for i in kept_distances(model.memories)]


def test_a_distance_that_another_function_reads_from_memory_is_kept() -> None:
    text = TWO_NODES + "  store i64 %distance, ptr %link\n  %r = call double @find(ptr %a)\n  ret double %r\n}\n" + FIND
    assert kept(text) == ["distance"]


def test_other_members_of_the_object_do_not_matter() -> None:
    text = TWO_NODES + (
        "  %bytes = getelementptr i8, ptr %a, i64 24\n  store i64 %distance, ptr %bytes\n  store i64 0, ptr %link\n"
        "  %r = call double @find(ptr %a)\n  ret double %r\n}\n"
    )
    assert kept(text + FIND) == []


def test_half_a_word_is_kept_too() -> None:
    text = TWO_NODES + (
        "  %short = trunc i64 %distance to i32\n  store i32 %short, ptr %link\n"
        "  %r = call double @find(ptr %a)\n  ret double %r\n}\n"
    )
    narrow = FIND.replace("load i64, ptr %at", "load i32, ptr %at").replace(
        "  %start =", "  %wide = sext i32 %distance to i64\n  %start ="
    )
    assert kept(text + narrow.replace("%start, %distance", "%start, %wide")) == ["distance"]


def test_an_address_computed_from_a_pointer_stays_in_its_object() -> None:
    text = TWO_NODES + (
        "  store i64 %distance, ptr %link\n  %again = load i64, ptr %link\n"
        "  %other = getelementptr i8, ptr %a, i64 %again\n  %r = load double, ptr %other\n  ret double %r\n}\n"
    )
    assert kept(text) == []


def test_a_distance_in_registers_is_not_kept() -> None:
    text = TWO_NODES + (
        "  %sum = add i64 %from, %distance\n  %other = inttoptr i64 %sum to ptr\n"
        "  %r = load double, ptr %other\n  ret double %r\n}\n"
    )
    assert kept(text) == []


def test_a_number_of_elements_is_none_of_bytes() -> None:
    text = TWO_NODES + (
        "  %count = sdiv exact i64 %distance, 8\n  store i64 %count, ptr %link\n"
        "  %r = call double @find(ptr %a)\n  ret double %r\n}\n"
    )
    assert kept(text + FIND) == []


def test_addresses_in_one_object() -> None:
    model = Model("""
define i64 @f(ptr %a, ptr %b) {
  %member = getelementptr i8, ptr %a, i64 24
  %first = ptrtoint ptr %a to i64
  %second = ptrtoint ptr %member to i64
  %other = ptrtoint ptr %b to i64
  %inside = sub i64 %second, %first
  %between = sub i64 %other, %second
  %word = add i64 %other, %first
  %neither = sub i64 %word, 8
  ret i64 %neither
}
""")
    found = {i.name for i in model.function.instructions() if is_distance(i)}
    assert found == {"between"}


def test_words_mark_what_they_make_of_integers() -> None:
    model = Model(
        TWO_NODES + "  store i64 %distance, ptr %link\n  %r = call double @find(ptr %a)\n  ret double %r\n}\n" + FIND
    )
    find = model.module.function("find")
    pointers_for_words(find)
    assert [i.name for i in find.instructions() if FROM_INTEGER in i.metadata] != []


def test_memory_that_is_handed_on_at_several_offsets_has_an_end() -> None:
    """The callee's memory is the caller's at 0 and at 8, so that each of its places is another one again."""
    calls = "  %next = getelementptr i8, ptr %a, i64 8\n  %s = call double @find(ptr %next)\n"
    keep = "  %elsewhere = getelementptr i8, ptr %a, i64 4096\n  store i64 %distance, ptr %elsewhere\n"
    text = (
        TWO_NODES
        + keep
        + "  store i64 0, ptr %link\n  %r = call double @find(ptr %a)\n"
        + calls
        + "  ret double %r\n}\n"
        + FIND
    )
    assert kept(text) == ["distance"]
