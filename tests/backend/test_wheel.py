"""Wheels of the little projects in `tests/packages`, built, installed and used."""

from __future__ import annotations

import email
import os
import re
import shutil
import subprocess  # noqa: TID251 - building and using as a user does
import sys
import tarfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import enzyme_build

pytest.importorskip("scikit_build_core")
pytestmark = [pytest.mark.compile, pytest.mark.slow]

PACKAGES = Path(__file__).parents[1] / "packages"

USE_OSCILLATOR = """
import numpy as np, oscillator
x = np.array([0.0, 1.0, 3.0])
assert oscillator.stiffness() == 2.0
assert oscillator.energy(x, 2.0) == 5.0
value, (k_bar, x_bar) = oscillator.energy_grad(x, 2.0)
np.testing.assert_allclose(x_bar, [-2, -2, 4])
assert (value, k_bar) == (5.0, 2.5)
assert oscillator.energy_jvp(x, 2.0, k_dot=1.0) == (5.0, 2.5)
state, cotangent = np.array([0.0, 1.0, 3.0, 0, 0, 0]), np.arange(6.0)
state_bar, dt_bar = oscillator.step_vjp(state, 0.1, cotangent)
for index in range(6):
    moved = [state.copy(), state.copy()]
    for sign, s in zip((1, -1), moved):
        s[index] += sign * 1e-6
        oscillator.step(s, 0.1)
    np.testing.assert_allclose(cotangent @ (moved[0] - moved[1]) / 2e-6, state_bar[index], rtol=1e-6, atol=1e-8)
print("fine")
"""
USE_CLOUD = """
import numpy as np, cloud, cloud_norms
points = np.random.default_rng(0).normal(size=(5, 3))
value, (bar,) = cloud.spread_grad(points)
np.testing.assert_allclose(value, np.linalg.norm(points - points.mean(0), axis=1).sum())
direction, h = np.random.default_rng(1).normal(size=(5, 3)), 1e-6
difference = (cloud.spread(points + h * direction) - cloud.spread(points - h * direction)) / (2 * h)
np.testing.assert_allclose(np.sum(bar * direction), difference, rtol=1e-7)
x = np.array([3.0, 4.0])
assert cloud_norms.length(x) == 5
np.testing.assert_allclose(cloud_norms.length_grad(x)[1][0], x / 5)
print("fine")
"""


def environment():
    return {**os.environ, "PYTHONPATH": str(Path(enzyme_build.__file__).parents[1])}  # noqa: TID251


@pytest.fixture
def package(tmp_path, request):
    folder = tmp_path / request.param
    shutil.copytree(PACKAGES / request.param, folder)
    return folder


def hook(folder: Path, call: str):
    done = subprocess.run(
        [sys.executable, "-c", f"import enzyme_build.backend as backend; print(backend.{call})"],
        cwd=folder, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "dist" / done.stdout.splitlines()[-1]


def install(wheel: Path, folder: Path) -> Path:
    target = folder / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", str(target), str(wheel)],
        check=True,
    )
    return target


