"""Emit: a module to an object file, bitcode or text."""

from __future__ import annotations

from enzyme_build.errors import InputError
from enzyme_build.llvm.context import Module, parse_text, verify
from enzyme_build.llvm.engine import Target, engine
from enzyme_build.llvm.linkage import with_init_arrays
from enzyme_build.llvm.optimise import of_machine


def emit_object(module: Module, target: Target) -> bytes:
    """Machine code of `module`, which it changes: take its text first."""
    text = str(module) if any(_has(module, f"llvm.global_{kind}") for kind in ("ctors", "dtors")) else ""
    if text:
        module = parse_text(with_init_arrays(text), "the module with its constructors")
    verify(module, "the optimised module")
    try:
        return engine().emit_object(module, of_machine(target))
    except RuntimeError as error:  # assembly in the program that is none for this processor
        raise InputError(f"LLVM makes no machine code of the module: {str(error).strip()}") from error


def _has(module: Module, name: str) -> bool:
    try:
        module.get_global_variable(name)
    except NameError:
        return False
    return True


def emit_bitcode(module: Module) -> bytes:
    return module.as_bitcode()
