"""How full hash tables of C++ may be: a float of the library's own."""

from __future__ import annotations

from enzyme_build.differentiate.library_settings import integers_for_settings
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import FLOAT, I32

TYPE = '%"struct.std::__detail::_Prime_rehash_policy" = type { float, i64 }\n'
DECLARED = """
declare double @llvm.ceil.f64(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
TAGS = """
!0 = !{!1, !2, i64 0}
!1 = !{!"_ZTSNSt8__detail20_Prime_rehash_policyE", !2, i64 0, !3, i64 8}
!2 = !{!"float", !4, i64 0}
!3 = !{!"long", !4, i64 0}
!4 = !{!"omnipotent char", !5, i64 0}
!5 = !{!"Simple C++ TBAA"}
!6 = !{i64 0, i64 4, !7, i64 8, i64 8, !8}
!7 = !{!2, !2, i64 0}
!8 = !{!3, !3, i64 0}
"""
STORE = "  store float 1.0, ptr %p, !tbaa !0\n"
COPY = "  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 16, i1 false), !tbaa.struct !6\n"
LOAD = "  %v = load float, ptr %p, !tbaa !0\n  %d = fpext float %v to double\n  %n = fdiv double 8.0, %d\n"
COUNT = "  %c = call double @llvm.ceil.f64(double %n)\n  %i = fptoui double %c to i64\n"


def is_integer(body: str, end: str = "ret void", result: str = "void") -> bool:
    """Is the number set as an integer, and known as one to the struct?"""
    text = f"{TYPE}define {result} @f(ptr %p, ptr %q, float %x) {{\n{body}  {end}\n}}{DECLARED}{TAGS}"
    module = parse_module(text)
    function = module.function("f")
    integers_for_settings(module, [function])
    assert not check_function(module, function)
    (store,) = (i for i in function.instructions() if isinstance(i, ir.Store))
    (policy,) = module.types.values()
    changed = store.value.type is I32
    assert policy.fields[0] is (I32 if changed else FLOAT)
    assert not any(isinstance(i, ir.Load) and i.type is FLOAT for i in function.instructions()) or not changed
    return changed


def test_a_constant_is_one_as_is_what_counts_buckets():
    assert is_integer(STORE)
    assert is_integer(STORE + LOAD + COUNT)


def test_what_the_program_computes_is_a_number():
    assert not is_integer("  store float %x, ptr %p, !tbaa !0\n")


def test_what_the_program_reads_as_a_number_is_one():
    assert not is_integer(STORE + LOAD, "ret double %n", "double")


def test_structs_of_the_program_look_like_the_library_s():
    assert not is_integer(STORE + COPY)
