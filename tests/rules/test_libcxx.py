"""What is known of functions of libc++ by their names, and of its virtual functions by their places in tables."""

from __future__ import annotations

import pytest

from enzyme_build.ir.types import DOUBLE, FLOAT
from enzyme_build.rules.inactive import GCOUNT, RETURN_FIRST
from enzyme_build.rules.inactive_rows import Fill, Inactive, Number, Why
from enzyme_build.rules.libcxx import libcxx_method
from enzyme_build.rules.registry import lookup

_STRING = "NS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE"
_ISTREAM = "_ZNSt3__113basic_istreamIcNS_11char_traitsIcEEE"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEd", Why.IO),
        ("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE6sentryC1ERS3_", Why.IO),
        ("_ZNKSt3__115basic_stringbufIcNS_11char_traitsIcEENS_9allocatorIcEEE3strEv", Why.IO),
        ("_ZNSt3__18ios_base5clearEj", Why.IO),
        ("_ZNKSt3__16locale9use_facetERNS0_2idE", Why.IO),
        ("_ZNSt3__16chrono12steady_clock3nowEv", Why.TIME),
        ("_ZNSt3__113random_deviceclEv", Why.RANDOM),
        (f"_ZNSt3__14stodERK{_STRING}Pm", Why.TEXT),
        (f"_ZNSt3__15stoulERK{_STRING}Pmi", Why.TEXT),
        ("_ZNSt3__15mutex4lockEv", Why.SYNC),
        ("_ZNSt3__112__next_primeEm", Why.RUNTIME),
    ],
)
def test_functions_without_derivative(name: str, why: Why) -> None:
    known = lookup(name)
    assert isinstance(known, Inactive)
    assert known.why is why


@pytest.mark.parametrize(
    ("name", "read"),
    [
        (f"{_ISTREAM}4readEPcl", Fill(1, counter=GCOUNT)),
        (f"{_ISTREAM}8readsomeEPcl", Fill(1, counted=True)),
        (f"{_ISTREAM}rsERd", Number(1, DOUBLE)),
        (f"{_ISTREAM}rsERf", Number(1, FLOAT)),
    ],
)
def test_numbers_read_from_streams(name: str, read: Fill | Number) -> None:
    known = lookup(name)
    assert isinstance(known, Inactive)
    assert (*known.fills, *known.numbers) == (read,)


@pytest.mark.parametrize(
    "name",
    [
        "_ZNSt3__119__shared_weak_count14__release_weakEv",
        "_ZNSt3__16__sortIRNS_6__lessIddEEPdEEvT0_S5_T_",
        "_ZNSt3__115basic_streambufIcNS_11char_traitsIcEEE6setbufEPcl",
        "_ZNSt3__115memory_resource10deallocateEPvmm",
    ],
)
def test_what_moves_or_keeps_memory_is_not_known(name: str) -> None:
    assert lookup(name) is None


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEd", True),
        ("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEE3putEc", True),
        (f"{_ISTREAM}rsERd", True),
        ("_ZNSt3__113basic_ostreamIcNS_11char_traitsIcEEElsEPFRS3_S4_E", False),
        ("_ZNKSt3__115basic_streambufIcNS_11char_traitsIcEEE6getlocEv", False),
    ],
)
def test_streams_are_what_their_functions_return(name: str, *, first: bool) -> None:
    assert (RETURN_FIRST.match(name) is not None) == first


def test_virtual_functions() -> None:
    buffer = "_ZTSNSt3__115basic_streambufIcNS_11char_traitsIcEEEE"
    takes, fills, ends = 96, 64, 0
    assert libcxx_method(buffer, takes) is not None
    assert libcxx_method(buffer, fills) is None
    assert libcxx_method(buffer, ends) is None
    assert libcxx_method("_ZTSNSt3__15ctypeIcEE", 56) is not None
    assert libcxx_method("_ZTS5Shape", 96) is None
