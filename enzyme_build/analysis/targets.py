"""Which functions a call through a pointer may reach.

A *table* is a global variable whose initial value holds addresses of functions; a *virtual table* is one made by a C++
compiler, which is only ever read, at constant offsets from its *address points* (Itanium C++ ABI, 2.5), or the table of
type-bound procedures that flang makes for a derived type, which is read from its beginning. The functions whose address
is *taken* are those that some table or some instruction mentions other than to call them.

The answer holds for pointers that come from functions of this module: a pointer made elsewhere (another library) may
reach anything, so whoever relies on the set must check at run time that the pointer is in it.
"""

from __future__ import annotations

import re
from math import gcd
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.legality import convention_of
from enzyme_build.ir.names import unquote
from enzyme_build.ir.types import PTR, VOID, PointerType
from enzyme_build.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantExpression,
    GlobalAlias,
    GlobalVariable,
    InlineAssembly,
    NullPointer,
    Undef,
    Value,
)
from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.rules.libraries import BY_CALLBACK
from enzyme_build.rules.registry import lookup

from .copied import access_name
from .offsets import element_offset, fixed_base

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module

_MENTIONED: Final = regex(r'@("[^"]*+"|[-\w.$]++)(?!\()')
_REQUESTED: Final = regex(
    r"""(__enzyme_(?:autodiff|fwddiff|augment\w+|reverse|batch|fwdsplit)[-\w.$]*+"?\(  # the entry point
    (?:ptr\ [^@\n]*?sret\([^@\n,]*,\ )?  # where its result goes
    ptr\ [^@,\n]*)
    @(?:"[^"]*+"|[-\w.$]++)""",
    re.VERBOSE,
)
"""The function whose derivative is asked for: nobody calls it by that address."""
_MOVED: Final = regex(r"getelementptr [^@\n]*?\([^@\n]*?, ptr @(\"[^\"]*+\"|[-\w.$]++)(?:, i\d+ -?\d+)*\)")
_TYPE: Final = regex(r"!type !(\d+)")
_CLASS: Final = regex(r'"enzyme-class"="([^"]*)"')
_VIRTUAL_TABLES: Final = ("_ZTV", "_ZTC")
_BINDINGS: Final = regex(r"_Q\w*EXvX")  # flang: the type-bound procedures of a derived type
_SAME: Final = ("bitcast", "inttoptr", "ptrtoint")
_DEPTH: Final = 24
_TABLE: Final = "vtable pointer"
"""What clang calls the type of the pointer to an object's table."""
# The control blocks of shared pointers have virtual functions that only their own library calls.
_CONTROL_BLOCK: Final = regex(r"_ZTVN?St(?:3__1)?\d+(__shared_|_Sp_counted_)")
_CONTROL_BLOCK_FILES: Final = ("shared_ptr_base.h", "shared_ptr.h", "shared_count.h", "atomicity.h")


@dataclass(frozen=True, slots=True)
class _Table:
    """The functions of a virtual table by their offset, its address points, and those of each class whose it is."""

    functions: Mapping[int, Function]
    points: frozenset[int]
    classes: Mapping[str, Collection[int]]

    def points_of(self, class_: str | None) -> Collection[int]:
        """Where an object of this class may point. Tables of which nobody says the classes may be of any."""
        return self.points if class_ is None or not self.classes else self.classes.get(class_, ())


