"""The options that drivers, commands and build hooks share, read once at the top and handed down as plain values.

Sources rank: what is written on the command line, then the environment (`ENZYME_…`), then the defaults below.
This is the only file that reads the environment, besides the start of the drivers.
"""

from __future__ import annotations

import os
import re
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass
from enzyme_build.toolchain.find import ToolSettings

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Settings:
    tools: ToolSettings = field(default_factory=ToolSettings)
    optimise: int = 2
    """Level of the pipeline after differentiation (0 to 3)."""
    target_cpu: str = ""
    """CPU to generate code for, as in `-march=`; empty: what the inputs were compiled for."""
    veclib: str = ""
    """Library of vector functions for loops with calls of mathematical ones, as in `-fveclib=`: `libmvec`."""
    ad_before_opt: bool = False
    """Differentiate unoptimised code: the baseline that everybody else compares with."""
    loose_types: bool = False
    """Guess (and warn) where the type of memory cannot be proved."""
    warnings: tuple[str, ...] = ()
    """Options of the classes of warnings, without `-W`: `no-enzyme-rounding`, `error=enzyme` …"""
    save_stages: Path | None = None
    """Folder that receives each stage of a link as text (`ENZYME_SAVE_STAGES`)."""
    verbose: bool = False
    """Print each command that is run (`ENZYME_VERBOSE`)."""
    quiet: bool = False
    captured: bool = False
    """What compilers say goes to `sys.stderr` and into errors, not to where this process writes."""
    jobs: int = 1
    """Compilers running at once (`ENZYME_JOBS`)."""
    cache_size: int = 2 << 30
    """Bytes that links done before may take (`ENZYME_CACHE_SIZE`, such as `500M`); 0: none is kept."""
    library_path: tuple[Path, ...] = ()
    """Where linkers look for libraries first, behind `-L` (`LIBRARY_PATH`)."""


def from_environment(environment: Mapping[str, str] | None = None) -> Settings:
    """The settings that the environment gives."""
    values = os.environ if environment is None else environment  # noqa: TID251
    cache, stages = values.get("ENZYME_CACHE_DIR"), values.get("ENZYME_SAVE_STAGES")
    cargo_target = values.get("CARGO_TARGET_DIR")
    return Settings(
        tools=ToolSettings(
            cc=values.get("ENZYME_CC", ""),
            cxx=values.get("ENZYME_CXX", ""),
            fc=values.get("ENZYME_FC", ""),
            rustc=values.get("ENZYME_RUSTC", ""),
            ld=values.get("ENZYME_LD", ""),
            llvm=values.get("ENZYME_LLVM", ""),
            preferred=tuple(values.get(name, "") for name in ("CC", "CXX", "FC", "RUSTC", "LD")),
            path=values.get("PATH", os.defpath),
            cargo_target=Path(cargo_target) if cargo_target else None,
            cache=Path(cache) if cache else None,
        ),
        save_stages=Path(stages).absolute() if stages else None,
        verbose=values.get("ENZYME_VERBOSE", "") not in {"", "0"},
        cache_size=_bytes(values.get("ENZYME_CACHE_SIZE", ""), Settings.cache_size),
        jobs=_count(values.get("ENZYME_JOBS", "")),
        library_path=tuple(Path(folder) for folder in values.get("LIBRARY_PATH", "").split(os.pathsep) if folder),
    )


_PROJECT: Final = "ENZYME_BUILD_"


def project_overrides(environment: Mapping[str, str] | None = None) -> list[tuple[str, str, str]]:
    """Keys of `[tool.enzyme-build]` with the values that the environment gives, and the variables' names."""
    values = os.environ if environment is None else environment  # noqa: TID251
    named = sorted((name, text) for name, text in values.items() if name.startswith(_PROJECT))
    return [(name.removeprefix(_PROJECT).lower().replace("_", "-"), text, name) for name, text in named]


def with_options(settings: Settings, **options: object) -> Settings:
    """`settings` with those `options` replaced that are not None."""
    return replace(settings, **{name: value for name, value in options.items() if value is not None})  # type: ignore[arg-type]


def _bytes(text: str, default: int) -> int:
    """A size such as `0`, `500M` or `2.5 GiB`."""
    if not text:
        return default
    found = re.fullmatch(r"(\d+(?:\.\d*)?)\s*([kmgt]?)(?:i?b)?", text.strip(), re.IGNORECASE)
    if not found:
        raise ConfigError(f"ENZYME_CACHE_SIZE is no size: '{text}'", hint="write 0, 500M or 2G")
    return int(float(found[1]) * 1024 ** " kmgt".index(found[2].lower() or " "))


def _count(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() else 1
