"""Functions of `std::string` that are compiled with the program, but are in libstdc++ as well.

Since C++20 they are constant expressions, and so no longer left to the library. Its own are called again here: what
such calls do is known, of the bodies it would have to be proved. These are all that the library has, as far as calls of
them are left: in optimised code the inline functions are gone, unless `-fno-inline` keeps them.

Sources: libstdc++, `bits/basic_string.h` and `bits/basic_string.tcc` ("implicitly instantiate std::string as needed"),
and the names in its shared library, which has had them since version 3.4.21, some since 3.4.26 (GCC 9).
"""

from __future__ import annotations

from typing import Final

from enzyme_build.regex import regex

from .bodies import declaration

_ITERATOR: Final = r"N9__gnu_cxx17__normal_iteratorIPK?[cw]S4_EE"
_FUNCTIONS: Final = rf"""
    9_M_createERmm 12_M_constructEm# 12_M_constructI(?:PK?#|{_ITERATOR})EEvT_S\w_St20forward_iterator_tag
    9_M_assignERKS4_ 7reserveEm 9_M_mutateEmmPK#m 8_M_eraseEmm 6resizeEm# 9_M_appendEPK#m
    14_M_replace_auxEmmm# 10_M_replaceEmmPK#m 4swapERS4_ 4copyEP#mm
    (?:4find|5rfind|\d\dfind_(?:first|last)_(?:not_)?of)E(?:PK#mm?|RKS4_m|#m)
    7compareE(?:PK#|mmPK#m?|mmRKS4_(?:mm)?)
    10_M_destroyEm 10_M_disposeEv 10_S_compareEmm 11_M_capacityEm 11_M_disjunctEPK# 11_M_is_localEv
    12_Alloc_hiderC[12]EP#(?:OS3_|RKS3_) 12__sv_wrapperC[12]ESt17basic_string_viewI#S2_E 13_M_local_dataEv
    13_M_set_lengthEm 13_S_copy_charsEP#\w+ 13get_allocatorEv 13shrink_to_fitEv 15_M_check_lengthEmmPK#
    16_M_get_allocatorEv 17_S_to_string_viewESt17basic_string_viewI#S2_E 18_M_construct_aux_2Em# 2atEm 3endEv 4backEv
    4cendEv 4dataEv 4rendEv 4sizeEv 5beginEv 5c_strEv 5clearEv 5crendEv 5emptyEv 5eraseEmm 5frontEv
    6(?:append|assign)E(?:PK#m?|RKS4_(?:mm)?|St16initializer_listI#E|m#) 6assignEOS4_ 6cbeginEv
    6insertEm(?:PK#m?|RKS4_(?:mm)?|m#) (?:5erase|6insert|7replace)E{_ITERATOR}\w* 6lengthEv 6rbeginEv 6resizeEm
    6substrEmm
    7_M_data(?:EP#|Ev) 7_S_(?:copy|move)EP#PK#m 7compareERKS4_ 7crbeginEv 7replaceEmm(?:PK#m?|RKS4_(?:mm)?|m#)
    7reserveEv 8_M_checkEmPK# 8_M_limitEmm 8capacityEv 8max_sizeEv 8pop_backEv 9_M_lengthEm 9_S_assignEP#m#
    9push_backE#
    C[12]E(?:NS4_12__sv_wrapperERKS3_|OS4_(?:RKS3_)?|PK#m?RKS3_|RKS[34]_|RKS4_(?:m|mm)?RKS3_|RKS4_mm|m#RKS3_|v)
    C[12]ESt16initializer_listI#ERKS3_ D[12]Ev
    aSE(?:OS4_|PK#|RKS4_|St16initializer_listI#E|#) cvSt17basic_string_viewI#S2_EEv ixEm
    pLE(?:PK#|RKS4_|St16initializer_listI#E|#)
"""


_NAMES: Final = "|".join(_FUNCTIONS.replace("#", "[cw]").split())
_DEFINED: Final = regex(
    r"(?m)^define linkonce_odr [^\n]*@_ZNK?St7__cxx1112basic_stringI([cw])St11char_traitsI\1ESaI\1EE"
    rf"(?:{_NAMES})\([^\n]*\{{$"
)
_END: Final = "\n}\n"


def without_copies(text: str) -> str:
    """`text` with calls of the library where it has copies of the library's functions."""
    parts: list[str] = []
    done = 0
    for head in _DEFINED.finditer(text):
        end = text.find(_END, head.end())
        if end >= 0:
            parts += [text[done : head.start()], declaration(head[0])]
            done = end + len(_END)
    return "".join([*parts, text[done:]])
