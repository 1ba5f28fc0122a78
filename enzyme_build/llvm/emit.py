"""Emit: a module to an object file, bitcode or text."""

from __future__ import annotations

from enzyme_build.llvm.context import Module, verify
from enzyme_build.llvm.optimise import Target, target_machine


def emit_object(module: Module, target: Target) -> bytes:
    """Machine code of `module`, which it changes: take its text first."""
    verify(module, "the optimised module")
    return bytes(target_machine(module, target).emit_object(module))


def emit_bitcode(module: Module) -> bytes:
    return bytes(module.as_bitcode())
