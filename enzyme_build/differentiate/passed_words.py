"""Integers that functions are passed or return, and that are pointers, be it by turns, go through memory.

The ABI passes a struct of a tag and a union (a value of an interpreter, an enum) in two registers, the union as an
integer. Such an integer has neither a shadow nor an adjoint. In the model that the pass reads, a function with such a
parameter is another one, which is given the address of a room with the word, or, for what it returns, of a room where
it leaves the word: what lies in memory may be either (see `copied_words`). The program's own functions stay as they
are, for those that call them by their address; where that is a call in a model, the address is compared with what it
may be, and that called by its name (see `known_targets`).

So do pointers that may be numbers (`memcpy` of a `double` into a `void *` that is passed on, or returned).
"""

from __future__ import annotations

from enum import Flag, auto
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.copied import EITHER, access_kind, access_name
from enzyme_build.analysis.kinds import Kind
from enzyme_build.analysis.offsets import member_leaves
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.function import Function, remove_instructions, replace_values, users
from enzyme_build.ir.types import DOUBLE, I64, PTR, VOID, FloatType, IntType, NamedStructType, StructType, function_type
from enzyme_build.ir.values import Argument, Constant, ConstantExpression, ConstantInt, Value, poison, zero
from enzyme_build.records import dataclass

from .changed_words import numbers_in, pointers_in
from .copied_words import STORAGE, copy_to_rooms
from .counted_numbers import counts
from .merged_members import drop_unread, member_of, merge_members
from .metadata import kept_attributes, untagged
from .stored_numbers import is_number

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

_WORD: Final = 8
_ROOM: Final = "noalias captures(none)"

_Path = tuple[int, ...]
_Place = tuple[Value, _Path]
"""A word, or a member of a struct in registers; of a function: what it returns."""


class _Is(Flag):
    """What a word may come from, and become."""

    NOTHING = 0
    FROM_POINTER = auto()
    FROM_NUMBER = auto()
    FROM_ANYTHING = auto()
    FROM_PARTS = auto()
    FROM_COUNT = auto()
    TO_POINTER = auto()
    TO_NUMBER = auto()
    TO_PARTS = auto()
    TO_COUNT = auto()
    TO_ANYTHING = auto()


_SOURCES: Final = _Is.FROM_POINTER | _Is.FROM_NUMBER | _Is.FROM_ANYTHING | _Is.FROM_PARTS
"""What may be a pointer; a count is none."""
_PACKING: Final = frozenset(("or", "and", "xor", "add", "shl", "lshr", "zext", "trunc"))
_ENDS: Final = _Is.TO_POINTER | _Is.TO_NUMBER | _Is.TO_PARTS | _Is.TO_COUNT | _Is.TO_ANYTHING
_COUNT: Final = _Is.FROM_COUNT | _Is.TO_COUNT
_NUMBER: Final = _Is.FROM_NUMBER | _Is.TO_NUMBER
_UNTOLD: Final = _Is.FROM_ANYTHING | _Is.FROM_PARTS
_PARTS: Final = _Is.FROM_PARTS | _Is.TO_PARTS


@dataclass(frozen=True, slots=True)
class _Passed:
    """Which parameters and results of a function go through memory."""

    parameters: tuple[int, ...]
    results: tuple[_Path, ...]
    moved: frozenset[int | _Path]
    """Those of them that hold numbers beside integers: what callers move there unseen are bytes."""
    either: frozenset[int | _Path]
    """Those that are numbers on some ways and counts on others (see `mixed_merges`)."""

    def mark(self, at: int | _Path) -> str:
        """What accesses to the room of a word say."""
        return f"{EITHER} !{{}}" if at in self.either else ""


