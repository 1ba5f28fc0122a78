"""Words that hold a pointer in some objects and a number in others are copied as bytes.

The optimiser moves eight bytes that a program copies by an integer or pointer load and store. Where objects of
different classes are reached by the same pointer, and in the variants of an enum, such a word may be either, which the
shadow's bits tell at run time (`transfer`). In the model that the pass reads it is copied into memory of its own and
from there to where it is stored, also where several of them meet on the way. What the program counts with stays an
integer, and what it follows a pointer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.accessed import accessed_content, content_behind
from enzyme_build.analysis.claims import claims_at, overlapped_numbers, touches_pointer
from enzyme_build.analysis.copied import UNTOLD, access_kind, access_name, says_type
from enzyme_build.analysis.declared_bytes import declared_bytes
from enzyme_build.analysis.elements import elements
from enzyme_build.analysis.fields import fields
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.mixed_words import holds_words, is_word
from enzyme_build.analysis.strings import is_in_string
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import remove_instructions, users
from enzyme_build.ir.intrinsics import intrinsic
from enzyme_build.ir.types import (
    BFLOAT,
    DOUBLE,
    FLOAT,
    HALF,
    I1,
    I8,
    I64,
    PTR,
    FloatType,
    IntType,
    VectorType,
    array_type,
)
from enzyme_build.ir.values import Undef, Value, const_int

from .counted_numbers import only_counts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

_WORDS = (I64, PTR)
_WORD = 8
STORAGE = ("any pointer", "p1 omnipotent char")
"""The names of accesses to `void *` and `char *`, in which programs keep numbers."""
_NARROW = (HALF, BFLOAT, FLOAT)
"""Numbers of which a word has several."""
_ANYTHING = (*UNTOLD, *STORAGE)


def copy_words(module: Module, function: Function, memory: Memory) -> bool:
    """Replace moves of such words, and of words of numbers that nobody uses; was there any?"""
    words = [
        *_doubtful(module, function, memory),
        *_untouched(module, function, memory),
        *_moved_numbers(module, function, memory),
    ]
    either = list(_moved_pointers(module, function, memory))
    return bool(words or either) and _Copies(module, function, words, either).run()


def copy_noted_words(module: Module, function: Function, memory: Memory) -> bool:
    """Replace moves of words of which notes tell what numbers they are (see `noted`); was there any?"""
    words = [*_of_two_precisions(module, function, memory)]
    return bool(words) and _Copies(module, function, words, ()).run()


def _of_two_precisions(module: Module, function: Function, memory: Memory) -> Iterable[Value]:
    """What is read from where a float or a double may be, and what is stored there; also what is read as a double that
    the source does not call one: so the optimiser moves members of unions, which may be floats or pointers, too."""
    for i in function.instructions():
        match i:
            case ir.Load() if _is_move(i) and i.type is not PTR:
                moved: Value = i
            case ir.Load(type=type_) if type_ is DOUBLE and not (
                i.ordering or i.volatile or says_type(module, i.metadata)
            ):
                moved = i
            case ir.Store() if isinstance(i.value, ir.MERGES) and i.value.type is I64:
                moved = i.value
            case _:
                continue
        place = memory.place(i.pointer)
        size = memory.layout.store_size(moved.type)
        if place is None:
            continue
        if {FLOAT, DOUBLE} <= claims_at(memory.layout, place, size) or (
            moved.type is DOUBLE and touches_pointer(place, size)
        ):
            yield moved


def copy_to_rooms(module: Module, function: Function, words: Collection[Value], mark: str = "") -> None:
    """Copy words that are stored, whatever they are; with a `mark` of what computes with them, or was computed."""
    if words:
        _Copies(module, function, words, (), mark).run()


def _doubtful(module: Module, function: Function, memory: Memory) -> Iterable[Value]:
    """What is read where there may be a pointer, a number or an integer, and what is stored there."""
    for i in function.instructions():
        match i:
            case ir.Load() if _is_move(i):
                moved: Value = i
            case ir.Store() if _is_merge(i.value):
                moved = i.value
            case _:
                continue
        if is_place(memory, i.pointer, moved) and not _is_told(module, memory, i):
            yield moved


def _untouched(module: Module, function: Function, memory: Memory) -> Iterable[Value]:
    """What is read from members of a struct that are numbers, and that nobody uses as such, beside others or alone."""
    for i in function.instructions():
        if (
            not isinstance(i, ir.Load)
            or i.type is PTR
            or not _is_move(i)
            or access_name(module, i.metadata) not in UNTOLD
        ):
            continue
        place, size = memory.place(i.pointer), memory.layout.store_size(i.type)
        if place is None or not place.region.is_visible or memory.integer_kind(i)[0] is not Kind.UNKNOWN:
            continue
        told = elements(memory).part([i.pointer], size) or declared_bytes(memory).surely(i.pointer, size)
        if told is not None and any(isinstance(type_, FloatType) for _, _, type_ in told[0]):
            yield i


def _is_told(module: Module, memory: Memory, i: ir.Load | ir.Store) -> bool:
    """Does the language say that this is an integer, and does nobody move bytes of numbers to it?"""
    told = access_kind(module, i.metadata, _WORD)
    if told is None or told[0] is not Kind.INTEGER:
        return False
    content = content_behind(memory, i.pointer)
    return content is not None and not content.carries_numbers


def _moved_pointers(module: Module, function: Function, memory: Memory) -> Iterable[Value]:
    """Pointers that are read and stored, to or from where numbers may be as well, or become numbers.

    The optimiser moves the bytes of an enum's numbers as the pointer that is there in another variant, and that it may
    follow in between: then no access but the move says that there is a pointer.
    """
    loads = [
        i for i in function.instructions()
        if isinstance(i, ir.Load) and i.type is PTR and _is_move(i) and not is_in_string(i)
        and access_name(module, i.metadata) in _ANYTHING
    ]  # fmt: skip
    read = users(function) if loads else {}
    for load in loads:
        ends = _ends(load, read)
        if any(isinstance(end, ir.Cast) for end in ends) or (
            ends and any(_is_either(memory, i.pointer) for i in (load, *ends) if isinstance(i, ir.Load | ir.Store))
        ):
            yield load


def _moved_numbers(module: Module, function: Function, memory: Memory) -> Iterable[Value]:
    """Numbers that are read and stored, to or from where pointers may be as well.

    The optimiser moves the bytes of an enum's pointers as the number that is there in another variant, too. Where the
    source reads a number, that is told.
    """
    for i in function.instructions():
        if (
            isinstance(i, ir.Load)
            and i.type is DOUBLE
            and not (i.ordering or i.volatile or says_type(module, i.metadata))
            and _may_be_pointer(memory, i.pointer)
        ):
            yield i


def _may_be_pointer(memory: Memory, pointer: Value) -> bool:
    """May a pointer lie where a number is read?"""
    content = content_behind(memory, pointer)
    told = content is not None and Kind.POINTER in content.claims
    return told and _is_either(memory, pointer)


def _ends(word: Value, read: Mapping[Value, list[ir.Instruction]]) -> list[ir.Instruction]:
    """The stores and casts to numbers that a word comes to."""
    ends: list[ir.Instruction] = []
    seen = {word}
    pending = [word]
    while pending:
        moved = pending.pop()
        for user in read.get(moved, ()):
            if _is_merge(user) or _is_recast(user):
                pending += {user} - seen
                seen.add(user)
            elif (isinstance(user, ir.Store) and user.value is moved) or (_is_cast(user) and user.type is DOUBLE):
                ends.append(user)
    return ends


def _is_recast(i: ir.Instruction) -> bool:
    """Is this the same word as an integer or pointer?"""
    return isinstance(i, ir.Cast) and i.op in ("ptrtoint", "inttoptr") and {i.type, i.operands[0].type} == {*_WORDS}


def _is_either(memory: Memory, pointer: Value) -> bool:
    """May a number lie where a pointer is read or written?"""
    place = memory.place(pointer)
    if place is None:
        return False
    if not overlapped_numbers(memory.layout, place, _WORD).isdisjoint(_NARROW):
        return True
    found = fields(memory.layout, [place], memory.layout.pointer_size())
    # Where accesses contradict each other, copies take all aligned words of such memory for either, too.
    return bool(found.words) or (bool(found.mixed) and holds_words(place.region))


def is_place(memory: Memory, pointer: Value, word: Value) -> bool:
    """May a number, a pointer or an integer lie where this word is read or stored?"""
    place = memory.place(pointer)
    if place is None:
        return False
    content = accessed_content(place.region, place.offset, place.stride)
    if content is not None and is_word(content) and holds_words(place.region):
        return word.type is not PTR or content.kind is Kind.MIXED
    return word.type is not PTR and bool(fields(memory.layout, [place], memory.layout.store_size(word.type)).words)


def _is_move(i: Value) -> bool:
    if not isinstance(i, ir.Load) or i.ordering or i.volatile:
        return False
    if isinstance(i.type, VectorType):
        return isinstance(i.type.scalar, IntType)
    return i.type is PTR or (isinstance(i.type, IntType) and i.type.bits in (64, 128))


def _is_merge(i: Value) -> bool:
    return (isinstance(i, ir.MERGES) and i.type in _WORDS) or (_is_number_merge(i) and _brings_pointer(i))


def _is_number_merge(i: Value) -> bool:
    return isinstance(i, ir.MERGES) and i.type is DOUBLE


def _brings_pointer(merge: Value) -> bool:
    """May this number have the bits of a pointer?"""
    seen: set[Value] = set()
    pending = [merge]
    while pending:
        at = pending.pop()
        if isinstance(at, ir.MERGES) and at.type is DOUBLE and at not in seen:
            seen.add(at)
            pending += ir.merged(at)
        elif _bits_of(at).type is PTR:
            return True
    return False


class _Copies:
    def __init__(
        self, module: Module, function: Function, words: Iterable[Value], either: Collection[Value], mark: str = ""
    ) -> None:
        self.module = module
        self.mark = mark
        self.function = function
        self.either = either
        """Words of which nothing else than their move says that they may be pointers."""
        self.users = users(function)
        ends: dict[Value, list[ir.Instruction]] = {}
        """What stores each word that is read, or what several become, or takes it for something else."""
        pending = [*words, *either]
        while pending:
            word = pending.pop()
            if word not in ends:
                ends[word] = [user for user in self.users.get(word, ()) if self._is_end(user, word)]
                pending += [u for u in self.users.get(word, ()) if _is_merge(u) or _is_number_merge(u)]
                pending += self._moved_on(word)
        kept = {word for word, read in ends.items() if read}
        back = list(kept)
        while back:
            sources = [operand for operand in ir.merged(back.pop()) if operand not in kept and _is_word(operand, ends)]
            kept.update(sources)
            back += sources
        # In the order of the function, so that equal inputs give equal bytes.
        self.words = [i for i in function.instructions() if i in kept]
        found = {i for users_of_word in ends.values() for i in users_of_word}
        self.ends = [(i, i.operands[0]) for i in function.instructions() if i in found]
        self.rooms: dict[Value, Value] = {}
        self.read: dict[Value, Value] = {}
        """By the cast of a word, what is read from its room instead."""

    def _moved_on(self, word: Value) -> Iterator[Value]:
        """The numbers that the word becomes one of by choice, and that go on as words: what is chosen may be none."""
        for cast in self.users.get(word, ()):
            if _is_cast(cast) and cast.type is DOUBLE:
                for user in self.users.get(cast, ()):
                    if _is_number_merge(user) and self._goes_on(user):
                        yield user

    def _goes_on(self, merge: Value) -> bool:
        seen, pending = {merge}, [merge]
        while pending:
            for user in self.users.get(pending.pop(), ()):
                if self._is_moved(user):
                    return True
                if _is_number_merge(user) and user not in seen:
                    seen.add(user)
                    pending.append(user)
        return False

    def _is_moved(self, i: ir.Instruction) -> bool:
        """Are these the bits of a number that are stored or merged as an integer?"""
        if not isinstance(i, ir.Cast) or i.op != "bitcast" or i.type is not I64:
            return False
        return any(isinstance(u, ir.Store) or _is_merge(u) or _is_address(u) for u in self.users.get(i, ()))

    def _is_end(self, user: ir.Instruction, word: Value) -> bool:
        match user:
            case ir.Store():
                return user.value is word and not user.ordering and not user.volatile
            case ir.Cast(op="ptrtoint"):
                moves = any(isinstance(u, ir.Store) or _is_merge(u) or _is_cast(u) for u in self.users.get(user, ()))
                return user.type is I64 and moves
            case ir.Cast(op="bitcast") if word.type is DOUBLE:
                return self._is_moved(user)
            case ir.Cast(op="inttoptr" | "bitcast"):
                return _is_cast(user)
            case _:
                return False

    def run(self) -> bool:
        for word in self.words:
            self.rooms[word] = self._room(word)
        for word in self.words:
            match word:
                case ir.Load():
                    self._copy(in_front_of(word), self.rooms[word], word.pointer, word)
                    if word in self.either:
                        self._tell_either(word)
                case ir.Phi():
                    self._merge(word)
                case ir.Freeze():
                    self._put(in_front_of(word), self.rooms[word], word.operands[0], word)
                case ir.Select():
                    self._choose(word)
                case _:
                    pass
        for word in self.words:
            if word.type is I64 and (self.mark or isinstance(word, ir.Phi)):
                self._count_with(word)
        for end, value in self.ends:
            if isinstance(end, ir.Store):
                self._copy(in_front_of(end), end.pointer, self.rooms[value], value)
            else:
                self.read[end] = in_front_of(end).load(end.type, self.rooms[value], 8)
        remove_instructions(self.function, {*(end for end, _ in self.ends), *self._unused()})
        for i in self.function.instructions() if self.read else ():
            i.operands[:] = [self.read.get(operand, operand) for operand in i.operands]
        return bool(self.ends)

    def _room(self, word: Value) -> Value:
        entry = Builder(self.function.entry)
        entry.position = 0
        return entry.alloca(array_type(I8, self.module.layout.store_size(word.type)), None, 8)

    def _tell_either(self, word: ir.Load) -> None:
        """Say by accesses that a room holds numbers and pointers."""
        for type_ in (PTR, DOUBLE):
            in_front_of(word).load(type_, self.rooms[word], 8)

    def _copy(self, builder: Builder, destination: Value, source: Value, word: Value) -> None:
        move = intrinsic(self.module, "memcpy", PTR, PTR, I64)
        size = const_int(I64, self.module.layout.store_size(word.type))
        builder.call(move, [destination, source, size, const_int(I1, 0)])

    def _put(self, builder: Builder, room: Value, source: Value, word: Value) -> None:
        """Fill the room of a word by what it becomes there."""
        source = source if source in self.rooms else _bits_of(source)
        if source in self.rooms:
            self._copy(builder, room, self.rooms[source], word)
        elif not isinstance(source, Undef):
            builder.store(source, room, 8, metadata=self.mark if isinstance(source, ir.Binary) else "")

    def _merge(self, phi: ir.Phi) -> None:
        """Each way in leaves the word in a room of its own: others may still read what the phi was before."""
        coming = self._room(phi)
        for source, operand in dict(zip(phi.blocks, phi.operands, strict=True)).items():
            builder = Builder(source, debug_attachment(phi))
            builder.position = len(source.instructions) - 1
            self._put(builder, coming, operand, phi)
        assert phi.block is not None
        builder = Builder(phi.block, debug_attachment(phi))
        builder.position = sum(1 for _ in phi.block.phis)
        self._copy(builder, self.rooms[phi], coming, phi)

    def _count_with(self, merge: Value) -> None:
        """Have arithmetic read the word where it is done: only there is it an integer (see `changed_words`)."""
        counting = [user for user in self.users.get(merge, ()) if self._computes(user)]
        for user in counting:
            word = in_front_of(user).load(I64, self.rooms[merge], _WORD, metadata=self.mark)
            user.operands[:] = [word if operand is merge else operand for operand in user.operands]
        self.users[merge] = [user for user in self.users.get(merge, ()) if user not in counting]

    def _choose(self, select: ir.Select) -> None:
        builder = in_front_of(select)
        rooms: list[Value] = []
        for operand in select.operands[1:]:
            room = self.rooms.get(operand)
            if room is None:
                room = self._room(select)
                builder.position = _index(select)
                self._put(builder, room, operand, select)
            rooms.append(room)
        chosen = builder.select(select.operands[0], rooms[0], rooms[1])
        self._copy(builder, self.rooms[select], chosen, select)

    def _computes(self, user: ir.Instruction) -> bool:
        return isinstance(user, ir.Binary) or (
            bool(self.mark) and isinstance(user, ir.Cast) and user.op in ("sitofp", "uitofp", "trunc")
        )

    def _unused(self) -> set[Value]:
        """Words that nothing else used, and that no copy is made from or to."""
        gone: set[Value] = {end for end, _ in self.ends}
        accesses = (*(end for end, _ in self.ends), *self.words)
        addresses = {i.pointer for i in accesses if isinstance(i, ir.Load | ir.Store)}
        candidates = set[Value](self.words) - addresses
        while True:
            used = {w for w in candidates if any(u not in gone and u not in candidates for u in self.users.get(w, ()))}
            if not used:
                return candidates
            candidates -= used


def _is_word(operand: Value, words: Collection[Value]) -> bool:
    """Does this bring a word along that may be anything? What meets one where it is read may be a number, too."""
    return operand in words or (_is_merge(operand) and not only_counts(operand)) or _is_move(operand)


def _is_cast(i: Value) -> bool:
    """Is this a word taken for a pointer or number?"""
    if not isinstance(i, ir.Cast) or i.operands[0].type is not I64:
        return False
    return (i.op == "inttoptr" and i.type is PTR) or (i.op == "bitcast" and i.type is DOUBLE)


def _is_address(i: ir.Instruction) -> bool:
    return isinstance(i, ir.Cast) and i.op == "inttoptr"


def _bits_of(word: Value) -> Value:
    """The pointer or number that a word was cast from."""
    while isinstance(word, ir.Cast) and word.op in ("inttoptr", "ptrtoint", "bitcast"):
        if word.operands[0].type not in (*_WORDS, DOUBLE):
            break
        word = word.operands[0]
    return word


def _index(i: ir.Instruction) -> int:
    assert i.block is not None
    return i.block.instructions.index(i)
