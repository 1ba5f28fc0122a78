"""Projects as Debian packages them, with the commands that their own documentation or Debian's rules give.

A command is a line of the shell in the project's folder; `CC`, `CXX`, `FC` and the flags are in the environment.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Gradient:
    """A program of this folder, linked with what the project's build made."""

    program: str
    words: str


@dataclass(frozen=True)
class Project:
    package: str
    build: str
    check: str
    gradients: tuple[Gradient, ...] = ()
    tools: tuple[str, ...] = ()
    """Programs that its build needs, besides compilers and make."""
    quick: bool = False
    """One of those that the tests build."""


_CMAKE = "export CMAKE_POLICY_VERSION_MINIMUM=3.5 && cmake -S . -B b -DCMAKE_BUILD_TYPE=None"
_DOUBLE_ONLY = "-DBUILD_SINGLE=OFF -DBUILD_COMPLEX=OFF -DBUILD_COMPLEX16=OFF -DCBLAS=OFF -DLAPACKE=OFF"
_NO_BINDINGS = " ".join(f"-DNLOPT_{name}=OFF" for name in ("PYTHON", "OCTAVE", "MATLAB", "GUILE", "SWIG"))
_MINPACK_TESTS = """
    for pair in 14:- 15:21 16:21 17:22 18:22 19:22 20:23; do
        program=test${pair%:*}; input=/dev/null; [ ${pair#*:} = - ] || input=ex/file${pair#*:}
        cp ex/file${pair%:*} $program.f && $FC $FFLAGS $program.f .libs/libminpack.a -o $program || exit 1
        ./$program <$input >$program.txt || exit 1
    done
    awk '/EXIT PARAMETER/ { runs++; good += $NF >= 1 && $NF <= 4 }
         END { print good, runs; exit !(runs > 200 && good > 0.8 * runs) }' test1[5-9].txt
"""
_VORO_TESTS = """
    cd examples/basic && $CXX $CXXFLAGS -I../../src random_points.cc ../../src/libvoro++.a -o random_points || exit 1
    ./random_points | tee volumes.txt
    awk '/Container volume/ { want = $NF } /Voronoi volume/ { got = $NF }
         END { exit !(want == 8 && got == want) }' volumes.txt
"""

PROJECTS = (
    Project("zlib", "./configure && make -j2", "make check", quick=True),
    Project(
        "minpack",
        "chmod +x configure && ./configure && make -j2",
        _MINPACK_TESTS,
        (Gradient("minpack.c", ".libs/libminpack.a -lm"),),
        quick=True,
    ),
    Project(
        "voro++",
        'make -C src -j2 CXX="$CXX" CFLAGS="$CXXFLAGS -fPIC" libvoro++.a',
        _VORO_TESTS,
        (Gradient("voro++.cc", "-Isrc src/libvoro++.a"),),
        quick=True,
    ),
    Project(
        "lapack",
        f"{_CMAKE} -DBUILD_TESTING=ON {_DOUBLE_ONLY} && make -C b -j2 blas xblat1d xblat2d xblat3d",
        "cd b && ctest --no-tests=error --output-on-failure -R BLAS-xblat",
        (Gradient("blas.c", "b/lib/libblas.a -lm"),),
        tools=("cmake",),
        quick=True,
    ),
    Project(
        "erfa",
        "./bootstrap.sh; autoreconf -fi && ./configure && make -j2",
        "make check",
        (Gradient("erfa.c", "-Isrc src/.libs/liberfa.a -lm"),),
        tools=("autoreconf", "libtoolize"),
    ),
    # Debian leaves out the manual, but not the folder of its build.
    Project(
        "gsl",
        "./configure --disable-shared && sed -i '/^SUBDIRS/s/ doc$//' Makefile && make -j2",
        "make check",
        (Gradient("gsl.c", "-I. .libs/libgsl.a cblas/.libs/libgslcblas.a -lm"),),
    ),
    Project(
        "muparser", f"{_CMAKE} -DENABLE_OPENMP=OFF && make -C b -j2", "cd b && ctest --no-tests=error", tools=("cmake",)
    ),
    Project(
        "nlopt",
        f"{_CMAKE} {_NO_BINDINGS} -DNLOPT_TESTS=ON && make -C b -j2",
        "cd b && ctest --no-tests=error",
        tools=("cmake",),
    ),
)
FULL_LAPACK = Project(
    "lapack",
    f"{_CMAKE} -DBUILD_TESTING=OFF {_DOUBLE_ONLY} && make -C b -j2",
    "nm -g b/lib/liblapack.a | grep -q ' T dgesv_'",
    (Gradient("lapack.c", "b/lib/liblapack.a b/lib/libblas.a -lm"),),
    tools=("cmake",),
)