def pass_words(module: Module, functions: Sequence[Function], fixed: Collection[Function]) -> bool:
    """Have calls among these functions' models pass such words in memory, but for those of `fixed` functions; are there
    any?"""
    told = annotations_of(module)
    types = (I64, PTR) if any(map(_has_numbers_of_pointers, functions)) else (I64,)
    candidates = [
        function for function in functions
        if function not in fixed and _has_words(module, function, types) and not told.overrides(function.name)
    ]  # fmt: skip
    if not candidates and PTR not in types:
        return False
    words = _Words(module, functions, types)
    words.drop_false_tags()
    known = {function: words.passed(function) for function in candidates}
    known = {function: passed for function, passed in known.items() if passed.parameters or passed.results}
    if not known:
        return False
    for function in functions:
        if function in known or any(i.callee in known for i in function.instructions() if isinstance(i, ir.Call)):
            merge_members(module.layout, function)
    rooms: set[Value] = set()
    made = {function: _own(module, function, passed, rooms) for function, passed in known.items()}
    for function in [*(f for f in functions if f not in made), *made.values()]:
        for block in function.blocks:
            for call in [i for i in block.instructions if isinstance(i, ir.Call) and i.callee in made]:
                assert isinstance(call.callee, Function)
                _call(module.layout, function, call, made[call.callee], known[call.callee], rooms)
        stores = (i for i in function.instructions() if isinstance(i, ir.Store) and i.pointer in rooms)
        copy_to_rooms(module, function, [i.value for i in stores if isinstance(i.value, (ir.Load, *ir.MERGES))])
    return bool(made)


