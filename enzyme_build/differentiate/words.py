"""Pointers that travel as integers become pointers again.

Optimised code moves eight bytes as an integer whatever they are, and programs keep addresses in `uintptr_t`. In the
model that the pass reads, a word is a pointer where its bits come from one (`ptrtoint`), become one (`inttoptr`) or
lie in memory that holds pointers: it is loaded, stored and merged as one, so that its shadow goes the same way. An
address computed from one pointer (aligned, tagged) is that pointer, moved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.accessed import may_keep_address
from enzyme_build.analysis.bases import ADDRESS_ARITHMETIC
from enzyme_build.analysis.bits import bits_of
from enzyme_build.analysis.copied import access_kind
from enzyme_build.analysis.distances import FROM_INTEGER
from enzyme_build.analysis.kinds import Kind
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_place_of
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Function
from enzyme_build.ir.merges import merged_from
from enzyme_build.ir.metadata import retyped
from enzyme_build.ir.types import DOUBLE, I8, I64, PTR
from enzyme_build.ir.values import ConstantExpression, ConstantInt, Undef, Value, const_int, null, poison
from enzyme_build.rules.memory import Allocation, memory_function

from .byte_loops import moves_untold
from .split_pointers import NO_ADDRESS

if TYPE_CHECKING:
    from enzyme_build.analysis.contents import Content
    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.module import Module

_ADDRESS: Final = frozenset((Kind.POINTER, Kind.INTEGER))
_SLOT: Final = _ADDRESS | {Kind.MIXED}
COUNTED: Final = "!enzyme.counted"
"""Marks an integer that is a pointer in this model, and that has no shadow."""
_PAGE: Final = 4096
_ADDRESS_BITS: Final = 48
_SHORT: Final = 32
"""Bits of an integer that is too short for an address."""
_DEPTH: Final = 8
"""Operations that an address is followed through."""


def pointers_for_words(function: Function, memory: Memory | None = None) -> bool:
    """Retype the words of the function's model that are certainly pointers; with `memory`, those of pointer memory too.

    Returns whether anything changed.
    """
    return _Retyping(function, memory).run()


class _Retyping:
    def __init__(self, function: Function, memory: Memory | None) -> None:
        self.function = function
        self.memory = memory
        self.words = [i for i in function.instructions() if i.type is I64]
        self.alignments = _alignments(function)
        self.moved: set[Value] | None = None
        self.to_pointer: set[Value] = set()
        self.addresses: set[Value] = set()
        """Words that a pointer's bits, moved or not, reach."""
        self._find_addresses()
        self.pointers: dict[Value, Value] = {}
        """Words to the pointers whose bits they are."""
        self.replaced: dict[Value, Value] = {}
        self.numbers: dict[Value, bool] = {}
        self.changed = False

    def run(self) -> bool:
        loads = [i for i in self.words if isinstance(i, ir.Load) and not i.ordering and self._is_pointer(i)]
        merges = self._merges(set(loads))
        if not loads and not merges and not self.to_pointer and not self._stored():
            return False
        for load in loads:
            self._load(load)
        self._merge(merges)
        self._substitute()
        for block in self.function.blocks:
            for i in list(block.instructions):
                if isinstance(i, ir.Store) and i.value.type is I64 and not i.ordering:
                    self._store(i)
                elif isinstance(i, ir.Cast) and i.op == "inttoptr":
                    self._to_pointer(i)
        self._substitute()
        return self.changed

    def _find_addresses(self) -> None:
        """What becomes a pointer, and on the way to that adds something to an address."""
        made = [i.operands[0] for i in self.function.instructions() if isinstance(i, ir.Cast) and i.op == "inttoptr"]
        self.to_pointer.update(made)
        for word in made:
            self.to_pointer.update(_only_leaf(word))
        while True:
            self.addresses = {i for i in self.words if isinstance(i, ir.Load) and self._is_pointer(i)}
            while more := {i for i in self.words if i not in self.addresses and self._comes_from_address(i)}:
                self.addresses |= more
            unknown = [word for word in made if _only_base(word) is None]
            found = {base for word in unknown for base in self._bases(word) if not is_ptrtoint(base)}
            if found <= self.to_pointer:
                return
            self.to_pointer |= found

    def _comes_from_address(self, i: Value) -> bool:
        return isinstance(i, ir.MERGES) and any(bool(self._bases(o)) for o in ir.merged(i))

    def _bases(self, word: Value) -> list[Value]:
        """The casts, loads and merges of addresses that a word is computed from."""
        return [leaf for leaf in _leaves(word) if is_ptrtoint(leaf) or leaf in self.addresses]

    def _only_base(self, word: Value) -> Value | None:
        """The pointer that a word is computed from: what else it is computed from is a distance."""
        base = _only_base(word)
        if base is None:
            bases = self._bases(word)
            base = self._pointer(bases[0]) if len(bases) == 1 else None
        return base

    def _is_pointer(self, word: Value) -> bool:
        if word in self.to_pointer:
            return True
        if self.memory is not None and isinstance(word, ir.Load):
            told = access_kind(self.memory.module, word.metadata, I64.bits // 8)
            if told is not None and told[0] is Kind.POINTER:
                return True
        content = self.memory.contents.get((word, ())) if self.memory is not None else None
        if content is None or not (content.may_point or self._is_moved(word, content)):
            return False
        # Tags of accesses to `uintptr_t` say integer, which does no harm; callers then find either.
        return content.claims <= (_SLOT if content.keeps_addresses else _ADDRESS)

    def _is_moved(self, word: Value, content: Content) -> bool:
        """Is this only moved, as bytes of any type, where callers have pointers?"""
        if self.moved is None:
            self.moved = _moved_untold(self.memory.module, self.function) if self.memory is not None else set()
        return Kind.POINTER in content.claims and word in self.moved

    def _stored(self) -> bool:
        stores = [i for i in self.function.instructions() if isinstance(i, ir.Store) and i.value.type is I64]
        return any(self._pointer(i.value) is not None or self._is_address(i) for i in stores)

    def _merges(self, loads: set[Value]) -> list[ir.Instruction]:
        """Phis, selects and freezes all of whose operands are pointers, with evidence that one is."""
        chosen = {i for i in self.words if isinstance(i, ir.MERGES)}
        while True:
            known = chosen | loads
            kept = {i for i in chosen if all(o in known or self._fits(o, known, i) for o in ir.merged(i))}
            if kept == chosen:
                break
            chosen = kept
        told = {i for i in chosen if self._is_pointer(i) or any(o in loads or is_ptrtoint(o) for o in ir.merged(i))}
        # What flows into a pointer, and what it flows into, is one.
        while True:
            more = {i for i in chosen - told if any(o in told for o in ir.merged(i))}
            more |= {leaf for i in told for o in ir.merged(i) for leaf in (o, *self._bases(o)) if leaf in chosen} - told
            more = {i for i in more if not self._is_number(i)}
            if not more:
                return [i for i in self.words if i in told]
            told |= more

    def _fits(self, value: Value, known: set[Value], merge: Value) -> bool:
        if is_ptrtoint(value) or isinstance(value, Undef) or _is_small(value):
            return True
        if self._is_number(value):
            return any(map(is_ptrtoint, merged_from(merge)))
        bases = self._bases(value)
        return isinstance(value, ir.Binary) and len(bases) == 1 and (bases[0] in known or is_ptrtoint(bases[0]))

    def _is_number(self, word: Value) -> bool:
        """Is this certainly no address? Another variant of an enum counts where one has a pointer."""
        if word not in self.numbers:
            self.numbers[word] = self._has_no_address(word)
        return self.numbers[word]

    def _has_no_address(self, word: Value) -> bool:
        seen: set[Value] = set()
        pending = [word]
        while pending:
            one = pending.pop()
            if one in seen:
                continue
            seen.add(one)
            match one:
                case ConstantInt() | ir.Cast(op="fptoui" | "fptosi"):
                    pass
                case ir.Cast(op="zext" | "sext") if bits_of(one.operands[0]) <= _SHORT:
                    pass
                case ir.Binary() if NO_ADDRESS in one.metadata:
                    pass
                case ir.Binary(op="sub") if all(map(is_ptrtoint, one.operands)):
                    pass  # a length
                case ir.Load() if self._is_counted(one):
                    pass
                case ir.Call(callee=Function() as callee) if callee.name.startswith("llvm."):
                    pending += [a for a in one.arguments if bits_of(a) > _SHORT]  # the largest, a number's integer …
                case ir.Binary(op="add" | "sub" | "mul" | "and" | "or" | "xor" | "shl" | "lshr" | "udiv" | "urem"):
                    pending += one.operands
                case ir.Phi() | ir.Select() | ir.Freeze():
                    pending += ir.merged(one)
                case _:
                    return False
        return True

    def _is_counted(self, load: ir.Load) -> bool:
        """Is this read where everybody has an integer?"""
        content = self.memory.contents.get((load, ())) if self.memory is not None else None
        return content is not None and content.claims == {Kind.INTEGER} and not content.may_carry_numbers

    def _pointer(self, word: Value) -> Value | None:
        word = self.replaced.get(word, word)
        if word in self.pointers:
            return self.pointers[word]
        return word.operands[0] if is_ptrtoint(word) else None  # type: ignore[attr-defined]

    def _merged_pointer(self, word: Value) -> Value:
        if isinstance(word, Undef):
            return poison(PTR)
        if isinstance(word, ConstantInt):
            text = f"inttoptr (i64 {word.value} to ptr)"
            return ConstantExpression(PTR, text, "inttoptr", [word]) if word.value else null(PTR)
        return self._pointer(word) or self._moved(word) or self._at_nothing(word)

    def _at_nothing(self, word: Value) -> Value:
        """An integer as a pointer, which leads nowhere."""
        assert isinstance(word, ir.Instruction)
        assert word.block is not None
        block = word.block
        builder = Builder(block, debug_attachment(word))
        phis = isinstance(word, ir.Phi)
        builder.position = sum(1 for _ in block.phis) if phis else block.instructions.index(word) + 1
        nowhere = builder.gep(I8, null(PTR), [word])
        nowhere.metadata = f"{COUNTED} !{{}}"
        return nowhere

    def _moved(self, word: Value) -> Value | None:
        """The pointer that an address computed from one other is."""
        base = self._only_base(word)
        if base is None or not isinstance(word, ir.Binary) or word.block is None:
            return None
        builder = Builder(word.block, debug_attachment(word))
        builder.position = word.block.instructions.index(word) + 1
        self.pointers[word] = self._at(builder, base, word)
        return self.pointers[word]

    def _at(self, builder: Builder, base: Value, word: Value) -> Value:
        """The pointer to this address that is computed from another."""
        distance = self._distance(builder, base, word)
        if distance is None:
            distance = builder.binary("sub", word, builder.cast("ptrtoint", base, I64))
        pointer = builder.gep(I8, base, [distance])
        pointer.metadata = f"{FROM_INTEGER} !{{}}"
        return pointer

    def _distance(self, builder: Builder, base: Value, word: Value) -> Value | None:
        """How far a word is from the address of a pointer to which the rest is added, wherever that lies: the passes of
        split mode may be given other memory."""
        if self._pointer(word) is base:
            return const_int(I64, 0)
        if not isinstance(word, ir.Binary) or word.op not in ("add", "sub"):
            return None
        first, second = word.operands
        if base in self._pointers_of(second) and word.op == "add":
            first, second = second, first
        start = self._distance(builder, base, first)
        if start is None or base in self._pointers_of(second):
            return None
        if isinstance(start, ConstantInt) and start.value == 0 and word.op == "add":
            return second
        return builder.binary(word.op, start, second)

    def _pointers_of(self, word: Value) -> list[Value | None]:
        return [self._pointer(leaf) for leaf in _leaves(word)]

    def _load(self, load: ir.Load) -> None:
        new = ir.Load(
            PTR, load.pointer, load.align, volatile=load.volatile, name=load.name,
            metadata=retyped(load.metadata),
        )  # fmt: skip
        self._put(load, new)

    def _put(self, old: ir.Instruction, new: ir.Instruction) -> None:
        """The pointer in the place of the word, and behind it the word for other uses."""
        word = in_place_of(old, new).cast("ptrtoint", new, I64)
        self.pointers[word] = new
        self.replaced[old] = word
        self.changed = True

    def _merge(self, merges: list[ir.Instruction]) -> None:
        for i in merges:
            self._put(i, ir.merge_of_type(i, PTR))
        for i in merges:
            new_pointer = self._pointer(i)
            operands = [self._merged_pointer(o) for o in ir.merged(i)]
            assert isinstance(new_pointer, ir.MERGES)
            ir.set_merged(new_pointer, operands)

    def _store(self, i: ir.Store) -> None:
        pointer = self._pointer(i.value)
        if pointer is None and self._is_address(i):
            pointer = self._moved(i.value)
        if pointer is not None:
            i.operands[0] = pointer
            self.changed = True

    def _is_address(self, i: ir.Store) -> bool:
        """Is a computed word stored as an address: a tagged one, or where others lie?"""
        if not isinstance(i.value, ir.Binary) or not self._bases(i.value):
            return False
        if all(map(is_ptrtoint, _leaves(i.value))):
            return self._only_base(i.value) is not None
        place = self.memory.place(i.pointer) if self.memory is not None else None
        return place is not None and may_keep_address(place)

    def _to_pointer(self, i: ir.Cast) -> None:
        assert i.block is not None
        pointer = self._pointer(i.operands[0])
        if pointer is None:
            base = self._only_base(i.operands[0])
            builder = Builder(i.block, debug_attachment(i))
            builder.position = i.block.instructions.index(i)
            if base is None and i.operands[0] in self.alignments:
                base = null(PTR)
            if base is None:
                return
            pointer = self._at(builder, base, i.operands[0])
        self.replaced[i] = pointer
        i.block.instructions.remove(i)
        self.changed = True

    def _substitute(self) -> None:
        if not self.replaced:
            return
        for i in self.function.instructions():
            i.operands[:] = [self._final(o) for o in i.operands]

    def _final(self, value: Value) -> Value:
        while value in self.replaced:
            value = self.replaced[value]
        return value


def _moved_untold(module: Module, function: Function) -> set[Value]:
    """Words that are stored as they were read, and used in no other way, of which no access tells what they are."""
    stores = (i for i in function.instructions() if isinstance(i, ir.Store) and i.value.type is I64)
    moved = {i.value for i in stores if moves_untold(module, i)}
    for i in function.instructions():
        moved.difference_update(i.operands[1:] if isinstance(i, ir.Store) else i.operands)
    return moved


def _alignments(function: Function) -> set[Value]:
    """Numbers that allocators are given as alignments: no addresses, and what Rust makes the pointers of that point to
    nothing."""
    found: set[Value] = set()
    for i in function.instructions():
        if isinstance(i, ir.Call) and isinstance(i.callee, Function):
            known = memory_function(i.callee.name)
            if isinstance(known, Allocation) and known.alignment is not None:
                found.add(i.arguments[known.alignment])
    return found


def _is_small(value: Value) -> bool:
    """Is this less than a page?"""
    return isinstance(value, ConstantInt) and 0 <= value.value < _PAGE


def is_ptrtoint(value: Value) -> bool:
    """Is this word the bits of a pointer, be it to a variable?"""
    casts = ir.Cast | ConstantExpression
    return isinstance(value, casts) and value.op == "ptrtoint" and value.type is I64


def _only_leaf(word: Value) -> list[Value]:
    """The only word that an address is computed from, besides constants."""
    leaves = _leaves(word)
    return leaves if len(leaves) == 1 else []


def _leaves(word: Value) -> list[Value]:
    """What an address is computed from, besides constants, each once."""
    pending = [(word, 0)]
    leaves: dict[Value, None] = {}
    while pending:
        value, depth = pending.pop()
        if is_remainder(value):
            continue
        if _moves_address(value) and depth <= _DEPTH:
            pending += [(operand, depth + 1) for operand in value.operands]  # type: ignore[attr-defined]
        elif not isinstance(value, ConstantInt):
            leaves[value] = None
    return list(leaves)


def _moves_address(word: Value) -> bool:
    """Is an address moved here? Of two that are mixed (a list that keeps both neighbours in one word) it is neither."""
    if not isinstance(word, ir.Binary) or word.op not in ADDRESS_ARITHMETIC:
        return False
    return word.op != "xor" or any(isinstance(operand, ConstantInt) for operand in word.operands)


def is_remainder(word: Value) -> bool:
    """Is this a small number, be it made of an address? Upper bits are zero in every address: tables keep those of
    hashes."""
    if not isinstance(word, ir.Binary) or not isinstance(by := word.operands[1], ConstantInt):
        return False
    return (word.op == "and" and _is_small(by)) or (word.op == "lshr" and by.value >= _ADDRESS_BITS)


def address_bases(word: Value) -> list[Value]:
    """The pointers whose sum an integer is, each counted with its sign: none for the distance of two."""
    counts: dict[Value, int] = {}
    if word.type is not I64 or not _count_bases(word, 1, counts, 0):
        return []
    return [base for base, count in counts.items() if count] if sum(counts.values()) else []


def is_made_of_address(word: Value, depth: int = 0) -> bool:
    """Is a pointer's address in this integer, however it is mixed with others? Not so in the distance of two."""
    if not isinstance(word, ir.Binary) or word.op not in ADDRESS_ARITHMETIC or depth > _DEPTH or is_remainder(word):
        return False
    if all(map(is_ptrtoint, word.operands)):
        return word.op != "sub"
    return any(is_ptrtoint(operand) or is_made_of_address(operand, depth + 1) for operand in word.operands)


def merged_bases(word: Value) -> list[Value]:
    """The pointers whose bits an integer has on some of the ways to it, where it did not become a pointer: on others it
    is something else."""
    found: list[Value] = []
    seen: set[Value] = set()
    pending = [word]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        if isinstance(at, ir.MERGES) and at.type in {I64, DOUBLE}:
            pending += ir.merged(at)
        elif isinstance(at, ir.Cast) and at.op == "bitcast" and {at.type, at.operands[0].type} == {I64, DOUBLE}:
            pending += at.operands
        elif at is not word:
            found += address_bases(at)
    return found


def returns_merged_pointer(function: Function) -> bool:
    """Is such an integer the result, or a member of it?"""
    pending = [operand for i in function.instructions() if isinstance(i, ir.Return) for operand in i.operands]
    seen: set[Value] = set()
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        if at.type is I64:
            if merged_bases(at):
                return True
        elif isinstance(at, ir.InsertValue):
            pending += at.operands[:2]
        elif isinstance(at, ir.MERGES):
            pending += ir.merged(at)
    return False


def _only_base(word: Value) -> Value | None:
    """The one pointer that an address is computed from."""
    counts: dict[Value, int] = {}
    if not _count_bases(word, 1, counts, 0):
        return None
    bases = [base for base, count in counts.items() if count]
    return bases[0] if len(bases) == 1 and counts[bases[0]] == 1 else None


def _count_bases(word: Value, sign: int, counts: dict[Value, int], depth: int) -> bool:
    if depth > _DEPTH:
        return False
    if is_ptrtoint(word):
        base = word.operands[0]  # type: ignore[attr-defined]
        counts[base] = counts.get(base, 0) + sign
        return True
    if _moves_address(word):
        assert isinstance(word, ir.Binary)
        second = -sign if word.op == "sub" else sign
        return _count_bases(word.operands[0], sign, counts, depth + 1) and _count_bases(
            word.operands[1], second, counts, depth + 1
        )
    return True
