"""Instructions that call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

from .instruction import Instruction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .function import Block
    from .types import FunctionType
    from .values import Value


@dataclass(slots=True)
class Bundles:
    """What stands in brackets behind a call, as `"align"(ptr {}, i64 {})` with the values for the braces.

    They are no operands: an `llvm.assume` neither uses what it knows something of nor keeps it.
    """

    text: str
    values: list[Value]


class CallBase(Instruction):
    """What `call`, `invoke` and `callbr` share.

    `operands` are the arguments followed by the callee. `argument_attributes[i]` is the text between type and value
    of argument i. `tail` is `tail`/`musttail`/`notail`, `convention` e.g. `fastcc`, `result_attributes` the text
    before the result type, `function_attributes` the text after the arguments (`#5 nounwind`).
    """

    __slots__ = (
        "argument_attributes",
        "bundles",
        "convention",
        "flags",
        "function_attributes",
        "function_type",
        "result_attributes",
        "tail",
    )
    function_type: FunctionType
    argument_attributes: list[str]

    def __init__(  # noqa: PLR0913
        self,
        function_type: FunctionType,
        callee: Value,
        arguments: Sequence[Value],
        *,
        argument_attributes: Sequence[str] | None = None,
        tail: str = "",
        flags: str = "",
        convention: str = "",
        result_attributes: str = "",
        function_attributes: str = "",
        bundles: Bundles | None = None,
        name: str | None = None,
        metadata: str = "",
    ) -> None:
        self.type = function_type.result
        self.function_type = function_type
        self.operands = [*arguments, callee]
        self.argument_attributes = list(argument_attributes) if argument_attributes else [""] * len(arguments)
        self.tail = tail
        self.flags = flags
        self.convention = convention
        self.result_attributes = result_attributes
        self.function_attributes = function_attributes
        self.bundles = bundles
        self.name = name
        self.metadata = metadata

    @property
    def callee(self) -> Value:
        return self.operands[-1]

    @property
    def arguments(self) -> list[Value]:
        return self.operands[:-1]


class Call(CallBase):
    __slots__ = ()


class Invoke(CallBase):
    """`normal` and `unwind` are set after construction."""

    __slots__ = ("normal", "unwind")
    normal: Block
    unwind: Block

    @property
    def successors(self) -> Sequence[Block]:
        return (self.normal, self.unwind)


class CallBranch(CallBase):
    """`callbr` (asm goto)."""

    __slots__ = ("fallthrough", "indirect")
    fallthrough: Block
    indirect: list[Block]

    @property
    def successors(self) -> Sequence[Block]:
        return (self.fallthrough, *self.indirect)