class _Words:
    """Where words go, across calls, and what is told of each on the way."""

    def __init__(self, module: Module, functions: Sequence[Function], types: Collection[Type]) -> None:
        self.module = module
        self.functions = set(functions)
        self.types = types
        self.goes: dict[_Place, list[_Place]] = {}
        self.comes: dict[_Place, list[_Place]] = {}
        self.told: dict[_Place, _Is] = {}
        for function in functions:
            for i in function.instructions():
                self._read(function, i)
        self._spread(self.goes, _SOURCES | _Is.FROM_COUNT)
        self._spread(self.comes, _ENDS)

    def passed(self, function: Function) -> _Passed:
        apart = _taken_apart(function)
        words = [a for a in function.arguments if a.type is I64]
        given = [a.index for a in words if self._may_point((a, ())) or self._is_taken_apart(a, apart)]
        counted = {a.index for a in words if self._may_be_either((a, ()))}
        given = sorted({*given, *counted})
        given += [a.index for a in function.arguments if a.type is PTR and self._may_be_number((a, ()))]
        result = function.function_type.result
        members = list(_members(self.module, result))
        mixed = [at for at in members if self._may_be_either((function, at))]
        either: set[int | _Path] = {*counted, *mixed}
        returned = [
            at for at in members if at in mixed or self._may_point((function, at)) or self._has_parts((function, at))
        ]
        if returned or _holds_numbers(self.module, result):
            returned += _members(self.module, result, PTR)  # whose shadows are known before the numbers' adjoints
        elif PTR in self.types:
            returned += [at for at in _members(self.module, result, PTR) if self._may_be_number((function, at))]
        moved: set[int | _Path] = {at for at in given if self._has_parts((function.arguments[at], ()))}
        moved |= {at for at in returned if self._has_parts((function, at))}
        if PTR in self.types:
            moved |= {at for at in given if function.arguments[at].type is PTR}
            moved |= {at for at in returned if self._may_be_number((function, at))}
        return _Passed(tuple(given), tuple(returned), frozenset(moved), frozenset(either))

    def _may_point(self, place: _Place) -> bool:
        """Does a pointer arrive here, or something that becomes one? What is neither when it arrives stays as it is."""
        told = self.told.get(place, _Is.NOTHING)
        return _Is.FROM_POINTER in told or (_Is.TO_POINTER in told and bool(told & _SOURCES))

    def _may_be_either(self, place: _Place) -> bool:
        """Is it a number on some ways and a count on others? What only goes into arithmetic is a hash; bits that are
        counted, and never a number again, are refused for what they are (see `counted_bits`)."""
        told = self.told.get(place, _Is.NOTHING)
        if _Is.FROM_NUMBER in told and _Is.FROM_COUNT in told:
            return _Is.TO_COUNT not in told or _Is.TO_NUMBER in told
        return _Is.TO_NUMBER in told and bool(told & _COUNT)

    def drop_false_tags(self) -> None:
        """What the language says of an access to a `void *` is no claim about what lies there, if that becomes a
        number."""
        for (value, _), told in self.told.items():
            if _Is.TO_NUMBER in told and isinstance(value, ir.Load) and value.type is PTR:
                value.metadata = untagged(value.metadata)

    def _may_be_number(self, place: _Place) -> bool:
        """Does the number of a pointer arrive here, or leave, or what is moved from one `void *` to another? Without
        any of these it is a pointer like any other."""
        told = self.told.get(place, _Is.NOTHING)
        return bool(told & _NUMBER) or (_Is.FROM_ANYTHING in told and _Is.TO_ANYTHING in told)

    def _has_parts(self, place: _Place) -> bool:
        """Are there numbers of four bytes in it, beside other things?"""
        return bool(self.told.get(place, _Is.NOTHING) & _PARTS)

    def _is_taken_apart(self, argument: Argument, apart: Collection[Argument]) -> bool:
        """May numbers be taken out of it? What only moves it need not know what is in it."""
        told = self.told.get((argument, ()), _Is.NOTHING)
        return _Is.TO_PARTS in told or (argument in apart and bool(told & _UNTOLD))

    def _spread(self, ways: Mapping[_Place, Sequence[_Place]], kinds: _Is) -> None:
        pending = [place for place, told in self.told.items() if told & kinds]
        while pending:
            place = pending.pop()
            told = self.told[place] & kinds
            for further in ways.get(place, ()):
                known = self.told.get(further, _Is.NOTHING)
                if told | known != known:
                    self.told[further] = told | known
                    pending.append(further)

    def _tell(self, place: _Place, what: _Is) -> None:
        self.told[place] = self.told.get(place, _Is.NOTHING) | what

    def _comes(self, place: _Place, value: Value, path: _Path = ()) -> None:
        """A word comes from a value, or from a member of it. Constants are many words at once."""
        if not isinstance(value, Constant):
            self.goes.setdefault((value, path), []).append(place)
            self.comes.setdefault(place, []).append((value, path))
        elif _is_pointer(value):
            self._tell(place, _Is.FROM_POINTER)

    def _read(self, function: Function, i: ir.Instruction) -> None:
        match i:
            case ir.Cast(op="ptrtoint") if i.type is I64:
                self._tell((i, ()), _Is.FROM_POINTER)
            case ir.Cast(op="inttoptr") if i.operands[0].type is I64:
                self._tell((i.operands[0], ()), _Is.TO_POINTER)
                if any(numbers_in(i.operands[0])) or is_number(self.module, i.operands[0]):
                    self._tell((i, ()), _Is.FROM_NUMBER)
            case ir.Cast(op="sitofp" | "uitofp"):
                self._counted(i)
            case ir.Cast(op="bitcast") if i.type is DOUBLE:
                self._tell((i.operands[0], ()), _Is.TO_NUMBER)
                for pointer in pointers_in(i.operands[0]):
                    self._tell((pointer, ()), _Is.TO_NUMBER)
            case ir.Cast(op="bitcast") if i.type is I64 and i.operands[0].type is DOUBLE:
                self._tell((i, ()), _Is.FROM_NUMBER)
            case ir.Cast(op="bitcast") if isinstance(i.type, FloatType) and i.type is not DOUBLE:
                for word in _packed(i.operands[0]):
                    if word.type is I64:
                        self._tell((word, ()), _Is.TO_PARTS)
            case ir.Cast(op="zext" | "sext") | ir.Binary() if i.type is I64:
                if counts(i):
                    self._tell((i, ()), _Is.FROM_COUNT)
                    self._counted(i)
                if any(_is_part(self.module, word) for word in _packed(i)):
                    self._tell((i, ()), _Is.FROM_PARTS)
            case ir.Binary() | ir.CallBase() if counts(i):
                if i.type is I64:
                    self._tell((i, ()), _Is.FROM_COUNT)
                self._counted(i)
            case ir.Load() if i.type is I64:
                self._tell((i, ()), self._loaded(i))
            case ir.Load() if i.type in self.types and access_name(self.module, i.metadata) in STORAGE:
                self._tell((i, ()), _Is.FROM_ANYTHING)
            case ir.Store() if i.value.type is PTR and access_name(self.module, i.metadata) in STORAGE:
                self._tell((i.value, ()), _Is.TO_ANYTHING)
            case ir.ExtractValue() if i.type in self.types:
                self._comes((i, ()), i.operands[0], tuple(i.indices))
            case ir.InsertValue():
                for path in self._members(i.type):
                    inserted = path[: len(i.indices)] == tuple(i.indices)
                    source = (i.operands[1], path[len(i.indices) :]) if inserted else (i.operands[0], path)
                    self._comes((i, path), *source)
            case ir.Phi() | ir.Select() | ir.Freeze():
                for path in self._members(i.type):
                    for operand in ir.merged(i):
                        self._comes((i, path), operand, path)
            case ir.Return() if i.operands:
                for path in self._members(i.operands[0].type):
                    self._comes((function, path), i.operands[0], path)
            case ir.Call():
                self._passed(i)
            case _:
                pass

    def _members(self, type_: Type) -> Iterator[_Path]:
        for wanted in self.types:
            yield from _members(self.module, type_, wanted)

    def _counted(self, i: ir.Instruction) -> None:
        """The operands are counts, also where they are the lower halves of words."""
        for operand in i.operands:
            word = operand.operands[0] if isinstance(operand, ir.Cast) and operand.op == "trunc" else operand
            if word.type is I64:
                self._tell((word, ()), _Is.TO_COUNT)

    def _loaded(self, i: ir.Load) -> _Is:
        told = access_kind(self.module, i.metadata, _WORD)
        kinds = {Kind.FLOAT: _Is.FROM_NUMBER, Kind.POINTER: _Is.FROM_POINTER, Kind.INTEGER: _Is.NOTHING}
        return _Is.FROM_ANYTHING if told is None else kinds.get(told[0], _Is.FROM_ANYTHING)

    def _passed(self, call: ir.Call) -> None:
        callee = call.callee
        members = self._members(call.type)
        if not isinstance(callee, Function) or callee not in self.functions:
            for path in members:
                self._tell((call, path), _Is.FROM_ANYTHING)
            return
        for own, given in zip(callee.arguments, call.arguments, strict=False):
            if own.type in self.types and given.type is own.type:
                self._comes((own, ()), given)
        for path in members:
            self.goes.setdefault((callee, path), []).append((call, path))
            self.comes.setdefault((call, path), []).append((callee, path))


