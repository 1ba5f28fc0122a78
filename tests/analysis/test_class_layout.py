"""Distances between the parts of C++ objects, from descriptions as clang writes them."""

from enzyme_build.analysis.class_layout import leaps
from enzyme_build.ir.parser import parse_module

KINDS = {"plain": "117__class", "single": "120__si_class", "several": "121__vmi_class"}


def described(name: str, kind: str, *members: str) -> str:
    table = f"ptr getelementptr (ptr, ptr @_ZTVN10__cxxabiv{KINDS[kind]}_type_infoE, i64 2)"
    words = [table, "ptr @name", *members]
    types = ", ".join(word.split(" ", 1)[0] for word in words)
    return f"@_ZTI1{name} = constant {{ {types} }} {{ {', '.join(words)} }}\n"


def table(name: str, offset: int) -> str:
    words = [f"ptr inttoptr (i64 {offset} to ptr)", "ptr null", f"ptr @_ZTI1{name}", "ptr null"]
    return f"@_ZTV1{name} = constant {{ [4 x ptr] }} {{ [4 x ptr] [{', '.join(words)}] }}\n"


# An offset is shifted by eight bits; 1: virtual, 2: public. That of a virtual base is one in the table.
ACROSS = ("i32 0", "i32 1", "ptr @_ZTI1A", f"i64 {-24 * 256 + 3}")
TEXT = "".join(
    [
        *(f"@_ZTVN10__cxxabiv{kind}_type_infoE = external global [0 x ptr]\n" for kind in KINDS.values()),
        '@name = constant [3 x i8] c"1A\\00"\n',
        *(described(name, "plain") for name in "AF"),
        *(described(name, "several", *ACROSS) for name in "BC"),
        described("D", "several", "i32 2", "i32 2", "ptr @_ZTI1B", "i64 2", "ptr @_ZTI1C", f"i64 {16 * 256 + 2}"),
        described("E", "single", "ptr @_ZTI1D"),
        table("D", 40),
        table("E", 48),
    ]
)


def between(start: str, end: str) -> list[int]:
    module = parse_module(TEXT)
    return leaps(module, module.globals[f"_ZTI1{start}"], module.globals[f"_ZTI1{end}"])


def test_bases_lie_at_their_offsets() -> None:
    assert between("B", "C") == [16]
    assert between("C", "B") == [-16]
    assert between("D", "E") == [0]


def test_virtual_bases_lie_where_each_class_has_them() -> None:
    assert between("B", "A") == [40, 48]
    assert between("A", "C") == [-32, -24]


def test_classes_that_no_class_joins_have_no_distance() -> None:
    assert between("A", "F") == []
