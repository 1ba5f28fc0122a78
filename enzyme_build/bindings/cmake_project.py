"""The CMake project of a Python project that has none: one custom command for each configured module."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

from .extension import render

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from .project import ModuleConfig, ProjectConfig


@dataclass(frozen=True)
class _Module:
    """A module as the template writes it."""

    name: str
    stem: str
    folder: str
    destination: str
    sources: tuple[str, ...]


def cmake_project(  # noqa: PLR0913
    config: ProjectConfig, *, project: str, root: Path, python: str, suffix: str, overrides: Iterable[str] = ()
) -> str:
    """The text of CMakeLists.txt; `root` is the folder of pyproject.toml, `python` runs `-m enzyme_build`, `overrides`
    are values that count instead of those in pyproject.toml: `optimise=3`."""
    return render(
        "CMakeLists.txt.j2",
        project=re.sub(r"\W", "_", project),
        root=_quoted(str(root)),
        python=_quoted(python),
        suffix=suffix,
        overrides=[_quoted(text) for text in overrides],
        modules=[_module(module, root) for module in config.module],
    )


def _module(module: ModuleConfig, root: Path) -> _Module:
    package, _, stem = module.name.rpartition(".")
    return _Module(
        name=module.name,
        stem=stem,
        folder=package.replace(".", "/") or ".",
        destination=package.replace(".", "/") or ".",
        sources=tuple(_quoted(str(root / source)) for source in module.sources),
    )


def _quoted(text: str) -> str:
    """Text inside the double quotes of a CMake argument."""
    return re.sub(r'(["\\$;])', r"\\\1", text)
