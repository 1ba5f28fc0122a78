"""Differentiation as a build step: the public names of the package.

Each is imported when it is first used: the compiler drivers import this package for every file of a build, and must
not pay for what they do not need.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from enzyme_build.compilation import compile_sources
    from enzyme_build.errors import (
        ConfigError,
        EnzymeBuildError,
        FindingsError,
        InputError,
        InternalError,
        MissingRuleError,
        RequestError,
        SourceLocation,
        ToolError,
        UnsupportedError,
    )
    from enzyme_build.inprocess import Function, Program, compile  # noqa: A004 - as in `re`
    from enzyme_build.pipeline import LinkInput, LinkJob, LinkResult, Product, link
    from enzyme_build.settings import Settings

__all__ = [
    "ConfigError",
    "EnzymeBuildError",
    "FindingsError",
    "Function",
    "InputError",
    "InternalError",
    "LinkInput",
    "LinkJob",
    "LinkResult",
    "MissingRuleError",
    "Product",
    "Program",
    "RequestError",
    "Settings",
    "SourceLocation",
    "ToolError",
    "UnsupportedError",
    "compile",
    "compile_sources",
    "link",
]

_PIPELINE = {"LinkInput", "LinkJob", "LinkResult", "Product", "link"}
_MODULES = (
    dict.fromkeys(_PIPELINE, "pipeline")
    | dict.fromkeys(("Function", "Program", "compile"), "inprocess")
    | {"Settings": "settings", "compile_sources": "compilation"}
)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    return [*__all__]
