"""Functions of strings that the program has copies of."""

from __future__ import annotations

import pytest

from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.strings import without_copies

OF_STRINGS = "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
TEXT = """\
%"class.std::string" = type {{ ptr, i64, [16 x i8] }}
$NAME = comdat any

declare i32 @__gxx_personality_v0(...)

define {linkage} dso_local noundef ptr @NAME(ptr noundef nonnull align 8 dereferenceable(32) %this, i64 %"old length", ptr byval(%"class.std::string") align 8 %0) unnamed_addr #0 {comdat}align 2 personality ptr @__gxx_personality_v0 !dbg !1 {{
  ret ptr %this
}}

define ptr @user(ptr %s) {{
  %r = call ptr @NAME(ptr %s, i64 0, ptr byval(%"class.std::string") %s)
  ret ptr %r
}}

attributes #0 = {{ nounwind }}
!llvm.dbg.cu = !{{!3}}
!llvm.module.flags = !{{!4}}
!1 = distinct !DISubprogram(name: "f", file: !2, line: 1, spFlags: {flags}, unit: !3)
!2 = !DIFile(filename: "a.cpp", directory: "/")
!3 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2)
!4 = !{{i32 2, !"Debug Info Version", i32 3}}
"""  # noqa: E501 - as LLVM writes it


def is_defined(name: str, *, flags: str, linkage: str = "linkonce_odr") -> bool:
    comdat = "comdat " if linkage == "linkonce_odr" else ""
    text = TEXT.format(flags=flags, linkage=linkage, comdat=comdat).replace("NAME", name)
    after = without_copies(text)
    parse_text(after, "what is left").verify()
    return f"define {linkage}" in after


OPTIMISED = "DISPFlagDefinition | DISPFlagOptimized"


@pytest.mark.parametrize(
    ("name", "stays"),
    [
        ("9_M_mutateEmmPKcm", False),
        ("16find_last_not_ofERKS4_m", False),
        ("4sizeEv", False),
        ("C2EOS4_", False),
        ("7replaceEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_mc", False),
        ("12_M_constructIPKcEEvT_S8_St20forward_iterator_tag", False),
        ("12_M_constructIN9__gnu_cxx17__normal_iteratorIPcS4_EEEEvT_SA_St20forward_iterator_tag", False),
        # Templates of the program, and what is new in C++20
        ("C2IS3_EEPKcRKS3_", True),
        ("12_M_constructIN2my2itEEEvT_S8_St20forward_iterator_tag", True),
        ("11starts_withEPKc", True),
        ("9_M_mutateEmmPKcmX", True),
    ],
)
@pytest.mark.parametrize("flags", [OPTIMISED, "DISPFlagDefinition"])
def test_what_the_library_has_is_called_there(name: str, flags: str, *, stays: bool) -> None:
    assert is_defined(OF_STRINGS + name, flags=flags) == stays


def test_wide_strings_are_strings() -> None:
    wide = "_ZNSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE"
    for name in ("9_M_createERmm", "12_M_constructIPKwEEvT_S8_St20forward_iterator_tag"):
        assert not is_defined(wide + name, flags=OPTIMISED)


@pytest.mark.parametrize("traits", ["IcN2my6traitsESaIcEE", "IcSt11char_traitsIcEN2my5allocIcEEE"])
def test_strings_of_the_program_stay(traits: str) -> None:
    assert is_defined(f"_ZNSt7__cxx1112basic_string{traits}4sizeEv", flags="DISPFlagDefinition")


def test_instances_that_the_program_exports_stay() -> None:
    assert is_defined(OF_STRINGS + "4sizeEv", flags="DISPFlagDefinition", linkage="weak_odr")
