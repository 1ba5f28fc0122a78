"""One final class per instruction family.

Every instruction has `operands` (values it reads, in LLVM's order; labels are not operands), a `name` (None for
unnamed), a `block`, and `metadata`: the raw text of its attachments without the leading comma, e.g.
`!tbaa !5, !dbg !10`. An instruction is itself the value it defines; `type` is `VOID` where it defines none.
Terminators add `successors`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .calls import Call, CallBase, CallBranch, Invoke
from .instruction import Instruction
from .parts import ExtractElement, ExtractValue, InsertElement, InsertValue, ShuffleVector
from .types import I1, VOID, Type, with_scalar
from .values import poison

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .function import Block
    from .values import ConstantInt, Value

# The families that stand in files of their own.
__all__ = [
    "Call",
    "CallBase",
    "CallBranch",
    "ExtractElement",
    "ExtractValue",
    "InsertElement",
    "InsertValue",
    "Instruction",
    "Invoke",
    "ShuffleVector",
]


class Binary(Instruction):
    """Integer and floating-point arithmetic on two operands; `flags` as printed (`nuw nsw`, `fast`, `disjoint`)."""

    __slots__ = ("flags", "op")

    def __init__(  # noqa: PLR0913, PLR0917
        self, op: str, a: Value, b: Value, flags: str = "", name: str | None = None, metadata: str = ""
    ) -> None:
        self.type = a.type
        self.op = op
        self.operands = [a, b]
        self.flags = flags
        self.name = name
        self.metadata = metadata


class Negate(Instruction):
    """`fneg`."""

    __slots__ = ("flags",)

    def __init__(self, a: Value, flags: str = "", name: str | None = None, metadata: str = "") -> None:
        self.type = a.type
        self.operands = [a]
        self.flags = flags
        self.name = name
        self.metadata = metadata


class Cast(Instruction):
    __slots__ = ("flags", "op")

    def __init__(  # noqa: PLR0913, PLR0917
        self, op: str, value: Value, type_: Type, flags: str = "", name: str | None = None, metadata: str = ""
    ) -> None:
        self.type = type_
        self.op = op
        self.operands = [value]
        self.flags = flags
        self.name = name
        self.metadata = metadata


class Compare(Instruction):
    """`icmp` or `fcmp` (`op`) with `predicate`."""

    __slots__ = ("flags", "op", "predicate")

    def __init__(  # noqa: PLR0913, PLR0917
        self, op: str, predicate: str, a: Value, b: Value, flags: str = "", name: str | None = None, metadata: str = ""
    ) -> None:
        self.type = with_scalar(a.type, I1)
        self.op = op
        self.predicate = predicate
        self.operands = [a, b]
        self.flags = flags
        self.name = name
        self.metadata = metadata


class Select(Instruction):
    __slots__ = ("flags",)

    def __init__(  # noqa: PLR0913, PLR0917
        self, condition: Value, a: Value, b: Value, flags: str = "", name: str | None = None, metadata: str = ""
    ) -> None:
        self.type = a.type
        self.operands = [condition, a, b]
        self.flags = flags
        self.name = name
        self.metadata = metadata


class Phi(Instruction):
    """`blocks[i]` is the predecessor from which `operands[i]` comes."""

    __slots__ = ("blocks", "flags")

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        type_: Type,
        operands: Sequence[Value],
        blocks: Sequence[Block],
        flags: str = "",
        name: str | None = None,
        metadata: str = "",
    ) -> None:
        self.type = type_
        self.operands = list(operands)
        self.blocks = list(blocks)
        self.flags = flags
        self.name = name
        self.metadata = metadata

    def incoming(self, block: Block) -> Value:
        """The value that comes from predecessor `block`."""
        return self.operands[self.blocks.index(block)]


class Load(Instruction):
    """`ordering`: text of atomic orderings (`syncscope("x") acquire`), empty for ordinary loads; `align` 0: none."""

    __slots__ = ("align", "ordering", "volatile")

    def __init__(  # noqa: PLR0913
        self,
        type_: Type,
        pointer: Value,
        align: int = 0,
        *,
        volatile: bool = False,
        ordering: str = "",
        name: str | None = None,
        metadata: str = "",
    ) -> None:
        self.type = type_
        self.operands = [pointer]
        self.align = align
        self.volatile = volatile
        self.ordering = ordering
        self.name = name
        self.metadata = metadata

    @property
    def pointer(self) -> Value:
        return self.operands[0]


class Store(Instruction):
    """Operands: value, pointer."""

    __slots__ = ("align", "ordering", "volatile")

    def __init__(  # noqa: PLR0913
        self,
        value: Value,
        pointer: Value,
        align: int = 0,
        *,
        volatile: bool = False,
        ordering: str = "",
        metadata: str = "",
    ) -> None:
        self.type = VOID
        self.operands = [value, pointer]
        self.align = align
        self.volatile = volatile
        self.ordering = ordering
        self.name = None
        self.metadata = metadata

    @property
    def value(self) -> Value:
        return self.operands[0]

    @property
    def pointer(self) -> Value:
        return self.operands[1]


class GetElementPtr(Instruction):
    """Operands: base, then indices; `flags` e.g. `inbounds nuw`."""

    __slots__ = ("flags", "source_type")

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        type_: Type,
        source_type: Type,
        base: Value,
        indices: Sequence[Value],
        flags: str = "",
        name: str | None = None,
        metadata: str = "",
    ) -> None:
        self.type = type_
        self.source_type = source_type
        self.operands = [base, *indices]
        self.flags = flags
        self.name = name
        self.metadata = metadata


class Alloca(Instruction):
    """`operands` is empty or the element count; `modifiers` holds `inalloca`/`swifterror`, `suffix` `addrspace(n)`."""

    __slots__ = ("align", "allocated_type", "modifiers", "suffix")

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        type_: Type,
        allocated_type: Type,
        count: Value | None = None,
        align: int = 0,
        modifiers: str = "",
        suffix: str = "",
        name: str | None = None,
        metadata: str = "",
    ) -> None:
        self.type = type_
        self.allocated_type = allocated_type
        self.operands = [] if count is None else [count]
        self.align = align
        self.modifiers = modifiers
        self.suffix = suffix
        self.name = name
        self.metadata = metadata


class Freeze(Instruction):
    __slots__ = ()

    def __init__(self, value: Value, name: str | None = None, metadata: str = "") -> None:
        self.type = value.type
        self.operands = [value]
        self.name = name
        self.metadata = metadata


class VAArg(Instruction):
    __slots__ = ()

    def __init__(self, type_: Type, pointer: Value, name: str | None = None, metadata: str = "") -> None:
        self.type = type_
        self.operands = [pointer]
        self.name = name
        self.metadata = metadata


class Fence(Instruction):
    """`ordering` is the text after `fence`."""

    __slots__ = ("ordering",)

    def __init__(self, ordering: str, metadata: str = "") -> None:
        self.type = VOID
        self.operands = []
        self.ordering = ordering
        self.name = None
        self.metadata = metadata


class CompareExchange(Instruction):
    """Operands: pointer, expected, replacement. `modifiers`: `weak volatile`; `ordering`: text after the operands."""

    __slots__ = ("align", "modifiers", "ordering")

    def __init__(  # noqa: PLR0913
        self,
        type_: Type,
        pointer: Value,
        expected: Value,
        replacement: Value,
        *,
        modifiers: str = "",
        ordering: str = "",
        align: int = 0,
        name: str | None = None,
        metadata: str = "",
    ) -> None:
        self.type = type_
        self.operands = [pointer, expected, replacement]
        self.modifiers = modifiers
        self.ordering = ordering
        self.align = align
        self.name = name
        self.metadata = metadata


class AtomicRMW(Instruction):
    """Operands: pointer, value. `op`: xchg, add, fadd …; `ordering`: text after the operands."""

    __slots__ = ("align", "op", "ordering", "volatile")

    def __init__(  # noqa: PLR0913
        self,
        op: str,
        pointer: Value,
        value: Value,
        *,
        ordering: str = "",
        align: int = 0,
        volatile: bool = False,
        name: str | None = None,
        metadata: str = "",
    ) -> None:
        self.type = value.type
        self.op = op
        self.operands = [pointer, value]
        self.ordering = ordering
        self.align = align
        self.volatile = volatile
        self.name = name
        self.metadata = metadata


class LandingPad(Instruction):
    """`cleanup`, and `clauses`: (`catch`/`filter`, constant) pairs."""

    __slots__ = ("clauses", "cleanup")

    def __init__(
        self,
        type_: Type,
        clauses: Sequence[tuple[str, Value]],
        *,
        cleanup: bool,
        name: str | None = None,
        metadata: str = "",
    ) -> None:
        self.type = type_
        self.operands = [value for _, value in clauses]
        self.clauses = tuple(kind for kind, _ in clauses)
        self.cleanup = cleanup
        self.name = name
        self.metadata = metadata


# Terminators ------------------------------------------------------------------------------------------------------


class Return(Instruction):
    """`operands` is empty for `ret void`."""

    __slots__ = ()

    def __init__(self, value: Value | None = None, metadata: str = "") -> None:
        self.type = VOID
        self.operands = [] if value is None else [value]
        self.name = None
        self.metadata = metadata


class Jump(Instruction):
    """Unconditional `br`."""

    __slots__ = ("target",)

    def __init__(self, target: Block, metadata: str = "") -> None:
        self.type = VOID
        self.operands = []
        self.target = target
        self.name = None
        self.metadata = metadata

    @property
    def successors(self) -> Sequence[Block]:
        return (self.target,)


class Branch(Instruction):
    """Conditional `br`; operand: the condition."""

    __slots__ = ("otherwise", "then")

    def __init__(self, condition: Value, then: Block, otherwise: Block, metadata: str = "") -> None:
        self.type = VOID
        self.operands = [condition]
        self.then = then
        self.otherwise = otherwise
        self.name = None
        self.metadata = metadata

    @property
    def successors(self) -> Sequence[Block]:
        return (self.then, self.otherwise)


class Switch(Instruction):
    """Operand: the value; `cases` are (constant, block) pairs."""

    __slots__ = ("cases", "default")

    def __init__(
        self, value: Value, default: Block, cases: Sequence[tuple[ConstantInt, Block]], metadata: str = ""
    ) -> None:
        self.type = VOID
        self.operands = [value]
        self.default = default
        self.cases = list(cases)
        self.name = None
        self.metadata = metadata

    @property
    def successors(self) -> Sequence[Block]:
        return (self.default, *(block for _, block in self.cases))


class IndirectBranch(Instruction):
    """Operand: the address."""

    __slots__ = ("targets",)

    def __init__(self, address: Value, targets: Sequence[Block], metadata: str = "") -> None:
        self.type = VOID
        self.operands = [address]
        self.targets = list(targets)
        self.name = None
        self.metadata = metadata

    @property
    def successors(self) -> Sequence[Block]:
        return tuple(self.targets)


class Resume(Instruction):
    __slots__ = ()

    def __init__(self, value: Value, metadata: str = "") -> None:
        self.type = VOID
        self.operands = [value]
        self.name = None
        self.metadata = metadata


class Unreachable(Instruction):
    __slots__ = ()

    def __init__(self, metadata: str = "") -> None:
        self.type = VOID
        self.operands = []
        self.name = None
        self.metadata = metadata


TERMINATORS = (Return, Jump, Branch, Switch, IndirectBranch, Invoke, CallBranch, Resume, Unreachable)
MERGES = (Phi, Select, Freeze)
"""Give one of several values as it is."""


def merged(value: Value) -> list[Value]:
    """The values of which it is one; nothing for what computes."""
    if not isinstance(value, MERGES):
        return []
    return value.operands[1:] if isinstance(value, Select) else value.operands


def merge_of_type(like: Value, type_: Type) -> Phi | Select | Freeze:
    """A merge in the place of another, of values of another type, which are to be set."""
    match like:
        case Phi():
            return Phi(type_, [], like.blocks, name=like.name, metadata=like.metadata)
        case Select():
            return Select(like.operands[0], poison(type_), poison(type_), name=like.name)
        case _:
            assert isinstance(like, Freeze)
            return Freeze(poison(type_), like.name)


def set_merged(merge: Phi | Select | Freeze, values: Iterable[Value]) -> None:
    """Have a merge be one of other values."""
    merge.operands[:] = [merge.operands[0], *values] if isinstance(merge, Select) else values
