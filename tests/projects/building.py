"""One project: unpacked, built with compilers of choice, tested, and differentiated."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess  # noqa: TID251
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fetch import fetch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projects import Project

HERE = Path(__file__).parent
OURS = {"CC": "enzyme-cc", "CXX": "enzyme-c++", "FC": "enzyme-fc", "F77": "enzyme-fc"}
PLAIN = {"CC": "clang-22", "CXX": "clang++-22", "FC": "flang-22", "F77": "flang-22"}
_HARDENED = "-g -O2 -fstack-protector-strong -fstack-clash-protection -fcf-protection"
_LTO = "-flto=auto -ffat-lto-objects"
FLAGS = {
    "O2": ("-O2", "-O2", ""),
    "debian": (_HARDENED, "-g -O2", "-Wl,-z,relro -Wl,-z,now"),
    "lto": (f"{_HARDENED} {_LTO}", f"-g -O2 {_LTO}", f"{_LTO} -Wl,-z,relro"),
}
"""Flags for C and C++, Fortran, links: the usual ones, and those of distributions as far as LLVM knows them (flang has
none of hardening)."""
_LIMIT = 900


class StepError(Exception):
    """A command of a project failed; the message has the end of what it printed."""


@dataclass
class Report:
    """Processor seconds by step."""

    seconds: dict[str, float] = field(default_factory=dict)


def missing_tools(project: Project) -> list[str]:
    """Programs that the project needs and that are not there."""
    return [tool for tool in ("make", "dpkg-source", *project.tools) if shutil.which(tool) is None]


def build(project: Project, folder: Path, flags: str = "O2", compilers: Mapping[str, str] = OURS) -> Report:
    """Unpack, build and test a project below `folder`; with our drivers also its gradients."""
    place = fetch(project.package, folder)
    c, fortran, linking = FLAGS[flags]
    values = {"CFLAGS": c, "CXXFLAGS": c, "FFLAGS": fortran, "FCFLAGS": fortran, "LDFLAGS": linking}
    environment = {**os.environ, **values, **compilers}  # noqa: TID251
    report = Report()
    for step, command in (("build", project.build), ("check", project.check)):
        report.seconds[step] = _shell(command, place, environment)
    if compilers is OURS:
        for gradient in project.gradients:
            driver = "$CXX $CXXFLAGS" if gradient.program.endswith(".cc") else "$CC $CFLAGS"
            line = (
                f"{driver} -I'{HERE}' '{HERE}/{gradient.program}' {gradient.words} $LDFLAGS -o gradient && ./gradient"
            )
            report.seconds[gradient.program] = _shell(line, place, environment)
    return report


def _shell(command: str, folder: Path, environment: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            timeout=_LIMIT,
        )
    except subprocess.TimeoutExpired as error:
        raise StepError(f"not done within {_LIMIT} seconds, in {folder}: {command}") from error
    if done.returncode:
        raise StepError(f"exit code {done.returncode}, in {folder}: {command}\n{done.stdout[-6000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