def _is_pointer(value: Value) -> bool:
    return isinstance(value, ConstantExpression) and value.op == "ptrtoint" and value.type is I64


def _taken_apart(function: Function) -> set[Argument]:
    """The words that are structs of smaller integers at least, as far as they are used."""
    if not any(a.type is I64 for a in function.arguments):
        return set()
    read = users(function)

    def is_part(user: ir.Instruction) -> bool:
        if not isinstance(user, ir.Binary):
            return isinstance(user, ir.Cast) and user.op == "trunc"
        shifted = user.op == "lshr" and isinstance(user.operands[1], ConstantInt)
        return shifted and all(map(is_part, read.get(user, ())))

    words = [a for a in function.arguments if a.type is I64 and a in read]
    return {a for a in words if all(map(is_part, read[a]))}


def _packed(word: Value) -> Iterator[Value]:
    """What an integer is put together of, or a part of."""
    seen: set[Value] = set()
    pending = [word]
    while pending:
        at = pending.pop()
        if at in seen or isinstance(at, Constant):
            continue
        seen.add(at)
        if (isinstance(at, ir.Binary) and at.op in _PACKING) or (
            isinstance(at, ir.Cast) and at.op in {"zext", "trunc"}
        ):
            pending += at.operands
        else:
            yield at


