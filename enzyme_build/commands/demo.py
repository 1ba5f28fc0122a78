"""`enzyme-build demo`: the main job on an embedded example.

The example (`enzyme_build/demo_files`) is a complete user project: a C++ simulation and a `pyproject.toml` that asks
for its gradient. It is copied to a folder, built and installed by pip as any other project, and used from Python.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import time
from importlib.resources import files
from pathlib import Path

import click

from enzyme_build.commands.options import with_settings
from enzyme_build.errors import ConfigError
from enzyme_build.settings import Settings  # noqa: TC001 - read by click's decorators
from enzyme_build.toolchain import process

SCRIPT = "sensitivity.py"
SHOWN = 'extern "C" double distance_after('


@click.command("demo")
@click.option("--folder", type=click.Path(path_type=Path), help="Keep the project here (default: a temporary folder).")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("enzyme-build-demo.png"),
    show_default=True,
    help="Where to save the plot.",
)
@with_settings
def command(*, folder: Path | None, plot: Path, settings: Settings) -> int:
    """Differentiate an embedded example, step by step: C++ in, a NumPy extension with its gradient out."""
    plot = plot.absolute()
    _check_can_run(plot)
    if folder is not None:
        if folder.exists() and any(folder.iterdir()):
            raise ConfigError(f"'{folder}' is not empty", hint="name a new folder for the project")
        return _run(folder.absolute(), plot, settings)
    with tempfile.TemporaryDirectory(prefix="enzyme-demo-") as name:
        return _run(Path(name), plot, settings)


def _check_can_run(plot: Path) -> None:
    # pip builds without isolation here, so that nothing is downloaded: the backend has to be there.
    for module, package in {
        "numpy": "numpy",
        "pip": "pip",
        "scikit_build_core": "scikit-build-core cmake ninja",
    }.items():
        if importlib.util.find_spec(module) is None:
            raise ConfigError(
                f"the demo needs the Python package '{package.split()[0]}'", hint=f"install it: pip install {package}"
            )
    if not plot.parent.is_dir():
        raise ConfigError(f"cannot save the plot: '{plot.parent}' is no folder")


def _run(folder: Path, plot: Path, settings: Settings) -> int:
    project, installed = folder / "project", folder / "installed"
    copy_project(project)
    click.echo("1. The project: an ordinary C++ simulation of the solar system, and a pyproject.toml that asks for the")
    click.echo("   gradient of 'distance_after' with respect to all positions, velocities and masses at the start.")
    _show(project)

    click.echo("2. pip install: clang compiles, the calls for derivatives are answered on optimised LLVM code, and the")
    click.echo("   result is linked as a NumPy extension module.")
    start = time.monotonic()
    install(project, installed, settings)
    for file in sorted(installed.glob("solar*.*")):
        if file.is_file():
            click.echo(f"   {file.name}  {file.stat().st_size // 1024} KB")
    click.echo(f"   built and installed in {time.monotonic() - start:.1f} s\n")

    click.echo(f"3. python {SCRIPT}: value and gradient of 1,000 steps, checked against finite differences.")
    sys.stdout.flush()
    arguments = [str(project / SCRIPT)]
    if importlib.util.find_spec("matplotlib") is not None:
        arguments += ["--plot", str(plot)]
    else:
        click.echo("   (no plot: matplotlib is not installed)")
    return process.exit_code(process.run(_python(installed, project, arguments), capture=False).returncode)


def copy_project(project: Path) -> None:
    """A fresh copy of the embedded example."""
    project.mkdir(parents=True)
    for item in files("enzyme_build").joinpath("demo_files").iterdir():
        if item.is_file():
            (project / item.name).write_bytes(item.read_bytes())


def install(project: Path, target: Path, settings: Settings) -> None:
    """`pip install` into a folder; the build uses this environment, so that nothing is downloaded."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-input"]
    flags = ["--no-build-isolation", "--no-deps", "--no-index", "--target", str(target)]
    command = [*pip, *flags, str(project)]
    process.check(process.run(command, verbose=settings.verbose), command, "pip install of the demo project")


def _show(project: Path) -> None:
    lines = (project / "solar.cpp").read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith(SHOWN))
    last = next(i for i in range(first, len(lines)) if lines[i] == "}")
    for line in lines[first : last + 1]:
        click.echo(f"      {line}")
    click.echo()


def _python(installed: Path, project: Path, arguments: list[str]) -> list[str]:
    """Run a script with further folders to import from; said on the command line, as the environment is not ours."""
    code = (
        "import runpy, sys; "
        f"sys.path[:0] = [{str(installed)!r}, {str(project)!r}]; "
        f"sys.argv = {arguments!r}; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    return [sys.executable, "-c", code]
