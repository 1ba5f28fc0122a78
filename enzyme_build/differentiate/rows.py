"""Rows of a Jacobian: a loop that asks for one reverse sweep after the other asks for all of them at once.

    for (row = 0; row < m; row++) {              seeds of all rows
        seed = e_row;                            adjoints of all rows beside one run of the primal (`enzyme_width`)
        … = __enzyme_autodiff(f, x, J + row * n)     →   what is done with them, row by row
    }

Every run of the primal does the same: it only reads memory that no row changes, and writes what each iteration has for
its own. Shadows are apart from the primal's memory by the contract of requests. What is compared at run time: what the
caller stores behind a request must be neither the primal's memory nor that of a row's shadows, and the shadows of a row
must be apart from those of another. Where they are not, the loop runs as it is.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, cast

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.extents import Extent, extents, own_memory
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.analysis.request import Activity
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import I1, PTR, VOID, IntType, function_type, struct_type
from enzyme_build.ir.values import Constant, ConstantInt, Value, const_int
from enzyme_build.records import dataclass

from .edges import redirect
from .request_call import Entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

    from .request_call import Actual, RequestCall

_MOST: Final = 4
"""Rows: the adjoints of more leave the registers."""


class _Unlike(Exception):  # noqa: N818 - no error, but the way out
    """The loop is not of this form."""


def rows_at_once(module: Module, requests: Sequence[RequestCall]) -> list[RequestCall]:
    """The requests for all rows of a loop, each beside its loop, which stays for when memory overlaps."""
    found = []
    per_block: dict[Block, int] = defaultdict(int)
    for request in requests:
        per_block[request.call.block] += 1
    for request in requests:
        if per_block[request.call.block] == 1 and _is_plain(module, request):
            try:
                found.append(_Rows(module, request).build())
            except _Unlike:
                continue
    return found


def _is_plain(module: Module, request: RequestCall) -> bool:
    """Is it a request for adjoints without any option?"""
    numbers = zip(request.actuals, request.primal.arguments, strict=True)
    returned = [argument.type for actual, argument in numbers if actual.activity is Activity.ACTIVE]
    return (
        request.entry is Entry.AUTODIFF
        and isinstance(request.call, ir.Call)
        and request.width == 1
        and not (request.flags or request.seeds or request.globals or request.deliveries or request.result_pointer)
        and request.primal.function_type.result is VOID
        and not any(a.in_memory or a.stride or a.value is None or a.may_pack or a.is_host for a in request.actuals)
        and request.call.type is (returned[0] if returned else VOID)
        and len(returned) <= 1
        and not any(actual.returned and actual.activity is not Activity.ACTIVE for actual in request.actuals)
        and module.is_defined(request.primal.name)
        and not any(annotations_of(module).overrides(name) for name in _names(request.primal))
    )


def _names(primal: Function) -> set[str]:
    """The function and what it calls."""
    callees = {i.callee for i in primal.instructions() if isinstance(i, ir.CallBase)}
    return {primal.name, *(callee.name for callee in callees if isinstance(callee, Function))}


@dataclass(slots=True)
class _Row:
    """One iteration: what stands for the loop's values in it."""

    known: dict[Value, Value] = field(default_factory=dict)


