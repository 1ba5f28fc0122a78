"""One LLVM context: text or bitcode in, a verified module of one target out.

Every stage parses into a fresh context: parsing into a used one renames named structs, and linking modules of two
contexts breaks them silently. LLVM's objects leave this package only as a `Module` handed from stage to stage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from enzyme_build.errors import InputError, InternalError
from enzyme_build.llvm.engine import engine, is_bitcode

if TYPE_CHECKING:
    from enzyme_build.llvm import engine as engines

_LONGEST_NAME: Final = 1 << 16

Module: TypeAlias = "engines.Module"


def parse_text(text: str, what: str) -> Module:
    """The verified module of `text`, in a context of its own; what LLVM refuses is a bug of ours."""
    # LLVM cuts longer names of values. Optimised code has such already, and ours may end like several of them.
    engine().set_option(f"-non-global-value-max-name-size={_LONGEST_NAME}")
    try:
        module = engine().parse(text.encode())
        module.verify()
    except RuntimeError as error:
        raise InternalError(f"LLVM refuses {what}:\n{error}") from error
    return module


def parse_bitcode(data: bytes, name: str, context: Any = None) -> Module:
    try:
        return engine().parse(data, context)
    except RuntimeError as error:
        raise InputError(f"cannot read the bitcode of '{name}': {error}", hint=_hint(str(error))) from error


def _hint(said: str) -> str:
    split = "-fsanitize=cfi and -fsplit-lto-unit make two modules of a file: compile it without them"
    return split if "single module" in said else ""


def parse_module_file(data: bytes, name: str, context: Any = None) -> Module:
    """A module given as bitcode or as text (`.ll`)."""
    if is_bitcode(data):
        return parse_bitcode(data, name, context)
    try:
        data.decode()
        return engine().parse(data, context)
    except (RuntimeError, UnicodeDecodeError) as error:
        newest = engine().version().partition(".")[0]
        hint = f"text of a newer LLVM than {newest} may be written differently"
        raise InputError(f"cannot read the LLVM text of '{name}': {error}", hint=hint) from error


def verify(module: Module, what: str) -> None:
    try:
        module.verify()
    except RuntimeError as error:
        raise InternalError(f"LLVM's verifier refuses {what}:\n{error}") from error


def llvm_version() -> str:
    """The version of the LLVM that works here."""
    return engine().version()
