"""The values of a forward sweep: clones of the primal's, and their shadows, constants among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.offsets import element_offset, has_pointers, member_leaves, scalar_leaves
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import I8, I64, PointerType
from enzyme_build.ir.values import (
    Constant,
    ConstantExpression,
    ConstantInt,
    GlobalAlias,
    GlobalVariable,
    Undef,
    Value,
    const_int,
    null,
    zero,
)

from .global_shadows import pointed_variables
from .lanes import Lanes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .context import Context
    from .engine import Engine


_LEAST_FLOAT = 0x800000
"""The bits of the least normal one."""
_LARGEST_ADDRESSES = (1 << 64) - (1 << 47)
"""From here on: those of the kernel, and small negative integers; as doubles no numbers."""


def _is_number(v: Constant) -> bool:
    """Is a constant pointer the bits of a number, or of floats? LLVM writes what unions and enums hold as the type of
    another of their variants. No address is so large, unless as a mark, which is a small integer of either sign."""
    word = v.operands[0] if isinstance(v, ConstantExpression) and v.op == "inttoptr" else None
    return isinstance(word, ConstantInt) and _LEAST_FLOAT <= word.value % (1 << 64) < _LARGEST_ADDRESSES


class SweepValues:
    """What each primal value is in the derivative."""

    tangents = False

    def __init__(
        self,
        engine: Engine,
        context: Context,
        function: Function,
        values: Mapping[Value, Value],
        shadows: Sequence[Mapping[Value, Value]],
    ) -> None:
        self.engine = engine
        self.context = context
        self.module = context.module
        self.activity = context.activity
        self.function = function
        self.values: dict[Value, Value] = dict(values)
        self.lanes = Lanes(context.request.width)
        self.all_shadows: list[dict[Value, Value]] = [dict(lane) for lane in shadows]
        self.setup = function.add_block(Block("setup"))
        self.b = Builder(self.setup)
        self._dummy: Value | None = None

    # Values --------------------------------------------------------------------------------------------------------

    @property
    def shadows(self) -> dict[Value, Value]:
        """Those of the lane being emitted."""
        return self.all_shadows[self.lanes.current]

    def value(self, v: Value) -> Value:
        """The clone of a primal value."""
        return v if isinstance(v, Constant) else self.values[v]

    def has_shadow(self, v: Value) -> bool:
        """Does this value have a shadow in this sweep?"""
        if isinstance(v, Constant):
            return False
        if self.tangents and self.activity.is_active(v):
            return True
        if isinstance(v.type, PointerType):
            return self.activity.has_shadow(v)
        return any(
            isinstance(leaf, PointerType) and self.activity.has_shadow(v, path)
            for path, leaf, _ in scalar_leaves(self.context.layout, v.type)
        )

    def shadow(self, v: Value) -> Value:
        """The shadow of a primal value; zero for constant numbers, the pointer itself for constant memory."""
        found = self.shadows.get(v)
        if found is not None:
            return found
        if isinstance(v, Constant):
            return self._constant_shadow(v)
        if isinstance(v.type, PointerType):
            return self.value(v)
        return self._inert_shadow(v)

    def _inert_shadow(self, v: Value) -> Value:
        if not has_pointers(self.context.layout, v.type):
            return zero(v.type)
        result = self.value(v)
        for path, leaf, _ in member_leaves(self.context.layout, v.type):
            if leaf.is_float_like:
                result = self.b.insert_value(result, zero(leaf), path)
        return result

    def _constant_shadow(self, v: Constant) -> Value:
        if not isinstance(v.type, PointerType):
            return zero(v.type)
        if isinstance(v, Undef):
            # Whatever a register happens to have would be an adjoint where the word may be a number.
            return null(v.type)
        if isinstance(v, GlobalVariable):
            shadowed = self.activity.has_shadow(v) and (not v.is_constant or bool(pointed_variables(self.module, v)))
            shadowed = shadowed and v.name not in annotations_of(self.module).inactive_globals
            return self.engine.globals.shadow(v, self.lanes.current) if shadowed else v
        if isinstance(v, GlobalAlias) and v.aliasee is not None:
            return self._constant_shadow(v.aliasee)
        if isinstance(v, ConstantExpression) and v.op == "getelementptr":
            base = self._constant_shadow(v.operands[0])  # type: ignore[arg-type]
            if base is v.operands[0]:
                return v
            return self.b.ptradd(base, element_offset(self.context.layout, v).constant)
        return null(v.type) if _is_number(v) else v

    def access(self, pointer: Value, shadow: Value) -> Value:
        """Where to write through a shadow pointer: a dummy where the memory turns out to be its own shadow."""
        if not self.activity.may_be_own(pointer):
            return shadow
        constant = self.b.icmp("eq", shadow, self.value(pointer))
        return self.b.select(constant, self.dummy(), shadow)

    def dummy(self) -> Value:
        """A place on the stack to write what nobody reads."""
        if self._dummy is None:
            builder = Builder(self.setup)
            builder.position = 0
            self._dummy = builder.alloca(I8, const_int(I64, 64), 16, "nowhere")
        return self._dummy
