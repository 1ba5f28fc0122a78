"""What is known about functions by name."""

from __future__ import annotations

import pytest

from enzyme_build.ir.types import DOUBLE, PTR, VOID, function_type
from enzyme_build.rules.inactive import INACTIVE, INACTIVE_INTRINSICS
from enzyme_build.rules.inactive_rows import Inactive, Why
from enzyme_build.rules.library_memory import kept_arguments
from enzyme_build.rules.memory import (
    ALLOCATIONS,
    DEALLOCATIONS,
    TRANSFERS,
    Allocation,
    Deallocation,
    Transfer,
    memory_function_by_attributes,
)
from enzyme_build.rules.mirrored import MIRRORED, Mirrored
from enzyme_build.rules.names import canonical
from enzyme_build.rules.registry import MultipleFunction, ScalarFunction, lookup


@pytest.mark.parametrize(
    ("symbol", "kind"),
    [
        ("cosf", ScalarFunction),
        ("llvm.ssa.copy.f64", ScalarFunction),
        ("llvm.ssa.copy.p0", Mirrored),
        ("frexp", MultipleFunction),
        ("malloc", Allocation),
        ("_Znwm", Allocation),
        ("_ZdlPvm", Deallocation),
        ("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc", Allocation),
        ("_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc", Deallocation),
        ("llvm.memcpy.p0.p0.i64", Transfer),
        ("llvm.memset.inline.p0.i64", Transfer),
        ("memmove", Transfer),
        ("printf", Inactive),
        ("llvm.lifetime.start.p0", Inactive),
        ("llvm.smax.i32", Inactive),
        ("llvm.dbg.value", Inactive),
        ("llvm.launder.invariant.group.p0", Mirrored),
        ("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", Mirrored),
        ("_ZNSolsEd", Inactive),
        ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", Inactive),
        ("_ZSt20__throw_length_errorPKc", Inactive),
        ("_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE", Inactive),
        ("_RNvNtCs1234_4core9panicking5panic", Inactive),
        ("_RNvNtNtNtNtCs1234_3std3sys12thread_local11destructors10linux_like8register", Inactive),
        ("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc", Inactive),
        ("lround", Inactive),
        ("__cxa_guard_acquire", Inactive),
        ("setjmp", Inactive),
        ("longjmp", Inactive),
    ],
)
def test_kinds(symbol, kind):
    assert isinstance(lookup(symbol), kind)


@pytest.mark.parametrize(
    "symbol",
    [
        "compute",
        "qsort",
        "_ZN3foo3barEd",
        "llvm.masked.load.v4f64.p0",
        "__enzyme_autodiff",
        "dgemm_",
        "_ZNSt6vectorIdSaIdEE9push_backERKd",
        "pthread_create",
        "llvm.va_start.p0",
    ],
)
def test_unknown(symbol):
    assert lookup(symbol) is None


def test_signature_guards_common_names():
    assert lookup("y1", function_type(DOUBLE, (PTR,))) is None
    assert lookup("gamma", function_type(VOID, ())) is None
    assert isinstance(lookup("gamma", function_type(DOUBLE, (DOUBLE,))), ScalarFunction)


def test_no_name_is_in_two_tables():
    for name in INACTIVE:
        assert canonical(name) is None, name
    tables = [set(INACTIVE), set(ALLOCATIONS), set(DEALLOCATIONS), set(TRANSFERS), set(MIRRORED)]
    assert sum(map(len, tables)) == len(set.union(*tables))
    assert not any(name.startswith("llvm.") for name in INACTIVE_INTRINSICS)


@pytest.mark.parametrize("name", ALLOCATIONS)
def test_allocations_name_a_known_deallocator(name):
    assert ALLOCATIONS[name].deallocator in DEALLOCATIONS


def test_rust_allocations_are_freed_under_their_own_hash():
    found = lookup("_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed")
    assert found == Allocation((0,), "_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc", zeroed=True, alignment=1)


def test_allocators_by_attributes():
    found = memory_function_by_attributes(
        'nounwind allockind("alloc,zeroed,aligned") allocsize(0) "alloc-family"="x"', ["", "allocalign noundef"]
    )
    assert found == Allocation((0,), "", zeroed=True, alignment=1)
    found = memory_function_by_attributes('allockind("realloc") allocsize(1,2)', ["allocptr noundef", "", ""])
    assert found == Allocation((1, 2), "", reallocated=0)
    assert memory_function_by_attributes('allockind("free")', ["", "allocptr"]) == Deallocation(1)
    assert memory_function_by_attributes("nounwind", [""]) is None


