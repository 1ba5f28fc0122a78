"""The tools that `run.py` measures beside ours: which of them are installed here, and how they are built and run."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from enzyme_build.toolchain import process

if TYPE_CHECKING:
    from collections.abc import Sequence

RIVALS = Path(__file__).parent / "rivals"
CLANGXX = shutil.which("clang++-22") or "clang++"
NO_ARRAY_FORM = 3


def has_header(header: str, flags: Sequence[str] = ()) -> bool:
    """Whether a C++ file with this header compiles."""
    command = [CLANGXX, *flags, "-std=c++17", "-fsyntax-only", "-include", header, "-xc++", "/dev/null"]
    return process.run(command).returncode == 0


@dataclass(frozen=True)
class Compiled:
    """A tool for C++: `rivals/NAME.cpp` is linked beside the driver."""

    name: str
    header: str = ""
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    install: str = ""

    def installed(self) -> bool:
        return not self.header or has_header(self.header, self.flags)

    def build(self, problem: Path, folder: Path) -> list[str]:
        """What is to be linked beside the driver of a problem."""
        includes = [f"-I{problem.parent}", f"-I{problem}", f"-I{RIVALS}"]
        primal = f'-DPRIMAL="{problem.name}.hpp"'
        output = str(folder / f"{problem.name}-{self.name}.o")
        flags = ["-O3", "-std=c++17", *includes, *self.flags, primal]
        command = [CLANGXX, *flags, "-c", str(RIVALS / f"{self.name}.cpp"), "-o", output]
        process.check(process.run(command), command, f"{problem.name} under {self.name}")
        return [output, *self.libraries]


COMPILED = (
    Compiled("finite"),
    Compiled("adolc", "adolc/adolc.h", (), ("-ladolc",), "apt-get install libadolc-dev"),
    Compiled(
        "sacado",
        "Sacado_trad.hpp",
        ("-isystem", "/usr/include/trilinos"),
        (),
        "apt-get install libtrilinos-sacado-dev libtrilinos-kokkos-dev",
    ),
)
ARRAYS = {"jax": "pip install jax", "torch": "pip install torch"}


@dataclass(frozen=True)
class Tools:
    """What is installed, and a line for each tool that is not."""

    compiled: list[Compiled] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def installed() -> Tools:
    compiled = [tool for tool in COMPILED if tool.installed()]
    arrays = [name for name in ARRAYS if importlib.util.find_spec(name)]
    missing = {tool.name: tool.install for tool in COMPILED if tool not in compiled}
    missing |= {name: how for name, how in ARRAYS.items() if name not in arrays}
    return Tools(compiled, arrays, [f"{name} is not installed and left out: {how}" for name, how in missing.items()])


def measure_arrays(tool: str, problem: str, folder: Path, seconds: float) -> dict[str, float] | None:
    """Milliseconds, error and peak memory of a problem under JAX or PyTorch in a process of its own."""
    command = [sys.executable, str(RIVALS / "array_tools.py"), tool, problem, str(folder), str(seconds)]
    done = process.run(command)
    if done.returncode == NO_ARRAY_FORM:
        return None
    return json.loads(process.check(done, command, f"{problem} under {tool}").stdout)
