"""Variables of a derivative function.

Everything that crosses blocks in the reverse sweep goes through a variable on the stack: kept values, adjoints,
iteration numbers, the pointers of the tape's arrays. LLVM's SROA makes registers of them. In split mode those that
both passes share travel in the tape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.builder import Builder
from enzyme_build.ir.values import Value, zero

if TYPE_CHECKING:
    from collections.abc import Hashable

    from enzyme_build.ir.function import Block
    from enzyme_build.ir.types import Type


class Frame:
    """The variables of one function, made in its setup block on first use."""

    def __init__(self, setup: Block) -> None:
        self.setup = setup
        self._variables: dict[Hashable, Value] = {}

    def variable(self, key: Hashable, type_: Type, initial: Value | None = None, name: str | None = None) -> Value:
        """The variable's address; a new one starts as `initial`, or as zero."""
        found = self._variables.get(key)
        if found is None:
            builder = Builder(self.setup)
            instructions = self.setup.instructions
            if instructions and instructions[-1].successors:
                builder.position = len(instructions) - 1
            found = self._variables[key] = builder.alloca(type_, name=name)
            builder.store(zero(type_) if initial is None else initial, found)
        return found

    @property
    def keys(self) -> dict[Value, Hashable]:
        """What each variable is for, by its address."""
        return {address: key for key, address in self._variables.items()}
