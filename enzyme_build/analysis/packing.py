"""Packed integers: which bytes of an integer are numbers.

Compilers move small structs in integer registers: `{float, int}` is passed as an i64, made of its members by zero
extensions, shifts and disjoint ors, and taken apart by shifts and truncations. A *part* is a floating-point number at a
byte offset of an integer value. Parts are found where numbers go in (bitcasts, typed memory) and where they come out,
and carried along all operations that move whole bytes, forwards and backwards, and across calls. An operation that does
anything else to a part *tears* it: such code computes on the bits of numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function, users
from enzyme_build.ir.types import DOUBLE, FLOAT, FloatType, IntType, vector_type
from enzyme_build.ir.values import Constant, ConstantInt, Value

from .bitflow import bit_flow
from .bits import DEPTH, SMALLEST, bits_of, known_zero, may_pack, ones
from .cfg import control_flow
from .claims import ClaimedNumbers, claims_at
from .copied import access_kind
from .declared_bytes import declared_bytes
from .fields import fields
from .kinds import Kind
from .number_places import Sure
from .objects import told_apart
from .offsets import scalar_leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.types import Type

    from .memory import Memory, Path
    from .regions import Place

Parts = dict[int, "FloatType"]

_MOVING: Final = (ir.Cast, ir.Binary, ir.Phi, ir.Select, ir.Freeze, ir.ExtractValue, ir.InsertValue, ir.Load, ir.Store,
                  ir.CallBase, ir.Return)  # fmt: skip
_COMPUTING: Final = (ir.Cast, ir.Binary, ir.Phi, ir.Select, ir.Freeze)


class Packing:
    """The parts of the integers of one function."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.layout: DataLayout = memory.layout
        self.found: dict[tuple[Value, Path], Parts] = {}
        self.results: dict[Path, Parts] = {}
        self.torn: set[Value] = set()
        """Values of which some part is not moved as a whole, or said to be two things."""
        self.emptied: set[Value] = set()
        """What is left of a packed integer when its parts are dropped: no numbers, by what is known."""
        self.counted: set[Value] = set()
        """Values that nothing but integer operations uses."""
        self.formals = frozenset[Value](memory.function.arguments)
        self.callers: set[Packing] = set()
        self.touched: set[Packing] = set()
        """Callees that learned something and have to be solved again."""
        self._moving: list[ir.Instruction] | None = None
        self._demanded: dict[Value, int] = {}
        self._changed = False
        self._readers: Mapping[Value, Sequence[ir.Instruction]] | None = None
        self._run: dict[tuple[object, int, bool], tuple[Parts, frozenset[int]]] = {}
        self._unknown: dict[tuple[Value, Path], frozenset[int]] = {}

    def parts(self, value: Value, path: Path = ()) -> Mapping[int, FloatType]:
        """Floating-point types by byte offset."""
        return self.found.get((value, path), {})

    def is_doubtful(self, value: Value, path: Path = ()) -> bool:
        """Are there other bytes in memory that this is moved from or to, of which nobody says what they are?"""
        size = self.layout.store_size
        told = {at for start, type_ in self.parts(value, path).items() for at in range(start, start + size(type_))}
        return not self._unknown.get((value, path), frozenset()) <= told

    def lanes(self, value: Value, path: Path = ()) -> Type | None:
        """The type of the adjoint of a packed integer: its only number, or a vector of equal ones whose lanes are the
        integer's bytes (lanes that hold no number stay zero). None where there is no such type."""
        parts = self.parts(value, path)
        types = {*parts.values()}
        bits = bits_of(value, path)
        if len(types) != 1 or value in self.torn:
            return None
        (type_,) = types
        size = self.layout.store_size(type_)
        if bits == size * 8:
            return type_
        if bits % (size * 8) or any(offset % size for offset in parts) or self.layout.alloc_size(type_) != size:
            return None
        return vector_type(type_, bits // (size * 8))

    def solve(self) -> None:
        """To a fixed point, with what is known of callers and callees so far."""
        if self._moving is None:
            order = control_flow(self.memory.function).order
            self._moving = [
                i for block in order for i in block.instructions if isinstance(i, _MOVING) and self._concerns(i)
            ]
        self._changed = True
        while self._changed:
            self._changed = False
            for i in self._moving:
                self._visit(i)

    def finish(self) -> None:
        """What follows once all parts are known."""
        if self.found and self._moving is not None:
            self._find_demanded(self._moving)
            self._find_emptied(self._moving)

    def _find_demanded(self, moving: Sequence[ir.Instruction]) -> None:
        """Which bits of integers anybody looks at."""
        users: dict[Value, list[ir.Instruction]] = {}
        for block in control_flow(self.memory.function).order:
            for i in block.instructions:
                for operand in i.operands:
                    if may_pack(operand.type):
                        users.setdefault(operand, []).append(i)
        for i in [*reversed(moving), *moving]:
            for value in (i, *i.operands):
                if isinstance(value.type, IntType) and value not in self._demanded:
                    self._demanded[value] = self._demand(value, users, DEPTH)

    def _demand(self, value: Value, users: Mapping[Value, Sequence[ir.Instruction]], depth: int) -> int:
        known = self._demanded.get(value)
        if known is not None:
            return known
        everything = (1 << bits_of(value)) - 1
        found = 0
        for user in users.get(value, ()):
            found |= self._demand_by(user, value, users, depth) & everything
        return found

    def _demand_by(
        self, user: ir.Instruction, value: Value, users: Mapping[Value, Sequence[ir.Instruction]], depth: int
    ) -> int:
        if not depth or not isinstance(user, ir.Cast | ir.Binary) or not isinstance(user.type, IntType):
            return -1
        wanted = self._demand(user, users, depth - 1)
        constant = user.operands[-1]
        amount = constant.value if isinstance(constant, ConstantInt) else None
        match user.op:
            case "trunc" | "zext" | "or" | "xor":
                return wanted
            case "and":
                return wanted & amount if amount is not None else wanted
            case "lshr" if amount is not None:
                return wanted << amount
            case "shl" if amount is not None and value is user.operands[0]:
                return wanted >> amount
            case "add" | "sub" | "mul":
                return (1 << wanted.bit_length()) - 1
            case _:
                return -1

    def _find_emptied(self, moving: Sequence[ir.Instruction]) -> None:
        computed = [i for i in moving if isinstance(i, _COMPUTING) and isinstance(i.type, IntType)]
        kept = {o for i in moving if not isinstance(i, _COMPUTING) for o in i.operands}
        self.emptied = {i for i in computed if not self.parts(i)}
        before = -1
        while len(self.emptied) != before:
            before = len(self.emptied)
            self.emptied -= {i for i in computed if i in self.emptied and not self._empties(i)}
        self.counted = self.emptied - kept

    def _empties(self, i: ir.Instruction) -> bool:
        return all(
            o in self.emptied or isinstance(o, Constant) or self._counts(o) or not self._tears(i, o)
            for o in (i.operands[1:] if isinstance(i, ir.Select) else i.operands)
        )

    def _counts(self, value: Value) -> bool:
        """Is this an integer that no number was taken apart for?"""
        if isinstance(value, ir.Compare) or (isinstance(value, ir.Cast) and value.op in ("fptosi", "fptoui")):
            return True
        if 0 < bits_of(value) < SMALLEST:  # of a number it could be no more than a part
            return bit_flow(self.memory).sure(value) is Sure.NO
        if isinstance(value, _COMPUTING):
            return False
        content = self.memory.contents.get((value, ()))
        return content is not None and content.kind is Kind.INTEGER and not self.parts(value)

    @staticmethod
    def _concerns(i: ir.Instruction) -> bool:
        if isinstance(i, ir.CallBase | ir.Return):
            return True
        return any(may_pack(v.type) for v in (i, *i.operands))

    # Facts -----------------------------------------------------------------------------------------------------------

    def _give(self, value: Value, parts: Mapping[int, FloatType], path: Path = ()) -> None:
        if isinstance(value, Constant) or not parts:
            return
        bits = bits_of(value, path)
        known = self.found.setdefault((value, path), {})
        for offset, type_ in parts.items():
            size = self.layout.store_size(type_)
            if known.get(offset) is type_ or offset < 0 or (offset + size) * 8 > bits:
                continue
            if any(at < offset + size and offset < at + self.layout.store_size(t) for at, t in known.items()):
                if value not in self.torn:
                    self.torn.add(value)
                    self._changed = True
                continue
            known[offset] = type_
            self._changed = True

    def _visit(self, i: ir.Instruction) -> None:
        match i:
            case ir.Cast():
                self._cast(i)
            case ir.Binary() if isinstance(i.type, IntType):
                for operand in i.operands[:2]:
                    move = self.moved(i, operand)
                    if move is not None:
                        self._give(i, move(self.parts(operand), back=False))
                        self._give(operand, move(self.parts(i), back=True))
            case ir.Phi() | ir.Freeze():
                for operand in i.operands:
                    self._same(i, operand)
            case ir.Select():
                self._same(i, i.operands[1])
                self._same(i, i.operands[2])
            case ir.ExtractValue():
                self._same(i, i.operands[0], (), i.indices)
            case ir.InsertValue():
                for path, _, _ in scalar_leaves(self.layout, i.type):
                    if path[: len(i.indices)] == i.indices:
                        self._same_leaf(i, path, i.operands[1], path[len(i.indices) :])
                    else:
                        self._same_leaf(i, path, i.operands[0], path)
            case ir.Load():
                self._memory(i, i, i.pointer)
            case ir.Store():
                self._memory(i, i.value, i.pointer)
            case ir.CallBase():
                self._call(i)
            case ir.Return():
                for operand in i.operands:
                    for path, _, _ in scalar_leaves(self.layout, operand.type):
                        if self.parts(operand, path):
                            known = self.results.setdefault(path, {})
                            if not known.items() >= self.parts(operand, path).items():
                                known.update(self.parts(operand, path))
                                self._changed = True
                        self._give(operand, self.results.get(path, {}), path)
            case _:
                pass

    def _same(self, a: Value, b: Value, a_path: Path = (), b_path: Path = ()) -> None:
        for path, _, _ in scalar_leaves(self.layout, a.type):
            self._same_leaf(a, (*a_path, *path), b, (*b_path, *path))

    def _same_leaf(self, a: Value, a_path: Path, b: Value, b_path: Path) -> None:
        self._give(a, self.parts(b, b_path), a_path)
        self._give(b, self.parts(a, a_path), b_path)

    def _cast(self, i: ir.Cast) -> None:
        source = i.operands[0]
        if i.op == "bitcast":
            if isinstance(source.type, IntType):
                self._give(source, self._numbers_of(i.type))
            if isinstance(i.type, IntType):
                self._give(i, self._numbers_of(source.type))
            return
        move = self.moved(i, source)
        if move is not None:
            self._give(i, move(self.parts(source), back=False))
            self._give(source, move(self.parts(i), back=True))

    def _numbers_of(self, type_: Type) -> Parts:
        return {at: leaf for _, leaf, at in scalar_leaves(self.layout, type_) if isinstance(leaf, FloatType)}

    def _is_told_integer(self, i: ir.Instruction, leaf: IntType) -> bool:
        """Do the language's rules say that this access is to one integer?"""
        told = access_kind(self.memory.module, i.metadata, leaf.bits // 8)
        return told is not None and told[0] is Kind.INTEGER

    def _memory(self, i: ir.Instruction, value: Value, pointer: Value) -> None:
        place = self.memory.place(pointer)
        if place is None or isinstance(value, Constant):
            return
        for path, leaf, offset in scalar_leaves(self.layout, value.type):
            if not isinstance(leaf, IntType) or leaf.bits < SMALLEST or leaf.bits % 8:
                continue
            content = self.memory.contents.get((value, path))
            kind = content.kind if content is not None else Kind.UNKNOWN
            if self._is_told_integer(i, leaf):
                continue
            size = leaf.bits // 8
            moved = self._is_only_moved(i, value)
            if kind is Kind.POINTER:
                if moved:
                    self._pointer(value, path, place.moved(offset), size)
                continue
            numbers, unknown = self._held([place.moved(offset)], size, moved=moved)
            if numbers and (single := told_apart(self.memory, pointer)):
                numbers, unknown = self._held([one.moved(offset) for one in single], size, moved=moved)
            if numbers and unknown and not offset:
                unknown -= declared_bytes(self.memory).without_numbers(pointer, size)
            # Of an integer and a number that are moved as one word, the first half tells that it is an integer.
            if kind is Kind.INTEGER and (0 in numbers or not numbers):
                continue
            self._unknown[value, path] = self._unknown.get((value, path), unknown) & unknown
            if any(at + self.layout.store_size(type_) > size for at, type_ in numbers.items()):
                self.torn.add(value)
            self._give(value, numbers, path)

    def _pointer(self, value: Value, path: Path, place: Place, size: int) -> None:
        """A pointer here that is numbers in objects of another class, as others say: it may be either."""
        told = self._shorter([place], size)
        if told:
            self._give(value, told, path)
        elif told is None:
            self._unknown[value, path] = frozenset(range(size))
            self._give(value, {0: FLOAT}, path)

    def _is_only_moved(self, i: ir.Instruction, value: Value) -> bool:
        """Is what is read stored again, or what is stored read before? Nobody counts with it, as with numbers of
        references, or takes it for an address."""
        if isinstance(i, ir.Store):
            return isinstance(value, ir.Load | ir.Phi | ir.Select | ir.Freeze)
        if self._readers is None:
            self._readers = users(self.memory.function)
        readers = self._readers.get(value, ())
        return bool(readers) and all(isinstance(r, ir.Store | ir.Phi | ir.Select | ir.Freeze) for r in readers)

    def _held(self, places: list[Place], size: int, *, moved: bool) -> tuple[Parts, frozenset[int]]:
        """The numbers of a word in memory, and its bytes of which nobody says what they are; of one that is only
        `moved`, also those that are numbers here and something else there."""
        key = (tuple(places), size, moved)
        if key not in self._run:
            found = fields(self.layout, places, size)
            step = found.period or size
            numbers = {
                start + at: type_.scalar
                for start in range(0, size, step)
                for at, type_ in found.numbers
                if isinstance(type_.scalar, FloatType)
            }
            # Where no number is told, it is an integer in the one and a pointer in the other.
            numbered = [at for at in found.mixed if any(claims_at(self.layout, p.moved(at), 1) for p in places)]
            mixed = frozenset(numbered if moved else ())
            if mixed and (told := self._shorter(places, size)):
                numbers |= told
                mixed -= {at + byte for at, type_ in told.items() for byte in range(self.layout.store_size(type_))}
            self._run[key] = numbers, mixed.union(found.unknown)
        return self._run[key]

    def _shorter(self, places: Iterable[Place], size: int) -> Parts | None:
        """The numbers of a word that is a pointer in other objects, if all that lie there are of one type that is too
        short for a pointer: where it is one, the program ends (`differentiate.changed_words`). None where there are
        others; doubles have no need of it."""
        claimed = [(ClaimedNumbers(self.layout, place.resolved().region), place.resolved()) for place in places]
        types = {type_ for numbers, place in claimed for type_ in numbers.touched(place, size)}
        if types <= {DOUBLE}:
            return {}
        type_ = types.pop()
        width = self.layout.store_size(type_)
        if types or not isinstance(type_, FloatType) or width >= self.layout.pointer_size() or size % width:
            return None
        starts = range(0, size, width)
        return {at: type_ for at in starts if any(type_ in n.beginning(place.moved(at)) for n, place in claimed)}

    def _call(self, i: ir.CallBase) -> None:
        """Arguments and results are the same on both sides of a call."""
        other = self.callee(i)
        if other is None:
            return
        other.callers.add(self)
        before = other.signature()
        for formal, actual in zip(other.memory.function.arguments, i.arguments, strict=False):
            for path, _, _ in scalar_leaves(self.layout, formal.type):
                if bits_of(formal, path):
                    self._give(actual, other.parts(formal, path), path)
                    other.give(formal, self.parts(actual, path), path)
        for path, parts in other.results.items():
            self._give(i, parts, path)
        for path, _, _ in scalar_leaves(self.layout, i.type):
            other.give_result(path, self.parts(i, path))
        if other.signature() != before:
            self.touched.add(other)

    def callee(self, i: ir.CallBase) -> Packing | None:
        """The packing of a function with a body."""
        callee, module = i.callee, self.memory.module
        if not isinstance(callee, Function) or not module.is_defined(callee.name):
            return None
        memory = self.memory.others.get(module.function(callee.name))
        return memory.packing if memory is not None else None

    def give(self, argument: Value, parts: Mapping[int, FloatType], path: Path) -> None:
        """What a caller knows of an argument."""
        self._give(argument, parts, path)

    def give_result(self, path: Path, parts: Mapping[int, FloatType]) -> None:
        """What a caller knows of the result."""
        if parts:
            self.results.setdefault(path, {}).update(parts)

    def signature(self) -> object:
        """What callers and callee share."""
        arguments = [
            (path, sorted((at, type_.text) for at, type_ in parts.items()))
            for (value, path), parts in self.found.items()
            if value in self.formals
        ]
        return arguments, {path: dict(parts) for path, parts in self.results.items()}

    # Operations ------------------------------------------------------------------------------------------------------

    def moved(self, i: ir.Instruction, operand: Value) -> Callable[..., Parts] | None:
        """How `i` moves the parts of one operand to its result, and (`back`) which parts of the result come from
        there; None for an operation that does not move bytes."""
        width = bits_of(i) // 8

        def shifted(by: int, limit: int, keep: Callable[[int, int], bool] | None = None) -> Callable[..., Parts]:
            def move(parts: Mapping[int, FloatType], *, back: bool) -> Parts:
                step = -by if back else by
                until = limit if back else width
                size = self.layout.store_size
                return {
                    at + step: type_
                    for at, type_ in parts.items()
                    if 0 <= at + step <= until - size(type_)
                    and (keep is None or keep(at + (0 if back else step), size(type_)))
                }

            return move

        source = bits_of(operand) // 8
        match i:
            case ir.Cast(op="trunc" | "zext") if isinstance(operand.type, IntType):
                return shifted(0, source)
            case ir.Binary(op="lshr" | "ashr" | "shl") if operand is i.operands[0]:
                amount = i.operands[1]
                if isinstance(amount, ConstantInt) and amount.value % 8 == 0:
                    return shifted(amount.value // 8 * (1 if i.op == "shl" else -1), source)
            case ir.Binary(op="or" | "add"):
                other = i.operands[1] if operand is i.operands[0] else i.operands[0]
                zeros, own = known_zero(other), known_zero(operand)

                def apart(at: int, size: int) -> bool:
                    below = ones(at)
                    carries = i.op == "add" and (~zeros & below) + (~own & below) > below
                    return zeros >> 8 * at & ones(size) == ones(size) and not carries

                return shifted(0, source, apart)
            case ir.Binary(op="and") if isinstance(i.operands[1], ConstantInt):
                mask = i.operands[1].value
                return shifted(0, source, lambda at, size: mask >> 8 * at & ones(size) == ones(size))
            case _:
                pass
        return None

    def tears(self, i: ir.Instruction, operands: Iterable[Value]) -> bool:
        """Does an integer operation take a part of these operands to pieces? Dropping a whole part is no harm."""
        return any(self._tears(i, operand) for operand in operands)

    def _tears(self, i: ir.Instruction, operand: Value) -> bool:
        parts = self.parts(operand)
        if operand in self.torn or i in self.torn or not parts:
            return True
        if i.type.is_float_like:
            return False
        move = self.moved(i, operand)
        back = move(move(parts, back=False), back=True) if move is not None else {}
        return any(not self._dropped(i, at, type_) for at, type_ in parts.items() if at not in back)

    def _dropped(self, i: ir.Instruction, at: int, type_: FloatType) -> bool:
        """Does nothing of this part of the first operand reach the result?"""
        size, width = self.layout.store_size(type_), bits_of(i) // 8
        match i:
            case ir.Cast(op="trunc"):
                return at >= width
            case ir.Binary(op="lshr" | "ashr") if isinstance(i.operands[1], ConstantInt):
                return at + size <= i.operands[1].value // 8
            case ir.Binary(op="shl") if isinstance(i.operands[1], ConstantInt):
                return at + i.operands[1].value // 8 >= width
            case ir.Binary(op="and") if isinstance(i.operands[1], ConstantInt):
                return i.operands[1].value >> 8 * at & ones(size) == 0
            case ir.Binary(op="add" | "sub" | "mul"):
                # Carries go up, so bits below do not feel it.
                return self._demanded.get(i, -1) >> 8 * at == 0
            case _:
                return False


def packing(memory: Memory) -> Packing:
    """The parts of the integers of a function; those of the whole call graph are computed at once."""
    if memory.packing is None:
        models = [memory, *memory.others.values()]
        found = {model: Packing(model) for model in dict.fromkeys(models)}
        for model, its in found.items():
            model.packing = its
        queue = dict.fromkeys(found.values())
        while queue:
            one = next(iter(queue))
            del queue[one]
            before = one.signature()
            one.solve()
            changed = one.touched | (one.callers if one.signature() != before else set())
            queue |= dict.fromkeys(sorted(changed, key=lambda p: p.memory.function.name))
            one.touched = set()
        for one in found.values():
            one.finish()
    assert memory.packing is not None
    return memory.packing
