"""Which language runtimes undefined names come from, and how they are linked."""

from __future__ import annotations

import pytest

from enzyme_build.errors import ConfigError
from enzyme_build.toolchain.clang import BitcodeStyle
from enzyme_build.toolchain.find import Compiler, ToolSettings
from enzyme_build.toolchain.languages import Language
from enzyme_build.toolchain.runtimes import Runtime, needed_runtimes, runtime_words, vector_functions


@pytest.mark.parametrize(
    ("names", "runtimes"),
    [
        (["printf", "sin", "__cxa_finalize", "__cxa_atexit"], set()),
        (["_FortranAStopStatement"], {Runtime.FORTRAN}),
        (["_QMphysPenergy", "f_"], set()),
        (["_Znwm"], {Runtime.LIBSTDCXX}),
        (["__gxx_personality_v0", "_ZNSt6vectorIdE"], {Runtime.LIBSTDCXX}),
        (["_ZNSt3__112basic_stringIcE", "_Znwm", "__cxa_throw"], {Runtime.LIBCXX}),
        (["_ZNKSt3__16locale9use_facetE", "_ZTVNSt3__19basic_iosE"], {Runtime.LIBCXX}),
        (["_ZN4core9panicking5panic17h0123456789abcdefE"], set()),
        (["_ZGVdN4v_exp", "_ZGVbN2vv_pow"], {Runtime.VECTOR}),
        (["_ZGVZ4mainE1x", "_ZGVN3bar3fooE", "_ZGV1x"], {Runtime.LIBSTDCXX}),  # guards of C++'s variables
        (["_Znwm", "_FortranAioEndIoStatement"], {Runtime.LIBSTDCXX, Runtime.FORTRAN}),
    ],
)
def test_names(names: list[str], runtimes: set[Runtime]) -> None:
    assert needed_runtimes(names) == runtimes


def test_vector_functions() -> None:
    assert vector_functions("", ToolSettings()) == ()
    with pytest.raises(ConfigError, match="'sleef'"):
        vector_functions("sleef", ToolSettings())


@pytest.mark.parametrize(
    ("language", "words"),
    [(Language.C, ["-lstdc++", "-lm"]), (Language.CXX, []), (Language.FORTRAN, ["-lstdc++", "-lm"])],
)
def test_a_compiler_adds_its_own(language: Language, words: list[str]) -> None:
    linker = Compiler(("cc",), language, "", 22, BitcodeStyle.FAT)
    assert list(runtime_words({Runtime.LIBSTDCXX}, linker, ToolSettings())) == words
