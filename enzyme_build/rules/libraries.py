"""Libraries without derivative rules, so that a refusal can say what to do instead.

Calls on constant data are made as they are; these rows matter only where active data takes part.
"""

from __future__ import annotations

from typing import Final

from enzyme_build.records import dataclass
from enzyme_build.regex import regex


@dataclass(frozen=True, slots=True)
class Library:
    """`name` completes "there are no derivative rules for …".

    Functions that are `stateless` give nothing back later of what they get now.
    """

    name: str
    hint: str
    stateless: bool = False


_BLAS: Final = (
    "(axpy|axpby|dot[uc]?(_sub)?|dsdot|sdsdot|scal|copy|swap|nrm2|asum|amax|amin|rot|rotm|rotg|rotmg|gemv|gbmv|symv|sbmv"
    "|spmv|trmv|tbmv|tpmv|trsv|tbsv|tpsv|ger[uc]?|syr|spr|syr2|spr2|hemv|hbmv|hpmv|her|hpr|her2|hpr2|gemm(3m|t)?|symm"
    "|syrk|syr2k|hemm|herk|her2k|trmm|trsm|omatcopy|imatcopy|geadd)"
)
_LAPACK: Final = "(ge|gb|gt|po|pp|pb|pt|sy|sp|he|hp|tr|tb|tp|or|un|op|up|st|sb|hb|hs|gg|tg|la|di|bd)[a-z0-9]{2,5}"
_LOOPS: Final = "write the loops, or compile a reference implementation (Netlib, Eigen) with enzyme-cc and link that"
THREADS_HINT: Final = "differentiate the part that each thread does by itself, and add up the results outside"

OPENMP_HINT: Final = f"compile this file without -fopenmp, or {THREADS_HINT}"
_THREADS: Final = (
    r"(pthread_create|pthread_join|thrd_create|thrd_join|_ZNSt6thread\w*|_ZNSt13__future_base\w*|tbb\w*|_ZN3tbb\w*)"
)

_LIBRARIES: Final[tuple[tuple[str, Library], ...]] = (
    (rf"(cblas_)?(s|d|c|z|i[sdcz]|sc|dz|cs|zd|ds|sds){_BLAS}(_|_64_?)?", Library("BLAS", _LOOPS, stateless=True)),
    (rf"(LAPACKE_[sdcz]{_LAPACK}\w*|[sdcz]{_LAPACK}(_2stage)?(_|_64_))", Library("LAPACK", _LOOPS, stateless=True)),
    (r"(cblas|openblas|mkl|LAPACKE|bli)_\w+", Library("this linear algebra library", _LOOPS, stateless=True)),
    (r"fftw[fl]?_\w+", Library("FFTW", "compile a transform written in C or C++ with enzyme-cc and link that")),
    (r"gsl_\w+", Library("the GNU Scientific Library", "compile its source with enzyme-cc, or write the function")),
    (
        r"(__kmpc_|GOMP_|__tgt_|omp_)\w+",
        Library("OpenMP", OPENMP_HINT),
    ),
    (r"P?MPI_\w+", Library("MPI", "communicate outside of the differentiated function, and add up derivatives there")),
    (_THREADS, Library("threads", THREADS_HINT)),
    (
        r"(qsort|qsort_r|bsearch|lfind|lsearch)",
        Library(
            "sorting and searching by callback",
            "sort an array of indices instead, or use a sort whose source is compiled (std::sort, a loop)",
            stateless=True,
        ),
    ),
    (
        r"(tsearch|tfind|tdelete|twalk|hsearch)(_r)?",
        Library(
            "search trees and tables of the C library", "search for indices, or use a table whose source is compiled"
        ),
    ),
    (
        r"(cu|cuda|cublas|hip|rocblas)[A-Z]\w+",
        Library("graphics processors", "differentiate the code for the processor"),
    ),
    (
        r"(_mm_\w+|_ZGV[a-zA-Z]\w+)",
        Library(
            "vector maths libraries",
            "call the scalar function; the loop is vectorised after differentiation",
            stateless=True,
        ),
    ),
    (
        r"llvm\.(x86|vp|masked|matrix|vector|experimental)\..*",
        Library(
            "this vector instruction",
            "write it with clang's vector types or in plain C; it is vectorised afterwards",
            stateless=True,
        ),
    ),
)
_PATTERNS: Final = tuple((regex(pattern), library) for pattern, library in _LIBRARIES)


BY_CALLBACK: Final = frozenset(["qsort", "qsort_r", "bsearch", "lfind"])
"""Sorts and searches that are differentiated (`differentiate.sorts`), where they are declared as in C."""


def library_of(symbol: str) -> Library | None:
    """The library that a function belongs to, judging by its name."""
    return next((library for pattern, library in _PATTERNS if pattern.fullmatch(symbol)), None)


_TEAMWORK: Final = regex(
    r"__kmpc_((cancel_)?barrier|(dist_)?for_static_init|dist_dispatch_init|dispatch_init|single|copyprivate|ordered"
    r"|reduce|doacross_init)(_\w+)?"
)


def is_of_openmp(symbol: str) -> bool:
    """Does a directive of OpenMP call this? It touches only what it is given, or what functions do that it is given."""
    return symbol.startswith("__kmpc_")


_WAITS: Final = regex(
    r"pthread_(cond_(timed)?wait|cond_clockwait|barrier_wait|join|timedjoin_np)|thrd_join|cnd_(timed)?wait"
    r"|sem_(timed|clock)?wait|_ZNSt(3__1)?(6thread4join|18condition_variable\w*?\d+\w*wait)\w*"
)


def waits_for_threads(symbol: str) -> bool:
    """Does it return when another thread has done something?"""
    return _WAITS.fullmatch(symbol) is not None


_THREAD_FUNCTIONS: Final = regex(_THREADS)


def is_of_threads(symbol: str) -> bool:
    """Does it start threads, or wait for them?"""
    return _THREAD_FUNCTIONS.fullmatch(symbol) is not None


def is_teamwork(symbol: str) -> bool:
    """Does it share work out among threads that run the same code, or make them wait for each other?"""
    return _TEAMWORK.fullmatch(symbol) is not None