class _Rows:
    def __init__(self, module: Module, request: RequestCall) -> None:
        self.module = module
        self.layout: DataLayout = module.layout
        self.request = request
        self.block = request.call.block
        self.function = request.caller
        self.preheader, self.exit = self._neighbours()
        touched = extents(request.primal, self.layout)
        if touched is None:
            raise _Unlike
        self.touched: dict[int, Extent] = touched
        at = self.block.instructions.index(request.call)
        self.before, self.behind = self.block.instructions[:at], self.block.instructions[at + 1 : -1]
        self.users: dict[Value, list[ir.Instruction]] = defaultdict(list)
        for i in self.function.instructions():
            for operand in i.operands:
                self.users[operand].append(i)
        self.own = {i.operands[-2] for i in self.before if _lifetime(i) == "start"}
        self.shared = self._shared()
        self._check_effects()
        # Nothing of the function has changed up to here; new blocks are put into it when all is known to be right.
        self.start, self.together = Block(f"{self.block.name or 'b'}.rows"), Block(f"{self.block.name or 'b'}.together")
        where = debug_attachment(request.call)
        self.ahead, self.all = Builder(self.start, where), Builder(self.together, where)
        self.memory: list[ir.Alloca] = []
        self.rows = self._unrolled()

    def _neighbours(self) -> tuple[Block, Block]:
        """The blocks in front of and behind a loop of one block."""
        last = self.block.terminator
        if not isinstance(last, ir.Branch) or self.block not in last.successors or last.then is last.otherwise:
            raise _Unlike
        sources = [b for b in self.function.blocks if self.block in b.successors and b is not self.block]
        if len(sources) != 1 or not isinstance(sources[0].terminator, ir.Jump):
            raise _Unlike
        return sources[0], last.otherwise if last.then is self.block else last.then

    def _shared(self) -> set[Value]:
        """Memory that the primal writes: each iteration's own, given to the primal alone."""
        found: set[Value] = set()
        for number, extent in self.touched.items():
            value = self.request.actuals[number].value
            if not extent.writes:
                continue
            if value not in self.own or extent.low < 0 or value is None or value in found:
                raise _Unlike
            if any(u is not self.request.call and not _lifetime(u) for u in self.users[value]):
                raise _Unlike
            if self.request.call.operands.count(value) != 1:
                raise _Unlike
            found.add(value)
        return found

    def _check_effects(self) -> None:
        """In front of the request the iteration writes its own memory only, behind it it only stores."""
        for memory in self.own:
            if not isinstance(memory, ir.Alloca) or memory.operands:
                raise _Unlike
            pending = [memory]
            while pending:
                pointer = pending.pop()
                for user in self.users[pointer]:
                    if isinstance(user, ir.GetElementPtr) or (isinstance(user, ir.Phi) and user.block is self.block):
                        pending.append(user)  # type: ignore[arg-type]
                    elif not (self._fills(user, pointer) or _lifetime(user) or user is self.request.call):
                        raise _Unlike
        for i in self.before:
            # What a load gives is refused where it is asked for; markers are loads that nobody asks for.
            is_load = isinstance(i, ir.Load) and not i.volatile and not i.ordering
            if not (is_load or _is_pure(i) or _lifetime(i) or self._fills(i, None)):
                raise _Unlike
        for i in self.behind:
            is_store = isinstance(i, ir.Store) and not i.volatile and not i.ordering
            if not (is_store or _is_pure(i) or _lifetime(i) == "end"):
                raise _Unlike
        for i in self.block.instructions:
            outside = [user for user in self.users[i] if user.block is not self.block]
            if any(not isinstance(user, ir.Phi) or user.block is not self.exit for user in outside):
                raise _Unlike

    def _fills(self, i: ir.Instruction, pointer: Value | None) -> bool:
        """Does it write to memory in front of the request, and something else than `pointer`?"""
        if i.block is not self.block or i not in self.before:
            return False
        if isinstance(i, ir.Store):
            return not i.volatile and not i.ordering and i.operands[0] is not pointer
        return _is_memset(i)

    # Iterations ----------------------------------------------------------------------------------------------------

    def _unrolled(self) -> list[_Row]:
        rows: list[_Row] = []
        last = cast("ir.Branch", self.block.terminator)
        while len(rows) < _MOST:
            row = _Row()
            for phi in self.block.phis:
                source = phi.incoming(self.preheader if not rows else self.block)
                row.known[phi] = source if not rows else self._value(source, rows[-1], phi=True)
            for memory in self.own - self.shared:
                row.known[memory] = self._new(cast("ir.Alloca", memory))
            rows.append(row)
            again = self._value(last.operands[0], row)
            if not isinstance(again, ConstantInt):
                raise _Unlike
            if (last.then if again.value else last.otherwise) is not self.block:
                break
        else:
            raise _Unlike
        if len(rows) < 2:
            raise _Unlike
        once = {memory: self._new(cast("ir.Alloca", memory)) for memory in self.shared}
        for row in rows:
            row.known.update(once)
        return rows

    def _new(self, like: ir.Alloca) -> Value:
        memory = copy.copy(like)
        self.memory.append(memory)
        return memory

    def _value(self, value: Value, row: _Row, *, phi: bool = False) -> Value:
        """The value of one iteration, computed before all rows; `phi` where it is one for the next, whose memory is
        another."""
        if phi and isinstance(value, ir.Instruction) and own_memory(value) in self.own:
            if value.block is self.block:
                raise _Unlike
            return value
        found = row.known.get(value)
        if found is not None:
            # What the loop was entered with may lead to memory that each iteration has for its own.
            leads = isinstance(value, ir.Phi) and own_memory(found) in self.own
            return self._value(found, row) if leads else found
        if not isinstance(value, ir.Instruction):
            return value
        inside = value.block is self.block
        if not inside and own_memory(value) not in self.own:
            return value
        if not _is_pure(value) or isinstance(value, ir.Phi):
            raise _Unlike
        operands = [self._value(operand, row) for operand in value.operands]
        folded = _folded(value, operands)
        if folded is None:
            new = copy.copy(value)
            new.operands = operands
            folded = self.ahead.insert(new)
        row.known[value] = folded
        return folded

    # The new blocks ------------------------------------------------------------------------------------------------

    def build(self) -> RequestCall:
        actuals = [self._actual(actual) for actual in self.request.actuals]
        written = [
            (self._value(i.pointer, row), 0, self.layout.store_size(i.operands[0].type))
            for row in self.rows
            for i in self.behind
            if isinstance(i, ir.Store)
        ]
        apart = self._apart(actuals, written)
        for row in self.rows:
            for i in self.before:
                if isinstance(i, ir.Store) or _is_memset(i):
                    new = self._again(i, row)
                    filled = own_memory(new.pointer if isinstance(new, ir.Store) else new.operands[0])
                    if filled not in self.memory:
                        raise _Unlike
        call = self._call()
        front, self.ahead = self.ahead, self.all
        for number, row in enumerate(self.rows):
            if call.type is not VOID:
                row.known[self.request.call] = self.all.extract_value(call, number)
            for i in self.behind:
                if isinstance(i, ir.Store):
                    self._again(i, row)
        left = [self._value(phi.incoming(self.block), self.rows[-1]) for phi in self.exit.phis]
        self.ahead = front
        self.all.jump(self.exit)
        for phi, value in zip(self.exit.phis, left, strict=True):
            Builder.add_incoming(phi, value, self.together)
        self._join(apart)
        return replace(self.request, call=call, width=len(self.rows), actuals=actuals)

    def _actual(self, actual: Actual) -> Actual:
        assert actual.value is not None
        values = [self._value(actual.value, row) for row in self.rows]
        if any(value is not values[0] for value in values):
            raise _Unlike
        shadows = [self._value(actual.shadows[0], row) for row in self.rows] if actual.shadows else []
        if actual.activity.has_shadow is not bool(shadows):
            raise _Unlike
        return replace(actual, value=values[0], shadows=shadows)

    def _apart(self, actuals: list[Actual], written: list[tuple[Value, int, int]]) -> Value:
        """Is what is written behind the requests apart from all else, and are the rows' shadows from each other?"""
        primal, shadows = [], []
        for number, extent in self.touched.items():
            actual = actuals[number]
            assert actual.value is not None
            primal.append((actual.value, extent.low, extent.high))
            shadows += [(shadow, extent.low, extent.high, lane) for lane, shadow in enumerate(actual.shadows)]
        pairs = [(w, other) for w in written for other in [*primal, *(s[:3] for s in shadows)]]
        pairs += [(a[:3], b[:3]) for a in shadows for b in shadows if a[3] < b[3]]
        whole: Value = const_int(I1, 1)
        for a, b in pairs:
            if own_memory(a[0]) in self.memory and own_memory(b[0]) not in self.memory:
                continue
            if own_memory(b[0]) in self.memory and own_memory(b[0]) is not own_memory(a[0]):
                continue
            (base, at), (other, place) = fixed_base(self.layout, a[0]), fixed_base(self.layout, b[0])
            if base is other:
                if at + a[2] > place + b[1] and place + b[2] > at + a[1]:
                    raise _Unlike
                continue
            below = self.ahead.icmp("ule", self.ahead.ptradd(a[0], a[2]), self.ahead.ptradd(b[0], b[1]))
            above = self.ahead.icmp("ule", self.ahead.ptradd(b[0], b[2]), self.ahead.ptradd(a[0], a[1]))
            either = self.ahead.binary("or", below, above)
            whole = either if isinstance(whole, Constant) else self.ahead.binary("and", whole, either)
        return whole

    def _call(self) -> ir.Call:
        one = self.request.call
        result = VOID if one.type is VOID else struct_type((one.type,) * len(self.rows))
        assert one.callee is not None
        asked = ir.Call(
            function_type(result, (PTR,)), one.callee, [self.request.primal], metadata=debug_attachment(one)
        )
        return self.all.insert(asked)

    def _again(self, i: ir.Instruction, row: _Row) -> ir.Instruction:
        new = copy.copy(i)
        new.operands = [self._value(operand, row) for operand in i.operands]
        return self.all.insert(new)

    def _join(self, apart: Value) -> None:
        """Put the new blocks in front of the loop."""
        self.module.replace_function(self.function.name)
        usual = Block(f"{self.block.name or 'b'}.one")
        redirect(self.preheader, self.block, self.start)
        self.ahead.branch(apart, self.together, usual)
        Builder(usual, debug_attachment(self.request.call)).jump(self.block)
        for phi in self.block.phis:
            phi.blocks[:] = [usual if source is self.preheader else source for source in phi.blocks]
        at = self.function.blocks.index(self.block)
        self.function.blocks[at:at] = [self.start, self.together, usual]
        for block in (self.start, self.together, usual):
            block.function = self.function
        entry = Builder(self.function.entry)
        entry.position = 0
        for memory in self.memory:
            entry.insert(memory)


