"""What copies say of the members that they move."""

from enzyme_build.analysis.copied import copied_parts
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import DOUBLE, FLOAT

TEXT = """\
define void @f(ptr %p, ptr %q) {{
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 {length}, i1 false), !tbaa.struct !0
  ret void
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{{i64 0, i64 8, !1, i64 8, i64 1, !2, i64 16, i64 24, !2, i64 40, i64 4, !3, i64 48, i64 8, !4}}
!1 = !{{!5, !5, i64 0}}
!2 = !{{!6, !6, i64 0}}
!3 = !{{!7, !7, i64 0}}
!4 = !{{!8, !8, i64 0}}
!5 = !{{!"double", !6, i64 0}}
!6 = !{{!"omnipotent char", !9, i64 0}}
!7 = !{{!"float", !6, i64 0}}
!8 = !{{!"any pointer", !6, i64 0}}
!9 = !{{!"Simple C/C++ TBAA"}}
"""


def parts(length: int) -> list[tuple[int, int, object]]:
    module = parse_module(TEXT.format(length=length))
    call = next(i for i in module.function("f").instructions() if isinstance(i, CallBase))
    return copied_parts(module, call)


def test_members():
    assert parts(56) == [
        (0, 8, [(0, Kind.FLOAT, DOUBLE)]),
        (8, 1, [(8, Kind.INTEGER, None)]),  # a character alone
        (16, 24, None),  # an array, a union
        (40, 4, [(40, Kind.FLOAT, FLOAT)]),
        (48, 8, [(48, Kind.POINTER, None)]),
    ]


def test_copies_of_a_part():
    """What the optimiser leaves of the whole struct behind the end of a copy is not moved."""
    assert parts(24) == [(0, 8, [(0, Kind.FLOAT, DOUBLE)]), (8, 1, [(8, Kind.INTEGER, None)]), (16, 8, None)]
    assert parts(4) == [(0, 4, None)]
    assert parts(17)[-1] == (16, 1, None)  # no character
