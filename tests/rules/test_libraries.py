"""Libraries are recognised by the names of their functions, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from enzyme_build.rules.libraries import is_teamwork, library_of


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("dgemm_", "BLAS"),
        ("cblas_ddot", "BLAS"),
        ("cblas_zdotc_sub", "BLAS"),
        ("idamax_", "BLAS"),
        ("snrm2", "BLAS"),
        ("dgemm_64_", "BLAS"),
        ("dgesv_", "LAPACK"),
        ("LAPACKE_dpotrf", "LAPACK"),
        ("LAPACKE_zgetrf_work", "LAPACK"),
        ("dsyevd_", "LAPACK"),
        ("fftw_execute", "FFTW"),
        ("__kmpc_fork_call", "OpenMP"),
        ("GOMP_parallel", "OpenMP"),
        ("MPI_Allreduce", "MPI"),
        ("pthread_create", "threads"),
        ("qsort", "sorting and searching by callback"),
        ("_ZGVbN2v_sin", "vector maths libraries"),
        ("llvm.x86.avx512.mask.scalef.pd.512", "this vector instruction"),
    ],
)
def test_functions_of_libraries(symbol, name):
    library = library_of(symbol)
    assert library is not None
    assert library.name == name
    assert library.hint


@pytest.mark.parametrize(
    "symbol", ["dot", "spend", "spots", "close", "sensor", "llvm.sin.f64", "cube", "special", "hip"]
)
def test_other_functions(symbol):
    assert library_of(symbol) is None


@pytest.mark.parametrize(
    "symbol", ["__kmpc_barrier", "__kmpc_for_static_init_8u", "__kmpc_dispatch_init_4", "__kmpc_single"]
)
def test_threads_that_wait_for_each_other(symbol):
    assert is_teamwork(symbol)


@pytest.mark.parametrize("symbol", ["__kmpc_fork_call", "__kmpc_critical", "__kmpc_end_single", "omp_get_wtime"])
def test_threads_that_do_not(symbol):
    assert not is_teamwork(symbol)