class Targets:
    """The functions whose address is taken in a module, found when they are first asked for."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._plain: dict[Function, None] | None = None
        self._idle: dict[str, bool] = {}
        self._inside = False
        """Is the call that is looked at in the library of shared pointers?"""
        self._class: str | None = None
        """The class that the call is made through, where the compiler says it."""
        self._virtual: dict[GlobalVariable, _Table] | None = None

    def of(self, call: ir.CallBase) -> tuple[Function, ...]:
        """Functions of the call's type that its callee may be, and those that do nothing, without those that nothing is
        known about; none for calls by name."""
        if isinstance(call.callee, Function | InlineAssembly):
            return ()
        found: dict[Function, None] = {}
        location = location_of(self.module, call)
        self._inside = location is None or location.file.endswith(_CONTROL_BLOCK_FILES)
        marked = _CLASS.search(self.module.attributes_in(call.function_attributes))
        self._class = marked[1] if marked is not None else None
        self._collect(call.callee, found, set(), _DEPTH)
        return tuple(f for f in found if self._fits(f, call) and self._callable(f))

    def _fits(self, function: Function, call: ir.CallBase) -> bool:
        """Is the function of the call's type and calling convention, or one that does nothing, whatever it is given?
        (Coroutines are resumed by a convention of their own; those that nobody waits for resume one of libstdc++ that
        has no parameters.)"""
        if function.function_type is call.function_type and _same(convention_of(function), call.convention):
            return True
        return call.type is VOID and self.module.is_defined(function.name) and self._is_idle(function.name)

    def _is_idle(self, name: str) -> bool:
        if name not in self._idle:
            lines = self.module.body_text(name).splitlines()
            instructions = [line for line in lines if line.startswith("  ") and not line.lstrip().startswith("#dbg")]
            self._idle[name] = len(instructions) == 1 and instructions[0].startswith("  ret void")
        return self._idle[name]

    def _callable(self, function: Function) -> bool:
        """Is there anything to differentiate, or known about it?"""
        if "noreturn" in self.module.attributes_of(function):
            return False
        known = function.name in BY_CALLBACK or lookup(function.name, function.function_type) is not None
        return known or self.module.is_defined(function.name)

    # Values --------------------------------------------------------------------------------------------------------

    def _collect(self, value: Value, found: dict[Function, None], seen: set[Value], depth: int) -> None:
        """Add what `value` may be."""
        if value in seen:
            return
        seen.add(value)
        match value:
            case Function():
                found[self._real(value)] = None
            case NullPointer() | Undef():
                pass
            case GlobalAlias() if value.aliasee is not None:
                self._collect(value.aliasee, found, seen, depth)
            case ConstantExpression() if value.op in ("bitcast", "addrspacecast", "ptrtoint", "inttoptr"):
                self._collect(value.operands[0], found, seen, depth)
            case ir.Phi() | ir.Select() if depth:
                for operand in value.operands if isinstance(value, ir.Phi) else value.operands[1:]:
                    self._collect(operand, found, seen, depth - 1)
            case ir.Freeze() | ir.Cast() if depth and (isinstance(value, ir.Freeze) or value.op in _SAME):
                self._collect(value.operands[0], found, seen, depth - 1)
            case ir.Load():
                self._loaded(value, found)
            case _:
                found.update(self.plain)

    def _loaded(self, load: ir.Load, found: dict[Function, None]) -> None:
        base, offset, stride = _address(self.module.layout, load.pointer)
        if isinstance(base, GlobalVariable):
            functions = self._table(base)
            if functions or base.is_constant:
                found.update(dict.fromkeys(_at(functions, offset, stride)))
                if base.is_constant:
                    return
        elif not isinstance(base, ir.Alloca):
            for variable, table in self.virtual_tables.items():
                if _CONTROL_BLOCK.match(variable.name) and not self._inside:
                    continue
                for point in table.points_of(self._class):
                    found.update(dict.fromkeys(_at(table.functions, point + offset, stride)))
            if self._class is not None:
                return
            if isinstance(base, ir.Load) and access_name(self.module, base.metadata) == _TABLE:
                return
        found.update(self.plain)

    # The module ----------------------------------------------------------------------------------------------------

    @property
    def plain(self) -> dict[Function, None]:
        """Functions whose address is taken elsewhere than in virtual tables."""
        if self._plain is None:
            self._plain = {}
            for variable in self._variables():
                if not _is_virtual(variable.name) and not variable.name.startswith("llvm."):
                    self._plain.update(dict.fromkeys(self._table(variable).values()))
            self._plain.update(dict.fromkeys(self._mentioned()))
        return self._plain

    @property
    def virtual_tables(self) -> dict[GlobalVariable, _Table]:
        """All of the module."""
        if self._virtual is None:
            moved = self._references()
            self._virtual = {}
            for variable in self._variables():
                if _BINDINGS.match(variable.name):
                    self._virtual[variable] = _Table(self._table(variable), frozenset([0]), {})
                elif variable.name.startswith(_VIRTUAL_TABLES):
                    classes: dict[str, set[int]] = {}
                    for node in _TYPE.findall(variable.raw):
                        offset, identifier = self.module.metadata_node(f"!{node}").operands
                        name = identifier.removeprefix('!"').removesuffix('"')
                        classes.setdefault(name, set()).add(int(offset.split()[-1]))
                    points = frozenset(moved.get(variable.name, set())).union(*classes.values())
                    self._virtual[variable] = _Table(self._table(variable), points, classes)
        return self._virtual

    def _variables(self) -> Iterator[GlobalVariable]:
        for value in list(self.module.globals.values()):
            if isinstance(value, GlobalVariable) and value.initializer is not None and "@" in value.initializer:
                yield value

    def _table(self, variable: GlobalVariable) -> dict[int, Function]:
        if variable.initializer is None or "@" not in variable.initializer:
            return {}
        return dict(_functions(self.module.layout, 0, self.module.global_initializer(variable)))

    def _mentioned(self) -> Iterator[Function]:
        """Functions mentioned in the text of the definitions, but not as what is called."""
        for text in self._bodies():
            for name in dict.fromkeys(_MENTIONED.findall(_REQUESTED.sub(r"\1", text))):
                found = self.module.globals.get(unquote(name))
                if isinstance(found, Function | GlobalAlias):
                    function = self._real(found)
                    if isinstance(function, Function):
                        yield function

    def _references(self) -> dict[str, set[int]]:
        """Constant offsets at which the text refers to globals."""
        result: dict[str, set[int]] = {}
        texts = [*self._bodies(), *(v.initializer or "" for v in self._variables())]
        for text in texts:
            for match in _MOVED.finditer(text):
                name = unquote(match[1])
                if name.startswith(_VIRTUAL_TABLES):
                    value = self.module.constant(PTR, match[0])
                    if isinstance(value, ConstantExpression):
                        result.setdefault(name, set()).add(element_offset(self.module.layout, value).constant)
        return result

    def _bodies(self) -> Iterator[str]:
        spans = list(self.module.bodies.values())
        if spans:
            yield self.module.text[spans[0][0] : spans[-1][1]]

    def _real(self, value: Value) -> Function:
        while isinstance(value, GlobalAlias) and value.aliasee is not None:
            value = value.aliasee
        return value  # type: ignore[return-value]


def functions_among(module: Module, value: Value) -> tuple[Function, ...] | None:
    """The functions that a value is one of, where it is made of nothing but their addresses, or read from a constant
    table of them, as LLVM makes one of a `switch`."""
    found: dict[Function, None] = {}
    return tuple(found) if _chosen(module, value, found, set()) else None


def _chosen(module: Module, value: Value, found: dict[Function, None], seen: set[Value]) -> bool:
    if value in seen:
        return True
    seen.add(value)
    match value:
        case Function():
            found[value] = None
            return True
        case ir.Phi() | ir.Select() | ir.Freeze():
            return all(_chosen(module, operand, found, seen) for operand in ir.merged(value))
        case ir.Load():
            base, offset, stride = _address(module.layout, value.pointer)
            if not isinstance(base, GlobalVariable) or not base.is_constant or base.initializer is None:
                return False
            table = dict(_functions(module.layout, 0, module.global_initializer(base)))
            read = list(_at(table, offset, stride))
            found.update(dict.fromkeys(read))
            return bool(read)
        case _:
            return False


def _same(*conventions: str) -> bool:
    return len({convention.removeprefix("ccc") for convention in conventions}) == 1


def _is_virtual(name: str) -> bool:
    return name.startswith(_VIRTUAL_TABLES) or _BINDINGS.match(name) is not None


def _functions(layout: DataLayout, offset: int, value: Constant | Value | None) -> Iterator[tuple[int, Function]]:
    """The functions in an initial value by their byte offset."""
    if isinstance(value, ConstantAggregate):
        for index, member in enumerate(value.operands):
            if isinstance(member.type, PointerType) or isinstance(member, ConstantAggregate | ConstantExpression):
                yield from _functions(layout, offset + layout.field_offset(value.type, index), member)
        return
    while isinstance(value, GlobalAlias | ConstantExpression):
        value = value.aliasee if isinstance(value, GlobalAlias) else value.operands[0]
    if isinstance(value, Function):
        yield offset, value


def _address(layout: DataLayout, pointer: Value) -> tuple[Value, int, int]:
    """The base that `pointer` is computed from, and its offset from there as `offset` + k·`stride`."""
    offset = stride = 0
    while (isinstance(pointer, ir.GetElementPtr)) or (
        isinstance(pointer, ConstantExpression) and pointer.op == "getelementptr"
    ):
        form = element_offset(layout, pointer)
        offset += form.constant
        for _, scale in form.terms:
            stride = gcd(stride, scale)
        pointer = pointer.operands[0]
    return pointer, offset, stride


def _at(functions: Mapping[int, Function], offset: int, stride: int) -> Iterable[Function]:
    if not stride:
        return [functions[offset]] if offset in functions else []
    return [function for at, function in functions.items() if (at - offset) % stride == 0]


def table_entry(module: Module, call: ir.CallBase) -> tuple[str, int] | None:
    """The class that a virtual call is made through, and where in its tables the function is."""
    marked = _CLASS.search(module.attributes_in(call.function_attributes))
    if marked is None or not isinstance(call.callee, ir.Load):
        return None
    base, offset, stride = _address(module.layout, call.callee.pointer)
    return None if stride or not isinstance(base, ir.Load) else (marked[1], offset)


def reads_table(module: Module, load: ir.Load) -> bool:
    """Is this read from an object's table of virtual functions, where there are addresses and offsets only? Where code
    that is not seen made the object, its shadow has no table."""
    base = fixed_base(module.layout, load.pointer)[0]
    return isinstance(base, ir.Load) and access_name(module, base.metadata) == _TABLE
