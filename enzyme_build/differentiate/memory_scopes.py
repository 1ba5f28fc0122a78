"""Alias scopes of the three memories of a derivative: the primal's, the shadows', and the tape.

Shadows do not overlap the memory of the primal: that is the contract of requests, and where a shadow may turn out to be
the primal memory itself (constant memory is its own shadow), accesses are *uncertain* and get no scope. Nor do accesses
to pointers in shadows: a table of virtual functions is its own shadow. The tape is memory of its own.

The promise holds for one call of the derivative, which declares the scopes: where a caller's loop repeats it, what was
shadow may be primal in the next call. Each scope names itself: LLVM copies scopes where it inlines a function, and
copies of nodes that do not are one for all calls and functions.

Source: LLVM language reference, "'noalias' and 'alias.scope' Metadata".
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from enzyme_build.ir.builder import Builder
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import METADATA
from enzyme_build.ir.values import MetadataOperand

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module


class MemoryScopes:
    """The attachments of the accesses in one derivative."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._lists: dict[int, str] = {}
        """Of each memory that is accessed, the list of its scope alone."""

    @cached_property
    def _scopes(self) -> tuple[str, str, str]:
        add = self._module.add_metadata
        domain = add('distinct !{!self, !"derivative"}')
        names = ("primal", "shadow", "tape")
        primal, shadow, tape = (add(f'distinct !{{!self, {domain}, !"{name}"}}') for name in names)
        return primal, shadow, tape

    @cached_property
    def primal(self) -> str:
        """Of accesses to the memory of the primal."""
        return self._attachments(0)

    @cached_property
    def shadow(self) -> str:
        """Of accesses to numbers in shadows."""
        return self._attachments(1)

    @cached_property
    def tape(self) -> str:
        """Of accesses to arrays of kept values."""
        return self._attachments(2)

    def _attachments(self, own: int) -> str:
        scopes = self._scopes
        others = ", ".join(scope for scope in scopes if scope is not scopes[own])
        add = self._module.add_metadata
        self._lists[own] = add(f"!{{{scopes[own]}}}")
        return f"!alias.scope {self._lists[own]}, !noalias {add(f'!{{{others}}}')}"

    def declare(self, function: Function) -> None:
        """Begin the scopes where the function begins."""
        builder = Builder(function.entry)
        for number, scope in enumerate(self._lists.values()):
            builder.position = number
            builder.call(intrinsic(self._module, "experimental.noalias.scope.decl"), [MetadataOperand(METADATA, scope)])


def joined(*attachments: str) -> str:
    """Several attachments of one instruction."""
    return ", ".join(filter(None, attachments))
