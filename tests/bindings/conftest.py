"""An extension module around hand-written derivatives, built once."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess  # noqa: TID251 - tools outside the package
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from enzyme_build.bindings.extension import Extension, extension

from .functions import exports

if TYPE_CHECKING:
    from types import ModuleType

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Built:
    module: ModuleType
    made: Extension
    library: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The module as the link step would make it: only the initialisation function is visible."""
    clang = shutil.which("clang-22") or shutil.which("clang")
    if clang is None:
        pytest.skip("no clang was found")
    folder = tmp_path_factory.mktemp("extension")
    made = extension("hand._core", exports())
    (folder / "_core.c").write_text(made.source)
    (folder / "exports.map").write_text("{ global: PyInit__core; local: *; };\n")
    library = folder / "_core.abi3.so"
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-missing-field-initializers"]
    options = ["-O1", "-shared", "-fPIC", "-std=c11", "-D_POSIX_C_SOURCE=200809L", *warnings]
    options += [f"-I{sysconfig.get_path('include')}", f"-Wl,--version-script={folder / 'exports.map'}"]
    sources = [str(folder / "_core.c"), str(HERE / "hand_written.c")]
    subprocess.run([clang, *options, *sources, "-o", str(library), "-lm"], check=True)
    spec = importlib.util.spec_from_file_location("hand._core", library)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Built(module, made, library)