def _lifetime(i: ir.Instruction) -> str:
    """`start` or `end` of the lifetime of memory."""
    if isinstance(i, ir.CallBase) and isinstance(i.callee, Function) and i.callee.name.startswith("llvm.lifetime."):
        return i.callee.name.split(".")[2]
    return ""


def _is_memset(i: ir.Instruction) -> bool:
    if not (isinstance(i, ir.Call) and isinstance(i.callee, Function) and i.callee.name.startswith("llvm.memset.")):
        return False
    volatile = i.arguments[3]
    return isinstance(volatile, ConstantInt) and not volatile.value


def _is_pure(i: ir.Instruction) -> bool:
    return isinstance(i, ir.Phi | ir.Binary | ir.Negate | ir.Cast | ir.Compare | ir.Select | ir.GetElementPtr)


def _folded(i: ir.Instruction, operands: list[Value]) -> Value | None:
    """The constant that counting gives."""
    if len(operands) != 2 or not all(isinstance(o, ConstantInt) for o in operands):
        return None
    a, b = (o.value for o in operands if isinstance(o, ConstantInt))
    match i:
        case ir.Binary(op="add"):
            return _small(i.type, a + b)
        case ir.Binary(op="mul"):
            return _small(i.type, a * b)
        case ir.Binary(op="shl") if 0 <= b < 8:
            return _small(i.type, a << b)
        case ir.Compare(predicate="eq"):
            return const_int(I1, int(a == b))
        case ir.Compare(predicate="ne"):
            return const_int(I1, int(a != b))
        case _:
            return None


def _small(type_: Type, value: int) -> Value | None:
    """The constant, where it has no sign to lose."""
    return const_int(type_, value) if isinstance(type_, IntType) and 0 <= value < 1 << type_.bits - 1 else None
