"""Scopes of `restrict`: what inlining leaves of parameters that promised to point to memory of their own.

Two accesses are apart if all scopes of one (`!alias.scope`) in some domain are among those that the other excludes
(`!noalias`). The promise holds for one execution of the inlined body, which begins at
`llvm.experimental.noalias.scope.decl`: where a loop repeats it, accesses in two iterations are not told apart.

Source: LLVM language reference, "'noalias' and 'alias.scope' Metadata".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.instructions import CallBase
from enzyme_build.ir.metadata import attachments
from enzyme_build.ir.values import MetadataOperand

if TYPE_CHECKING:
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.module import Module

    from .cfg import ControlFlow
    from .loops import LoopForest

_DECLARATION = "llvm.experimental.noalias.scope.decl"


class Scopes:
    """Answers for one function."""

    def __init__(self, module: Module, cfg: ControlFlow, forest: LoopForest) -> None:
        self._module = module
        self._forest = forest
        self._declared: dict[str, list[Block]] = {}
        self._domains: dict[str, str] = {}
        for block in cfg.order:
            for i in block.instructions:
                if isinstance(i, CallBase) and getattr(i.callee, "name", None) == _DECLARATION:
                    for scope in self._listed(i.arguments[0]):
                        self._declared.setdefault(scope, []).append(block)

    def apart(self, a: Instruction, b: Instruction) -> bool:
        """Do the instructions never touch the same bytes, in any execution of the function?"""
        if not self._declared or "!noalias" not in a.metadata + b.metadata:
            return False
        return self._excluded(a, b) or self._excluded(b, a)

    def _excluded(self, a: Instruction, b: Instruction) -> bool:
        """Does `b` exclude the scopes of `a`?"""
        own, others = attachments(a).get("alias.scope"), attachments(b).get("noalias")
        if own is None or others is None:
            return False
        excluded = set(self._module.metadata_node(others).operands)
        domains: dict[str, list[str]] = {}
        for scope in self._module.metadata_node(own).operands:
            domains.setdefault(self._domain(scope), []).append(scope)
        return any(
            all(scope in excluded and self._holds(scope, a.block, b.block) for scope in scopes)
            for scopes in domains.values()
        )

    def _holds(self, scope: str, a: Block, b: Block) -> bool:
        """Is the scope declared once, in no loop that repeats one of the accesses?"""
        declared = self._declared.get(scope, ())
        if len(declared) != 1 or self._forest.irreducible:
            return False
        loop = self._forest.loop_of(declared[0])
        return loop is None or loop.outermost.blocks.isdisjoint((a, b))

    def _domain(self, scope: str) -> str:
        if scope not in self._domains:
            operands = self._module.metadata_node(scope).operands
            self._domains[scope] = operands[1] if len(operands) > 1 else scope
        return self._domains[scope]

    def _listed(self, operand: object) -> list[str]:
        return list(self._module.metadata_node(operand.text).operands) if isinstance(operand, MetadataOperand) else []
