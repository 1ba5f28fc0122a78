"""The PEP 517 build backend: `build-backend = "enzyme_build.backend"`.

Only the hooks: each hands over to scikit-build-core or meson-python (`delegate.py`), after writing the CMake project
that the user need not have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.backend.delegate import ConfigSettings

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]


def build_wheel(
    wheel_directory: str, config_settings: ConfigSettings = None, metadata_directory: str | None = None
) -> str:
    from enzyme_build.backend.delegate import delegated

    with delegated(config_settings, "wheel") as (backend, settings):
        return str(backend.build_wheel(wheel_directory, settings, metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: ConfigSettings = None, metadata_directory: str | None = None
) -> str:
    from enzyme_build.backend.delegate import delegated

    with delegated(config_settings, "editable") as (backend, settings):
        return str(backend.build_editable(wheel_directory, settings, metadata_directory))


def build_sdist(sdist_directory: str, config_settings: ConfigSettings = None) -> str:
    from enzyme_build.backend.delegate import delegated

    with delegated(config_settings, "sdist") as (backend, settings):
        return str(backend.build_sdist(sdist_directory, settings))


def get_requires_for_build_wheel(config_settings: ConfigSettings = None) -> list[str]:
    from enzyme_build.backend.delegate import requirements

    return requirements(config_settings, "wheel")


def get_requires_for_build_editable(config_settings: ConfigSettings = None) -> list[str]:
    from enzyme_build.backend.delegate import requirements

    return requirements(config_settings, "editable")


def get_requires_for_build_sdist(config_settings: ConfigSettings = None) -> list[str]:
    from enzyme_build.backend.delegate import requirements

    return requirements(config_settings, "sdist")


def __getattr__(name: str) -> Callable[..., str]:
    """The hooks that not every backend has: without them, front ends take the metadata out of the wheel."""
    from enzyme_build.backend.delegate import delegated, offers

    if not name.startswith("prepare_metadata_for_build_") or not offers(name):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    def prepare_metadata(metadata_directory: str, config_settings: ConfigSettings = None) -> str:
        with delegated(config_settings, name.rpartition("_")[2]) as (backend, settings):
            return str(getattr(backend, name)(metadata_directory, settings))

    return prepare_metadata