def _is_part(module: Module, word: Value) -> bool:
    """Is this a number of less than eight bytes, as an integer?"""
    if isinstance(word, ir.Load) and isinstance(word.type, IntType) and word.type.bits < I64.bits:
        told = access_kind(module, word.metadata, word.type.bits // 8)
        return told is not None and told[0] is Kind.FLOAT
    if not isinstance(word, ir.Cast) or word.op != "bitcast":
        return False
    return isinstance(word.operands[0].type, FloatType) and word.operands[0].type is not DOUBLE


def _has_numbers_of_pointers(function: Function) -> bool:
    """Are there numbers made of pointers here, or pointers of numbers?"""
    for i in function.instructions():
        if isinstance(i, ir.Cast) and (
            (i.op == "bitcast" and i.type is DOUBLE and any(pointers_in(i.operands[0])))
            or (i.op == "inttoptr" and any(numbers_in(i.operands[0])))
        ):
            return True
    return False


def _has_words(module: Module, function: Function, types: Collection[Type]) -> bool:
    """Is this a function of the program as it was, or a form of one, with integers as wide as pointers, or others of
    these types?"""
    of_program = function.name in module.bodies and function.name not in module.changed
    if not (of_program or function.name in module.made_of) or function.function_type.variadic:
        return False
    result = function.function_type.result
    returned = [at for wanted in types for at in _members(module, result, wanted)]
    if not returned and _holds_numbers(module, result):
        returned = [*_members(module, result, PTR)]
    return bool(returned) or any(a.type in types for a in function.arguments)


def _members(module: Module, type_: Type, wanted: Type = I64) -> Iterator[_Path]:
    """The words of a type in registers, or its pointers."""
    for path, leaf, _ in member_leaves(module.layout, type_) if type_ is not VOID else ():
        if leaf is wanted:
            yield path


def _holds_numbers(module: Module, type_: Type) -> bool:
    if not isinstance(type_, StructType | NamedStructType):
        return False
    return any(isinstance(leaf.scalar, FloatType) for _, leaf, _ in member_leaves(module.layout, type_))


def _own(module: Module, function: Function, passed: _Passed, moved: set[Value]) -> Function:
    """The function with its body, whose words come and go through memory."""
    name = module.unique_name(f"enzyme_build.words.{function.name}")
    arguments: list[Argument] = []
    for a in function.arguments:
        in_room = a.index in passed.parameters
        new = Argument(PTR if in_room else a.type, a.name, a.index, f"{_ROOM} readonly" if in_room else a.attributes)
        arguments.append(new)
    for number, path in enumerate(passed.results):
        arguments.append(Argument(PTR, f"word{number}", len(arguments), _ROOM))
        if path in passed.moved:
            moved.add(arguments[-1])
    type_ = function_type(function.function_type.result, tuple(a.type for a in arguments))
    suffix = kept_attributes(module, function)
    new_function = Function(name, f'@"{name}"', type_, arguments, prefix="internal", suffix=suffix)
    module.add_function(new_function)
    module.made_of[name] = module.made_of.get(function.name, function)
    for block in function.blocks:
        new_function.add_block(block)
    function.blocks = []
    if function.name in module.bodies:
        module.parsed.discard(function.name)
    else:
        module.remove(function.name)
    entry = Builder(new_function.entry)
    entry.position = 0
    replaced: dict[Value, Value] = {
        a: entry.load(a.type, own, _WORD, metadata=passed.mark(a.index)) if a.index in passed.parameters else own
        for a, own in zip(function.arguments, arguments, strict=False)
    }
    replace_values(new_function, replaced)
    rooms = arguments[len(function.arguments) :]
    for block in new_function.blocks:
        end = block.terminator
        if isinstance(end, ir.Return):
            for path, room in zip(passed.results, rooms, strict=True):
                _leave(module.layout, end, path, (room, passed.mark(path)))
    drop_unread(new_function)
    return new_function


def _leave(layout: DataLayout, end: ir.Return, path: _Path, to: tuple[Value, str]) -> None:
    """Store a word that is returned, and return nothing in its place."""
    room, mark = to
    builder = in_front_of(end)
    returned = end.operands[0]
    if not path:
        builder.store(returned, room, _WORD, metadata=mark)
        end.operands[0] = zero(returned.type)
        return
    member = member_of(returned, path) or builder.extract_value(returned, path)
    builder.store(member, room, _WORD, metadata=mark)
    others = [at for at, _, _ in member_leaves(layout, returned.type) if at != path]
    rest: Value = builder.insert_value(poison(returned.type), zero(member.type), path)
    for at in others:
        rest = builder.insert_value(rest, member_of(returned, at) or builder.extract_value(returned, at), at)
    end.operands[0] = rest


def _call(  # noqa: PLR0913, PLR0917
    layout: DataLayout, caller: Function, call: ir.Call, callee: Function, passed: _Passed, moved: set[Value]
) -> None:
    entry = Builder(caller.entry)
    entry.position = 0
    builder = in_front_of(call)
    arguments = list(call.arguments)
    for number in passed.parameters:
        room = entry.alloca(arguments[number].type, None, _WORD)
        builder = in_front_of(call)
        builder.store(arguments[number], room, _WORD, metadata=passed.mark(number))
        arguments[number] = room
        if number in passed.moved:
            moved.add(room)
    types = {path: type_ for path, type_, _ in member_leaves(layout, call.type)} if passed.results else {}
    rooms = [entry.alloca(types[path], None, _WORD) for path in passed.results]
    builder = in_front_of(call)
    new = builder.call(callee, [*arguments, *rooms])
    new.name = call.name
    replaced: dict[Value, Value] = {call: new}
    read = users(caller)
    whole: Value = new
    for path, room in zip(passed.results, rooms, strict=True):
        word = builder.load(types[path], room, _WORD, metadata=passed.mark(path))
        if not path:
            replaced[call] = word
            continue
        for user in read.get(call, ()):
            if isinstance(user, ir.ExtractValue) and tuple(user.indices) == path:
                replaced[user] = word
            elif isinstance(user, ir.ExtractValue) and not any(_overlap(user.indices, at) for at in passed.results):
                user.operands[0] = new
        whole = builder.insert_value(whole, word, path)
        replaced[call] = whole
    assert call.block is not None
    call.block.instructions.remove(call)
    replace_values(caller, replaced)
    drop_unread(caller)


def _overlap(a: Sequence[int], b: Sequence[int]) -> bool:
    shorter = min(len(a), len(b))
    return tuple(a[:shorter]) == tuple(b[:shorter])


def integers_for_moves(function: Function) -> None:
    """Integers that a function is given and only stores as pointers are stored as they are: the optimiser keeps members
    of several variants of an enum in one register. Where they are pointers, callers tell (see `pass_words`)."""
    if not any(a.type is I64 for a in function.arguments):
        return
    casts = [
        i for i in function.instructions()
        if isinstance(i, ir.Cast) and i.op == "inttoptr" and i.type is PTR
        and isinstance(i.operands[0], Argument) and i.operands[0].type is I64
    ]  # fmt: skip
    read = users(function) if casts else {}
    gone: set[Value] = set()
    for i in casts:
        stores = [user for user in read.get(i, ()) if isinstance(user, ir.Store) and user.pointer is not i]
        if len(stores) == len(read.get(i, ())) and not any(store.ordering or store.volatile for store in stores):
            for store in stores:
                store.operands[0] = i.operands[0]
            gone.add(i)
    remove_instructions(function, gone)