def use(program: str, target: Path, cwd: Path):
    setup = f"import site; site.addsitedir({str(target)!r})\n"
    done = subprocess.run(
        [sys.executable, "-c", setup + program], cwd=cwd, env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


@pytest.mark.parametrize("package", ["oscillator"], indirect=True)
def test_wheel_of_a_package(package, tmp_path):
    wheel = hook(package, "build_wheel('dist')")
    assert wheel.name.startswith("oscillator-1.2-cp311-abi3-")
    assert files(wheel) == {
        "oscillator/__init__.py",
        "oscillator/py.typed",
        "oscillator/_core.abi3.so",
        "oscillator/_core.pyi",
    }
    metadata = email.message_from_bytes(zipfile.ZipFile(wheel).read("oscillator-1.2.dist-info/METADATA"))
    assert metadata.get_all("Requires-Dist") == ["numpy"]
    target = install(wheel, tmp_path)
    assert use(USE_OSCILLATOR, target, tmp_path) == "fine\n"
    # Nothing of ours is needed to run it.
    alone = use(
        "import sys, oscillator; print(*{m.split('.')[0] for m in sys.modules} & {'enzyme_build', 'llvmlite'})",
        target,
        tmp_path,
    )
    assert alone == "\n"


@pytest.mark.parametrize("package", ["cloud"], indirect=True)
def test_wheel_of_two_top_level_modules(package, tmp_path):
    wheel = hook(package, "build_wheel('dist', {'enzyme-build.optimise': '3'})")
    assert files(wheel) == {"cloud.abi3.so", "cloud.pyi", "cloud_norms.abi3.so", "cloud_norms.pyi"}
    assert use(USE_CLOUD, install(wheel, tmp_path), tmp_path) == "fine\n"


@pytest.mark.parametrize("package", ["oscillator"], indirect=True)
def test_sdist_builds_the_same_wheel(package, tmp_path):
    sdist = hook(package, "build_sdist('dist')")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
        # An argument from 3.12 on, an attribute before, unknown to the first 3.11.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(tmp_path / "unpacked")
    assert names == {
        "PKG-INFO",
        "pyproject.toml",
        "oscillator/__init__.py",
        "oscillator/py.typed",
        "src/chain.c",
        "src/chain.h",
    }
    wheel = hook(tmp_path / "unpacked" / "oscillator-1.2", "build_wheel('dist')")
    assert use(USE_OSCILLATOR, install(wheel, tmp_path), tmp_path) == "fine\n"


@pytest.mark.parametrize("package", ["oscillator"], indirect=True)
@pytest.mark.parametrize("state", ["wheel", "editable"])
def test_metadata_before_the_wheel(package, state):
    hook(package, f"prepare_metadata_for_build_{state}('dist')")
    text = next((package / "dist").glob("*.dist-info/METADATA")).read_text()
    assert "Name: oscillator" in text


@pytest.mark.parametrize("package", ["oscillator"], indirect=True)
def test_editable_rebuilds_on_import(package, tmp_path):
    settings = {"editable.rebuild": "true", "editable.verbose": "false", "build-dir": "build/{wheel_tag}"}
    wheel = hook(package, f"build_editable('dist', {settings!r})")
    target = install(wheel, tmp_path)
    program = "import oscillator; print(oscillator.stiffness())"
    assert use(program, target, tmp_path).splitlines()[-1] == "2.0"
    source = package / "src" / "chain.c"
    source.write_text(source.read_text().replace("return STIFFNESS;", "return 10 * STIFFNESS;"))
    assert use(program, target, tmp_path).splitlines()[-1] == "20.0"
    header = package / "src" / "chain.h"
    header.write_text(header.read_text().replace("0.5 * k", "5.0 * k"))
    program = "import oscillator, numpy; print(oscillator.energy(numpy.array([0.0, 1.0]), 1.0))"
    assert use(program, target, tmp_path).splitlines()[-1] == "5.0"


@pytest.mark.parametrize("package", ["oscillator"], indirect=True)
def test_editable_installs_what_was_built_within_the_same_second(package, tmp_path):
    settings = {"editable.rebuild": "true", "editable.verbose": "false", "build-dir": "build/{wheel_tag}"}
    target = install(hook(package, f"build_editable('dist', {settings!r})"), tmp_path)
    program = "import oscillator; print(oscillator.stiffness())"
    assert use(program, target, tmp_path).splitlines()[-1] == "2.0"
    (built,) = (package / "build").glob("*/oscillator/*.so")
    (installed,) = (package / "build").glob("*/install/platlib/oscillator/*.so")
    times = built.stat()
    built.write_bytes(built.read_bytes() + b"later")
    os.utime(built, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert use(program, target, tmp_path).splitlines()[-1] == "2.0"
    assert installed.read_bytes() == built.read_bytes()


@pytest.mark.parametrize("package", ["oscillator"], indirect=True)
def test_a_compile_error_is_shown_and_leaves_no_wheel(package):
    (package / "src" / "chain.c").write_text("double energy(const double *x, int n, double k) { return y; }\n")
    done = subprocess.run(
        [sys.executable, "-c", "import enzyme_build.backend as backend; backend.build_wheel('dist')"],
        cwd=package, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "chain.c:1:58: error: use of undeclared identifier 'y'" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert not list((package / "dist").glob("*.whl"))


def test_two_at_once_in_other_folders_are_the_same(tmp_path):
    folders = [tmp_path / "one", tmp_path / "élan vital" / "two"]
    for folder in folders:
        shutil.copytree(PACKAGES / "oscillator", folder)
    with ThreadPoolExecutor() as pool:
        wheels = list(pool.map(lambda folder: hook(folder, "build_wheel('dist')"), folders))
    assert wheels[0].read_bytes() == wheels[1].read_bytes()


@pytest.mark.parametrize("folder", [PACKAGES / "cloud", PACKAGES.parents[1] / "fortran_examples" / "heat"])
def test_wheels_need_nothing_that_a_system_may_lack(folder, tmp_path):
    """C++ and Fortran with their runtimes inside: only the C library of any Linux since 2014 is asked for."""
    shutil.copytree(folder, tmp_path / "project")
    wheel = hook(tmp_path / "project", "build_wheel('dist')")
    done = subprocess.run(
        [sys.executable, "-m", "auditwheel", "show", wheel], capture_output=True, text=True, check=True
    )
    (version,) = re.findall(r'tag: "manylinux_2_(\d+)_x86_64"', " ".join(done.stdout.split()))
    assert int(version) <= 17
    assert set(re.findall(r"lib[\w+-]+\.so[.\d]*", done.stdout)) <= {"libc.so.6", "libm.so.6"}


def test_an_isolated_build_from_a_wheelhouse(tmp_path):
    own = next((Path(__file__).parents[2] / ".venv" / "wheel").glob("enzyme_build-*.whl"), None)
    if own is None:
        pytest.skip("the wheel of this package was not found in .venv")
    house, folder = tmp_path / "wheelhouse", tmp_path / "oscillator"
    shutil.copytree(PACKAGES / "oscillator", folder)
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    needed = [str(own), "scikit-build-core>=0.11", "cmake", "ninja"]
    subprocess.run([*pip, "download", "-d", str(house), "--only-binary", ":all:", *needed], check=True)
    alone = {name: text for name, text in environment().items() if name != "PYTHONPATH"}
    offline = ["wheel", "--no-index", "--find-links", str(house), "--no-deps", "-w", "dist", str(folder)]
    subprocess.run([*pip, *offline], cwd=tmp_path, env=alone, check=True)
    wheel = next((tmp_path / "dist").glob("oscillator-*.whl"))
    assert use(USE_OSCILLATOR, install(wheel, tmp_path), tmp_path) == "fine\n"
