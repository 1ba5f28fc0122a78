"""One LLVM context: text or bitcode in, a verified module of one target out.

Every stage parses into a fresh context: parsing into a used one renames named structs, and linking modules of two
contexts breaks them silently. llvmlite's objects leave this package only as a `Module` handed from stage to stage.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as ll  # noqa: TID251

from enzyme_build.errors import InputError, InternalError

Module = Any  # llvmlite.binding.ModuleRef, which has no types of its own

_ready = False


def initialize() -> None:
    """Make the native code generator available; harmless when repeated."""
    global _ready  # noqa: PLW0603 - LLVM's own state is per process
    if not _ready:
        ll.initialize_native_target()
        ll.initialize_native_asmprinter()
        ll.initialize_native_asmparser()  # inline assembly is parsed when the object is written
        _ready = True


def parse_text(text: str, what: str) -> Module:
    """The verified module of `text`, in a context of its own; what LLVM refuses is a bug of ours."""
    initialize()
    context = ll.create_context()
    try:
        module = ll.parse_assembly(text, context)
        module.verify()
    except RuntimeError as error:
        raise InternalError(f"LLVM refuses {what}:\n{error}") from error
    return module


def parse_bitcode(data: bytes, name: str, context: Any = None) -> Module:
    initialize()
    context = context or ll.create_context()
    try:
        return ll.parse_bitcode(data, context)
    except RuntimeError as error:
        raise InputError(f"cannot read the bitcode of '{name}': {error}") from error


def parse_module_file(data: bytes, name: str, context: Any = None) -> Module:
    """A module given as bitcode or as text (`.ll`)."""
    if data[:4] in (b"BC\xc0\xde", b"\xde\xc0\x17\x0b"):
        return parse_bitcode(data, name, context)
    initialize()
    try:
        return ll.parse_assembly(data.decode(), context or ll.create_context())
    except (RuntimeError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the LLVM text of '{name}': {error}") from error


def verify(module: Module, what: str) -> None:
    try:
        module.verify()
    except RuntimeError as error:
        raise InternalError(f"LLVM's verifier refuses {what}:\n{error}") from error


def llvm_version() -> str:
    """The version of LLVM inside llvmlite."""
    return ".".join(str(part) for part in ll.llvm_version_info)
