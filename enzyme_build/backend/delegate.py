"""Which backend does the work, with which settings, and what it needs.

Without a CMakeLists.txt of the user's we write one and point scikit-build-core to it (`cmake.source-dir`); the wheel is
tagged for every CPython from 3.11 on (`wheel.py-api`). What the user sets himself wins.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from enzyme_build.bindings.cmake_project import cmake_project
from enzyme_build.bindings.project import Override, ProjectConfig, read_project
from enzyme_build.commands.module import module_suffix
from enzyme_build.errors import ConfigError, EnzymeBuildError, ToolError
from enzyme_build.records import dataclass
from enzyme_build.settings import from_environment, project_overrides
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import find_compiler, which
from enzyme_build.toolchain.languages import Language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ConfigSettings = dict[str, list[str] | str] | None

_MODULES: Final = {"scikit-build-core": "scikit_build_core.build", "meson-python": "mesonpy"}
_REQUIREMENTS: Final = {"scikit-build-core": "scikit-build-core>=0.11", "meson-python": "meson-python>=0.17"}
_STABLE_ABI: Final = "cp311"
_FOLDER: Final = "enzyme-build"
_EPOCH: Final = "1580601600"
"""Time of all files in wheels and sdists where the environment says none: the same inputs make the same bytes."""
_OURS: Final = "enzyme-build."
"""Before the names of config-settings for us."""


@dataclass(frozen=True)
class Project:
    """A project as its pyproject.toml describes it."""

    root: Path
    config: ProjectConfig
    table: Mapping[str, Any]
    overrides: tuple[Override, ...] = ()
    """What is to count instead of values of the table."""

    @property
    def name(self) -> str:
        return str(self.table.get("project", {}).get("name", "project"))

    @property
    def scikit_build(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.table.get("tool", {}).get("scikit-build", {})
        return found

    @property
    def has_cmake(self) -> bool:
        source = str(self.scikit_build.get("cmake", {}).get("source-dir", "."))
        return (self.root / source / "CMakeLists.txt").exists()

    @property
    def needs_cmake_project(self) -> bool:
        return self.config.backend == "scikit-build-core" and bool(self.config.module)


@contextlib.contextmanager
def delegated(config_settings: ConfigSettings, state: str) -> Iterator[tuple[Any, ConfigSettings]]:
    """The backend that does the work and the settings for it; our errors end here as one message and exit code 1."""
    with _errors_end_here():
        ours, settings = split_settings(config_settings)
        project = read(Path.cwd(), ours)
        check(project, state)
        backend = importlib.import_module(_MODULES[project.config.backend])
        os.environ.setdefault("SOURCE_DATE_EPOCH", _EPOCH)  # noqa: TID251 - both backends read it there
        with contextlib.ExitStack() as stack:
            if project.needs_cmake_project:
                folder = stable_folder(project, settings)
                if folder is None:
                    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="enzyme-build-")))
                settings = {**own_settings(project, folder), **settings}
            yield backend, settings


def requirements(config_settings: ConfigSettings, state: str) -> list[str]:
    """What has to be installed before `state` (wheel, editable or sdist) can be built."""
    with _errors_end_here():
        project = read(Path.cwd(), split_settings(config_settings)[0])
        needed = [_REQUIREMENTS[project.config.backend]]
        module = _MODULES[project.config.backend]
        if importlib.util.find_spec(module.partition(".")[0]) is not None:
            with delegated(config_settings, state) as (backend, settings):
                needed += getattr(backend, f"get_requires_for_build_{state}")(settings)
        elif state != "sdist":
            needed += [tool for tool in ("cmake", "ninja") if not _runs(tool)]
        if state != "sdist" and project.config.module and not _has_compiler():
            needed.append("ziglang>=0.15")
        return list(dict.fromkeys(needed))


def offers(hook: str) -> bool:
    """Has the backend that does the work in this folder a hook of this name? What is wrong here, the hook will say."""
    try:
        project = read(Path.cwd())
        return hasattr(importlib.import_module(_MODULES[project.config.backend]), hook)
    except (EnzymeBuildError, ImportError):
        return True


def split_settings(config_settings: ConfigSettings) -> tuple[list[Override], dict[str, list[str] | str]]:
    """What the front end's config-settings say to us (`enzyme-build.optimise=3`), and the rest."""
    ours, others = [], {}
    for name, value in (config_settings or {}).items():
        if not name.startswith(_OURS):
            others[name] = value
            continue
        texts = [value] if isinstance(value, str) else value
        ours += [Override(name.removeprefix(_OURS), text, f"config-setting '{name}'") for text in texts]
    return ours, others


def read(root: Path, settings: Sequence[Override] = ()) -> Project:
    """The project in the folder `root`. What `settings` say counts most, then the environment, then the file."""
    overrides = (*(Override(*one) for one in project_overrides()), *settings)
    try:
        table = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read '{root / 'pyproject.toml'}': {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"'{root / 'pyproject.toml'}' is not valid TOML: {error}") from error
    return Project(root, read_project(table, overrides), table, overrides)