def test_what_inactive_functions_write():
    assert lookup("fread").may_write(0)
    assert not lookup("fread").may_write(3)
    assert lookup("sscanf").may_write(5)
    assert not lookup("sscanf").may_write(0)
    assert not lookup("printf").may_write(1)
    assert lookup("_ZNSirsERd").may_write(1)
    assert lookup("__getdelim") == lookup("getdelim")
    assert lookup("_ZSt8to_charsPcS_eSt12chars_formati").writes == {0}
    assert lookup("_ZSt8to_charsPcS_DF16_") is None


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("regexec", 3),
        ("regfree", 0),
        ("mktime", 0),
        ("timegm", 0),
        ("getopt", 1),
        ("sigaction", 2),
        ("gethostname", 0),
        ("initstate_r", 3),
        ("pthread_key_create", 0),
        ("__cxa_demangle", 3),
        ("__mulodi4", 2),
    ],
)
def test_which_argument_functions_of_c_write_behind(name, argument):
    assert lookup(name).may_write(argument)


def test_a_line_that_is_read_goes_to_the_memory_of_the_last_one():
    assert lookup("getline").follows


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("setvbuf", (1,)),
        ("open_memstream", (0, 1)),
        ("strtok", (0,)),
        ("_ZNSt9basic_iosIcSt11char_traitsIcEE4initEPSt15basic_streambufIcS1_E", (1,)),
        ("_ZNSoC1EPSt15basic_streambufIcSt11char_traitsIcEE", (1,)),
        ("_ZNSt15basic_streambufIcSt11char_traitsIcEE4setpEPcS3_", (1, 2, 3)),
        ("_ZNSt3__18ios_base4initEPv", (1,)),
        ("_ZNSolsEi", ()),
        ("fprintf", ()),
    ],
)
def test_memory_that_libraries_keep(name, arguments):
    assert kept_arguments(name) == arguments


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("ioBeginInternalListOutput", 0),
        ("ioBeginInternalArrayFormattedOutput", 0),
        ("ExecuteCommandLine", 2),
        ("GetEnvVariable", 1),
        ("DateAndTime", 8),
        ("RandomSeedGet", 0),
        ("Rename", 2),
        ("Index", 0),
    ],
)
def test_what_the_runtime_of_fortran_writes_behind_descriptors(name, argument):
    known = lookup(f"_FortranA{name}")
    assert known.may_write(argument)
    assert known.follows or known.leaves == argument


@pytest.mark.parametrize("name", ["ioBeginInternalListInput", "ioBeginExternalListOutput", "Index1"])
def test_what_the_runtime_of_fortran_only_reads(name):
    assert not lookup(f"_FortranA{name}").may_write(0)


@pytest.mark.parametrize(
    ("member", "written"),
    [
        ("ZNKSt7__cxx1112basic_string{}7compareERKS4_", []),
        ("ZNKSt7__cxx1112basic_string{}4copyEPcmm", [1]),
        ("ZNKSt7__cxx1112basic_string{}6substrEmm", [0, 1]),
        ("ZNSt7__cxx1112basic_string{}6appendERKS4_", [0]),
        ("ZNSt7__cxx1112basic_string{}6insertEmPKc", [0]),
        ("ZNSt7__cxx1112basic_string{}C2ERKS4_", [0]),
        ("ZNSt7__cxx1112basic_string{}C2EOS4_", [0, 1]),
        ("ZNSt7__cxx1112basic_string{}4swapERS4_", [0, 1]),
        ("ZNSt7__cxx1112basic_string{}15_M_replace_coldEPcmPKcmm", [0, 1, 2]),
    ],
)
def test_what_members_of_strings_write(member, written):
    known = lookup("_" + member.format("IcSt11char_traitsIcESaIcEE"))
    assert [argument for argument in range(3 if "cold" in member else 2) if known.may_write(argument)] == written


@pytest.mark.parametrize("name", ["abort", "exit", "__assert_fail", "_ZSt9terminatev", "llvm.trap"])
def test_ends_of_the_program(name):
    assert lookup(name).no_return
    assert lookup(name).why is Why.STOP
