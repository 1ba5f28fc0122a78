"""Where structs have bytes that may be storage for anything."""

import pytest

from enzyme_build.analysis.declared_bytes import DeclaredBytes
from enzyme_build.ir.instructions import CallBase, Load
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, FLOAT, I32

TEXT = """\
target datalayout = "e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128"
%struct.labelled = type { i32, [12 x i8], double, %union.either, [2 x float] }
%struct.colours = type { double, [3 x i8], float }
%struct.moved = type { double, %"class.inner", i64 }
%"class.inner" = type { [2 x i64], ptr }
%union.either = type { double }
%mod.foreign = type { double, [16 x i8] }

define void @f(ptr %p, ptr %q, i64 %i) {
  BODY
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{!1, !5, i64 16}
!1 = !{!"labelled", !3, i64 0, !4, i64 4, !5, i64 16, !4, i64 24, !4, i64 32}
!2 = !{!"Simple C/C++ TBAA"}
!3 = !{!"int", !4, i64 0}
!4 = !{!"omnipotent char", !2, i64 0}
!5 = !{!"double", !4, i64 0}
!6 = !{i64 0, i64 4, !7, i64 4, i64 12, !8, i64 16, i64 8, !9, i64 24, i64 8, !8, i64 32, i64 8, !8}
!7 = !{!3, !3, i64 0}
!8 = !{!4, !4, i64 0}
!9 = !{!5, !5, i64 0}
!10 = !{i64 0, i64 8, !9, i64 8, i64 8, !8, i64 16, i64 8, !8}
!11 = !{i64 0, i64 8, !9, i64 8, i64 16, !8}
"""
ELEMENT = "%e = getelementptr inbounds %struct.labelled, ptr %p, i64 %i"
ACCESS = ("%m = getelementptr i8, ptr %p, i64 16", "%v = load double, ptr %m, align 8, !tbaa !0")


def known(*lines: str):
    module = parse_module(TEXT.replace("BODY", "\n  ".join(lines)))
    function = module.function("f")
    return DeclaredBytes(module, function), list(function.instructions())


def ranges(at: int, size: int, *lines: str, base: str = "%e"):
    read = (f"%a = getelementptr i8, ptr {base}, i64 {at}", f"%w = load i{8 * size}, ptr %a, align 1")
    declared, instructions = known(*lines, *read)
    word = next(i for i in instructions if isinstance(i, Load) and i.name == "w")
    return declared.ranges(word.pointer, size)


@pytest.mark.parametrize(
    ("at", "size", "found"),
    [
        (4, 8, [(0, 8)]),
        (0, 8, [(4, 4)]),  # an integer before them
        (0, 4, []),
        (24, 8, [(0, 8)]),  # a union
        (12, 8, None),  # the begin of a number
        (16, 8, None),  # a number
        (36, 8, None),  # out of the struct
        (44, 8, [(0, 8)]),  # of the next element
        (-36, 8, [(0, 8)]),
    ],
)
def test_elements(at, size, found):
    assert ranges(at, size, ELEMENT) == found


def test_accessed_struct():
    """The access type of a member has the name and the members of the struct."""
    assert ranges(4, 8, *ACCESS, base="%p") == [(0, 8)]
    assert ranges(4, 8, base="%p") is None
    assert ranges(4, 8, *ACCESS, base="%q") is None


def test_local_variable():
    assert ranges(8, 4, "%s = alloca [2 x %struct.colours], align 8", base="%s") == []
    assert ranges(24, 4, "%s = alloca [2 x %struct.colours], align 8", base="%s") == []
    assert ranges(12, 4, "%s = alloca %struct.colours, align 8", base="%s") is None


def test_structs_of_other_compilers():
    """Their unions may look like structs."""
    assert ranges(8, 8, "%s = alloca %mod.foreign, align 8", base="%s") is None


def test_several_structs():
    """What an address is used as two structs for is neither."""
    other = "%o = getelementptr %struct.colours, ptr %e, i64 0"
    assert ranges(4, 8, ELEMENT, other) is None


def copied(start: int, size: int, length: int, metadata: str = "", *lines: str, target: str = "%q"):
    copy = f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr %p, i64 {length}, i1 false){metadata}"
    declared, instructions = known(*lines, copy)
    call = next(i for i in instructions if isinstance(i, CallBase))
    return declared.copied(call, start, size)


def test_copies():
    """What is told of the members tells which struct it is."""
    assert copied(4, 12, 40, ", !tbaa.struct !6") == [(0, 12, None)]
    assert copied(32, 8, 40, ", !tbaa.struct !6") == [(0, 8, None)]  # another struct may have integers there
    assert copied(4, 12, 40) is None
    assert copied(8, 16, 24, ", !tbaa.struct !11") == [(0, 16, None)]
    assert copied(0, 8, 24, ", !tbaa.struct !11") is None
    assert copied(0, 16, 16, "", ELEMENT, target="%e") == [(0, 4, I32), (4, 12, None)]
    assert copied(0, 8, 8, "", "%s = alloca %struct.moved, align 8", target="%s") == [(0, 8, DOUBLE)]
    assert copied(8, 16, 24, "", "%s = alloca %struct.moved, align 8", target="%s") == [(0, 16, None)]


def test_only_struct_of_a_size():
    declared, _ = known()
    assert declared.has_bytes(16)
    assert not declared.has_bytes(40)  # there are two
    assert not declared.has_bytes(8)


def structs(types: str, metadata: str = ""):
    text = f"""{types}
define void @f(ptr %p) {{
  %v = load double, ptr %p
  ret void
}}
{metadata}
"""
    module = parse_module(text)
    return DeclaredBytes(module, module.function("f"))


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ("double, i32, float", True),
        ("double, i8, [2 x float]", True),
        ("double, %struct.inner, float", True),
        ("i64, float, float", False),  # in eight bytes of its own
        ("double, float, i32", False),
        ("i32, double", False),
        ("ptr, float, float", False),
    ],
)
def test_numbers_behind_integers(members, found):
    declared = structs(f"%struct.inner = type {{ i16 }}\n%struct.outer = type {{ {members} }}")
    assert declared.has_numbers_behind_integers is found


def test_numbers_behind_integers_in_access_types():
    def told(*members):
        listed = ", ".join(f"!{node}, i64 {at}" for node, at in members)
        names = ("int", "float", "double", "any pointer")
        scalars = [f'!{n} = !{{!"{name}", !9, i64 0}}' for n, name in enumerate(names, 1)]
        return structs(
            "", "\n".join(['!9 = !{!"root"}', *scalars, f'!5 = !{{!"s", {listed}}}'])
        ).has_numbers_behind_integers

    assert told((3, 0), (1, 8), (2, 12))
    assert not told((3, 0), (2, 8), (1, 12))
    assert not told((4, 0), (2, 8), (2, 12))
    assert not told((1, 0), (3, 8))


def test_the_only_struct_of_a_size():
    """Of those that fit what is known, all must have the same numbers."""
    declared = structs("%struct.a = type { double, i32, float }\n%struct.b = type { double, i8, float }")
    assert declared.numbers_of(16, lambda *_: True) == [(0, DOUBLE), (12, FLOAT)]
    assert declared.numbers_of(24, lambda *_: True) is None
    assert declared.numbers_of(16, lambda at, _: at != 8) is None
    both = structs("%struct.a = type { double, i32, float }\n%struct.b = type { double, i32 }")
    assert both.numbers_of(16, lambda *_: True) is None
    assert both.numbers_of(16, lambda at, _: at != 12) == [(0, DOUBLE)]