def check(project: Project, state: str) -> None:
    """Refuse contradictions, and warn of what only shows when the wheel is used."""
    config = project.config
    if config.module and config.backend == "meson-python":
        raise ConfigError(
            "[[tool.enzyme-build.module]] needs the backend scikit-build-core",
            hint="with meson-python, call enzyme-build from a custom_target of meson.build",
        )
    if not config.module and config.backend == "scikit-build-core" and not project.has_cmake:
        raise ConfigError(
            "nothing to build: neither [[tool.enzyme-build.module]] nor a CMakeLists.txt",
            hint="describe an extension module in pyproject.toml",
        )
    if not project.needs_cmake_project:
        return
    if project.has_cmake:
        raise ConfigError(
            "both [[tool.enzyme-build.module]] and a CMakeLists.txt say what to build",
            hint="keep the table and remove CMakeLists.txt, or call enzyme_add_gradient() there and remove the table",
        )
    for module in config.module:
        for source in module.sources:
            if not (project.root / source).exists():
                raise ConfigError(f"a source of module '{module.name}' does not exist: '{source}'")
        hiding = next((folder for folder in _packages(project) if _hides(project.root / folder, module.name)), None)
        if hiding is not None:
            raise ConfigError(
                f"the package '{hiding}' would hide the module '{module.name}', which has the same name",
                hint=f"name the module '{module.name}._core', and import from it in the package's __init__.py",
            )
    if state == "editable" and project.scikit_build.get("editable", {}).get("mode") == "inplace":
        raise ConfigError("editable.mode = 'inplace' needs a CMakeLists.txt of your own", hint="use 'redirect'")
    if state == "wheel" and not _depends_on_numpy(project.table):
        sys.stderr.write("warning: the modules import NumPy: add 'numpy' to project.dependencies\n")


def own_settings(project: Project, folder: Path) -> dict[str, list[str] | str]:
    """Write the CMake project into `folder`; the settings that make scikit-build-core use it."""
    text = cmake_project(
        project.config,
        project=project.name,
        root=project.root,
        python=sys.executable,
        suffix=module_suffix(),
        overrides=[f"{one.key}={one.text}" for one in project.overrides],
    )
    folder.mkdir(parents=True, exist_ok=True)
    lists = folder / "CMakeLists.txt"
    # Unchanged files keep their time: nothing is configured again.
    if not lists.exists() or lists.read_text("utf-8") != text:
        lists.write_text(text, "utf-8")
    (folder / ".gitignore").write_text("*\n")
    settings: dict[str, list[str] | str] = {"cmake.source-dir": str(folder)}
    if "py-api" not in project.scikit_build.get("wheel", {}):
        settings["wheel.py-api"] = _STABLE_ABI
    return settings


def stable_folder(project: Project, config_settings: Mapping[str, Any]) -> Path | None:
    """Where the CMake project lives from build to build: beside a build folder that is kept; None when none is."""
    build = config_settings.get("build-dir") or project.scikit_build.get("build-dir")
    if not isinstance(build, str):
        return None
    fixed = build.partition("{")[0]
    parent = Path(fixed) if fixed.endswith("/") or fixed == build else Path(fixed).parent
    return (project.root / parent / _FOLDER).absolute()


def _packages(project: Project) -> list[str]:
    """The folders of Python packages that scikit-build-core puts into the wheel."""
    given = project.scikit_build.get("wheel", {}).get("packages")
    if given is None:
        name = canonicalize_name(project.name).replace("-", "_")
        given = [f"src/{name}", f"python/{name}", name]
    listed = given.values() if isinstance(given, dict) else given
    return [str(folder) for folder in listed if (project.root / str(folder)).is_dir()]


def _hides(package: Path, module: str) -> bool:
    """Is there a package of the module's name? Python looks for those first."""
    top, *rest = module.split(".")
    return top == package.name and package.joinpath(*rest, "__init__.py").exists()


def _depends_on_numpy(table: Mapping[str, Any]) -> bool:
    metadata = table.get("project", {})
    if "dependencies" in metadata.get("dynamic", []):
        return True
    for text in metadata.get("dependencies", []):
        with contextlib.suppress(InvalidRequirement):
            if canonicalize_name(Requirement(text).name) == "numpy":
                return True
    return False


def _runs(tool: str) -> bool:
    """Is the tool there, and does it run? Scripts of another environment's packages do not, in an isolated build."""
    found = which(tool, from_environment().tools.path)
    return found is not None and process.run([found, "--version"]).returncode == 0


def _has_compiler() -> bool:
    try:
        find_compiler(Language.C, from_environment().tools)
    except ToolError:
        return False
    return True


@contextlib.contextmanager
def _errors_end_here() -> Iterator[None]:
    try:
        yield
    except EnzymeBuildError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(1) from None
