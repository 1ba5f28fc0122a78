"""What users tell the pass about their functions and variables, as one table.

Told by global variables whose names say what they register (`__enzyme_register_gradient_f[] = {f, augmented_f,
reverse_f}`), or by attributes, which the drivers' prelude header turns into clang's `annotate` and LLVM lists in
`llvm.global.annotations`. Both mean the same and end up in the same place; `annotations_of` reads a module's once.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import RequestError, SourceLocation, UnsupportedError
from enzyme_build.ir.debug import place_of_name, subprogram_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.names import unescape, unquote
from enzyme_build.ir.types import I8, IntType, PointerType
from enzyme_build.ir.values import (
    Constant,
    ConstantAggregate,
    ConstantExpression,
    ConstantInt,
    GlobalAlias,
    GlobalVariable,
    NullPointer,
    Value,
)
from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.rules.inactive import LIBRARY_VARIABLES, VARIABLES
from enzyme_build.rules.memory import Allocation, Deallocation
from enzyme_build.rules.names import crate_function
from enzyme_build.rules.registrations import LISTED
from enzyme_build.rules.registry import like, lookup

from .offsets import scalar_leaves

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from enzyme_build.ir.instructions import CallBase
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import FunctionType, Type

    from .exported import ExportedFunction

_WORD: Final = regex(r'"(enzyme_\w+)"(?:="([^"]*)")?')
_ATTACHED: Final = regex(r"!(enzyme_\w+) (!\d+)")
_TARGET: Final = regex(r'ptr @("[^"]*"|[-\w.$]+)')


@dataclass(slots=True)
class Rule:
    """The user's derivative functions of one function; missing ones are None.

    `tangent` is forward mode, `augmented` and `reverse` are reverse mode; `split_tangent` continues from
    `split_augmented`, or `augmented` where that is missing.
    """

    function: Function
    place: SourceLocation | None = None
    augmented: Function | None = None
    reverse: Function | None = None
    tangent: Function | None = None
    split_augmented: Function | None = None
    split_tangent: Function | None = None
    exported: ExportedFunction | UnsupportedError | None = None
    """Derivatives that were compiled before; or why those that there are cannot be used."""

    def functions(self) -> list[Function]:
        """The derivatives."""
        parts = (self.augmented, self.reverse, self.tangent, self.split_augmented, self.split_tangent)
        return [part for part in parts if part is not None]


@dataclass(slots=True)
class Annotations:
    """Keys are names of functions and variables."""

    rules: dict[str, Rule] = field(default_factory=dict)
    inactive: set[str] = field(default_factory=set)
    inactive_globals: set[str] = field(default_factory=set)
    shadows: dict[str, GlobalVariable] = field(default_factory=dict)
    alike: dict[str, str] = field(default_factory=dict)
    allocators: dict[str, Allocation] = field(default_factory=dict)
    deallocators: dict[str, Deallocation] = field(default_factory=dict)
    free_of_frees: set[str] = field(default_factory=set)
    named_by_metadata: set[str] = field(default_factory=set)
    """Functions that nothing else keeps."""
    told_everywhere: set[str] = field(default_factory=set)
    """Functions whose header tells: by attributes, or by variables in several files."""
    findings: list[RequestError] = field(default_factory=list)

    def overrides(self, name: str) -> bool:
        """Does what was told replace what the function's body says?"""
        known = (self.rules, self.inactive, self.alike, self.allocators, self.deallocators)
        return any(name in table for table in known)

    def kept_as_calls(self) -> set[str]:
        """Functions that must still be called, as they are, when derivatives are made."""
        told = {*self.inactive, *self.alike, *self.allocators, *self.deallocators, *self.rules}
        return told | self.named_by_metadata


def annotations_of(module: Module) -> Annotations:
    """The table of a module."""
    found = module.cache.get("annotations")
    if not isinstance(found, Annotations):
        found = module.cache["annotations"] = _Reader(module).read()
    return found


def use_exported(module: Module, exported: Mapping[str, ExportedFunction | UnsupportedError]) -> None:
    """Have functions without body here differentiated by what was compiled before, unless users told otherwise."""
    table = annotations_of(module)
    for name, found in exported.items():
        function = module.globals.get(name)
        if not isinstance(function, Function) or not function.is_declaration or table.overrides(name):
            continue
        known = isinstance(found, UnsupportedError) and lookup(name, function.function_type) is not None
        if not known:
            table.rules[name] = Rule(function, exported=found)


def named(value: Value | None) -> Function | GlobalVariable | None:
    """The function or variable that a constant means, through casts and aliases."""
    for _ in range(16):
        match value:
            case Function() | GlobalVariable():
                return value
            case GlobalAlias():
                value = value.aliasee
            case ConstantExpression() if value.operands:
                value = value.operands[0]
            case _:
                return None
    return None


class _Reader:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.found = Annotations()
        self.place: SourceLocation | None = None
        self.told = ""
        """What is being read, for messages."""
        self.variables: set[tuple[str, str]] = set()
        """What global variables registered: function and beginning of the variable's name."""

    def read(self) -> Annotations:
        for function in self.module.functions:
            name = crate_function(function.name)
            if name is not None and like(name, function.function_type) is not None:
                self.found.alike[function.name] = name
                self.found.told_everywhere.add(function.name)
        for name, value in list(self.module.globals.items()):
            if not isinstance(value, GlobalVariable):
                continue
            if name == LISTED:
                for entry in _members(self.module.global_initializer(value)):
                    self._attribute(_members(entry))
            elif "__enzyme_" in name:
                self._global(name, value)
            elif VARIABLES.match(name) or (name in LIBRARY_VARIABLES and value.initializer is None):
                self.found.inactive_globals.add(name)
        told = any("enzyme_" in group for group in self.module.attribute_groups.values())
        for function in self.module.functions:
            if told or "enzyme_" in function.suffix:
                self._words(function, self.module.attributes_of(function))
            if "!enzyme_" in function.prefix or "!enzyme_" in function.suffix:
                self._metadata(function, f"{function.prefix} {function.suffix}")
        self._complete()
        return self.found

    # In LLVM's own language ----------------------------------------------------------------------------------------

    def _words(self, function: Function, attributes: str) -> None:
        """Attributes of a function: `"enzyme_inactive"`, `"enzyme_math"="log1p"`."""
        for kind, value in _WORD.findall(attributes):
            self.told, self.place = f'the attribute "{kind}"', self._place_of(function)
            match kind:
                case "enzyme_inactive" | "enzyme_nofree":
                    self._function_attribute(function, kind, "", ())
                case "enzyme_math" | "enzyme_function_like":
                    self._function_attribute(function, "enzyme_function_like", value, ())
                case _:
                    pass

    def _metadata(self, function: Function, header: str) -> None:
        """`!enzyme_gradient !5` where `!5 = !{ptr @reverse_f}`."""
        for kind, reference in _ATTACHED.findall(header):
            self.told, self.place = f"the metadata !{kind} of '{function.name}'", self._place_of(function)
            if kind == "enzyme_inactive":
                self.found.inactive.add(function.name)
                continue
            target = _TARGET.search(self.module.metadata_definition(reference) or "")
            derivative = self.module.globals.get(unquote(target[1])) if target else None
            if isinstance(derivative, Function):
                self.found.named_by_metadata.add(derivative.name)
                self._function_attribute(function, kind, "", (derivative,))
            else:
                self._refuse("names no function", f"write !{kind} !0 with !0 = !{{ptr @derivative}}")

    # By global variables -------------------------------------------------------------------------------------------

    def _global(self, name: str, value: GlobalVariable) -> None:
        readers: list[tuple[str, Callable[[Sequence[Value]], None]]] = [
            ("__enzyme_register_gradient", self._gradient),
            ("__enzyme_register_splitderivative", self._split_derivative),
            ("__enzyme_register_derivative", self._derivative),
            ("__enzyme_inactivefn", self._inactive_functions),
            ("__enzyme_inactive_global", self._inactive_globals),
            ("__enzyme_shadow", self._shadow),
            ("__enzyme_function_like", self._function_like),
            ("__enzyme_allocation_like", self._allocation_like),
            ("__enzyme_nofree", self._no_free),
        ]
        reader = next((reader for prefix, reader in readers if prefix in name), None)
        if reader is None:
            return
        initial = self.module.global_initializer(value)
        members = [initial] if isinstance(initial, Function | GlobalVariable) else _members(initial)
        self.told = f"'{name}'"
        first = named(members[0]) if members else None
        self.place = self._place_of(first) or place_of_name(self.module, name)
        for function in [one for member in members if isinstance(one := named(member), Function)]:
            key = (function.name, reader.__name__)
            if key in self.variables:
                self.found.told_everywhere.add(function.name)
            self.variables.add(key)
        if not members:
            self._refuse("has no constant value")
            return
        reader(members)

    def _place_of(self, value: object) -> SourceLocation | None:
        program = subprogram_of(self.module, value) if isinstance(value, Function) else None
        return program.location if program is not None else None

    def _refuse(self, what: str, expected: str = "") -> None:
        self.found.findings.append(
            RequestError(
                f"{self.told} {what}",
                location=self.place,
                hint=expected or "initialise it with addresses of functions or variables of the program",
                code="E0330",
            )
        )

    def _functions(self, members: Sequence[Value], count: int, form: str) -> list[Function] | None:
        found = [named(member) for member in members]
        functions = [value for value in found if isinstance(value, Function)]
        if len(functions) != len(members) or len(members) != count:
            self._refuse(f"is not a list of {count} functions", f"write {form}")
            return None
        return functions

    def _rule(self, function: Function) -> Rule:
        rule = self.found.rules.setdefault(function.name, Rule(function))
        rule.place = rule.place or self.place
        return rule

    def _only(self, function: Function, before: Sequence[Function | None], now: Sequence[Function]) -> None:
        """A function has one rule; another file may say it again."""
        if any(one is not None and one is not other for one, other in zip(before, now, strict=True)):
            self._refuse(
                f"registers other functions for '{function.name}' than were registered before",
                "register one derivative of each kind for a function",
            )

    def _are_two(self, functions: Sequence[Function], roles: str) -> bool:
        """The first makes the tape that the second takes."""
        if functions[0] is not functions[1]:
            return True
        self._refuse(f"has '{functions[0].name}' for both its {roles}", "write two functions: one cannot be both")
        return False

    def _gradient(self, members: Sequence[Value]) -> None:
        functions = self._functions(members, 3, "{f, augmented_f, reverse_f}")
        if functions is not None and self._are_two(functions[1:], "augmented and reverse function"):
            rule = self._rule(functions[0])
            self._only(functions[0], (rule.augmented, rule.reverse), functions[1:])
            rule.augmented, rule.reverse = functions[1:]

    def _derivative(self, members: Sequence[Value]) -> None:
        functions = self._functions(members, 2, "{f, tangent_f}")
        if functions is not None:
            rule = self._rule(functions[0])
            self._only(functions[0], (rule.tangent,), functions[1:])
            rule.tangent = functions[1]

    def _split_derivative(self, members: Sequence[Value]) -> None:
        functions = self._functions(members, 3, "{f, augmented_f, tangent_f}")
        if functions is not None and self._are_two(functions[1:], "augmented and tangent function"):
            rule = self._rule(functions[0])
            self._only(functions[0], (rule.split_augmented, rule.split_tangent), functions[1:])
            rule.split_augmented, rule.split_tangent = functions[1:]

    def _inactive_functions(self, members: Sequence[Value]) -> None:
        functions = self._functions(members, len(members), "{f, …}")
        self.found.inactive.update(function.name for function in functions or ())

    def _no_free(self, members: Sequence[Value]) -> None:
        functions = self._functions(members, len(members), "{f, …}")
        self.found.free_of_frees.update(function.name for function in functions or ())

    def _variables(self, members: Sequence[Value], form: str) -> list[GlobalVariable]:
        found = [named(member) for member in members]
        if not all(isinstance(value, GlobalVariable) for value in found):
            self._refuse("does not hold addresses of global variables", f"write {form}")
            return []
        return [value for value in found if isinstance(value, GlobalVariable)]

    def _inactive_globals(self, members: Sequence[Value]) -> None:
        self.found.inactive_globals.update(value.name for value in self._variables(members, "&variable, or {&a, &b}"))

    def _shadow(self, members: Sequence[Value]) -> None:
        variables = self._variables(members, "{&variable, &its_shadow}")
        if not variables:
            return
        if len(variables) != 2 or not _are_alike(self.module, *(variable.value_type for variable in variables)):
            self._refuse("is not a variable and its shadow of the same type", "write {&variable, &its_shadow}")
            return
        self.found.shadows[variables[0].name] = variables[1]

    def _function_like(self, members: Sequence[Value]) -> None:
        function, name = (named(members[0]), _text(members[1])) if len(members) == 2 else (None, None)
        if not isinstance(function, Function) or not name:
            self._refuse("is not a function and the name of a known one", 'write {f, "log1p"}')
            return
        self._alike(function, name)

    def _alike(self, function: Function, name: str) -> None:
        if like(name, function.function_type) is None:
            self._refuse(
                f"says that '{function.name}' is like '{name}', which is unknown or has another type",
                "name a function of the mathematical library with the same parameters",
            )
            return
        self.found.alike[function.name] = name

    def _allocation_like(self, members: Sequence[Value]) -> None:
        """{f, which argument is the size, what the deallocator gets, the deallocator}."""
        form = "write {f, (void *)0, \"-1\", free_f}: the size's argument, the deallocator's arguments (-1: the memory)"
        if len(members) == 4:
            allocator, free, words = named(members[0]), named(members[3]), _text(members[2])
            size = _number(members[1])
            given = [word.strip() for word in (words or "-1").split(",")]
            numbers = [int(word) for word in given if word.lstrip("-").isdigit()]
            if isinstance(allocator, Function) and isinstance(free, Function) and size is not None:
                fits = len(numbers) == len(given) and numbers.count(-1) == 1
                if fits and _allocates(allocator.function_type, size) and _frees(allocator, free, numbers):
                    self.found.allocators[allocator.name] = Allocation((size,), free.name, freed_with=tuple(numbers))
                    self.found.deallocators[free.name] = Deallocation(numbers.index(-1))
                    return
        self._refuse("does not describe an allocator", form)

    # By attributes -------------------------------------------------------------------------------------------------

    def _attribute(self, entry: Sequence[Value]) -> None:
        """One line of `llvm.global.annotations`: what it is about, its text, file, line, further arguments."""
        if len(entry) < 4:
            return
        text, about = _text(entry[1]), named(entry[0])
        if text is None or about is None or not text.startswith("enzyme_"):
            return
        line = entry[3].value if isinstance(entry[3], ConstantInt) else 0
        self.place = SourceLocation(_text(entry[2]) or "", line)
        kind, _, known = text.partition("=")
        self.told = f"the attribute {kind}"
        given = self._arguments(entry[4]) if len(entry) > 4 else []
        if isinstance(about, GlobalVariable):
            if kind == "enzyme_inactive":
                self.found.inactive_globals.add(about.name)
            elif kind not in ("enzyme_nofree", "enzyme_shouldrecompute", "enzyme_sparse_accumulate"):
                self._refuse(f"is on the variable '{about.name}'", "it is meant for functions")
            return
        self._function_attribute(about, kind, known, given)

    def _function_attribute(self, function: Function, kind: str, known: str, given: Sequence[Value]) -> None:
        derivative = named(given[0]) if given else None
        self.found.told_everywhere.add(function.name)
        match kind:
            case "enzyme_inactive":
                self.found.inactive.add(function.name)
            case "enzyme_nofree":
                self.found.free_of_frees.add(function.name)
            case "enzyme_function_like":
                known = known or (_text(given[0]) if given else None) or ""
                if known:
                    self._alike(function, known)
                else:
                    self._refuse("names no function", 'write enzyme_function_like("log1p")')
            case "enzyme_shouldrecompute" | "enzyme_sparse_accumulate":
                pass  # they ask for speed, not for another result
            case "enzyme_augment" | "enzyme_gradient" | "enzyme_derivative" | "enzyme_splitderivative":
                if isinstance(derivative, Function):
                    self.attach(function, kind, derivative)
                else:
                    self._refuse("names no function", f'write enzyme("{kind.removeprefix("enzyme_")}", function)')
            case _:
                self._refuse("is unknown", "known are augment, gradient, derivative, splitderivative")

    def attach(self, function: Function, kind: str, derivative: Function) -> None:
        rule = self._rule(function)
        match kind:
            case "enzyme_augment":
                rule.augmented = derivative
            case "enzyme_gradient":
                rule.reverse = derivative
            case "enzyme_derivative":
                rule.tangent = derivative
            case _:
                rule.split_tangent = derivative

    def _arguments(self, value: Value) -> Sequence[Value]:
        variable = named(value)
        return _members(self.module.global_initializer(variable)) if isinstance(variable, GlobalVariable) else ()

    # Together ------------------------------------------------------------------------------------------------------

    def _complete(self) -> None:
        """Half a reverse rule is none: without `augmented_f` the function itself runs in the forward sweep."""
        for rule in self.found.rules.values():
            if rule.augmented is not None and rule.reverse is None and rule.split_tangent is None:
                self.told, self.place = f"the rule of '{rule.function.name}'", rule.place
                self._refuse("has an augmented function, but no gradient", 'add enzyme("gradient", reverse_f)')


def is_inactive_place(call: CallBase) -> bool:
    """Is this the mark that clang leaves of `enzyme_inactive` on a local variable, a parameter or a member?"""
    name = getattr(call.callee, "name", None) or ""
    marks = name.startswith(("llvm.var.annotation", "llvm.ptr.annotation"))
    return marks and _text(call.arguments[1]) == "enzyme_inactive"


def place_of_mark(call: CallBase) -> SourceLocation | None:
    """Where such a mark was written."""
    line = call.arguments[3]
    file = _text(call.arguments[2])
    return SourceLocation(file, line.value) if file and isinstance(line, ConstantInt) else None


def _are_alike(module: Module, a: Type, b: Type) -> bool:
    """Is this one type of the program? Where a variable has an initialiser, clang makes members of the padding."""
    if a is b:
        return True
    layout = module.layout
    told = [{(at, leaf) for _, leaf, at in scalar_leaves(layout, one) if leaf is not I8} for one in (a, b)]
    return layout.alloc_size(a) == layout.alloc_size(b) and told[0] == told[1]


def _text(value: Value) -> str | None:
    """The characters of a C string; None for null."""
    variable = named(value)
    if not isinstance(variable, GlobalVariable) or variable.initializer is None:
        return None
    quoted = re.match(r'c"((?:[^"\\]|\\.)*)"', variable.initializer)
    return unescape(quoted[1]).rstrip("\0") if quoted else None


def _members(value: Value | None) -> Sequence[Value]:
    return value.operands if isinstance(value, ConstantAggregate) else ()


def _number(value: Value) -> int | None:
    """An integer written as a pointer: (void *)1."""
    if isinstance(value, NullPointer) or (isinstance(value, Constant) and value.text == "null"):
        return 0
    if isinstance(value, ConstantExpression) and value.op == "inttoptr" and isinstance(value.operands[0], ConstantInt):
        return value.operands[0].value
    return None


def _allocates(type_: FunctionType, size: int) -> bool:
    """Does such a function return an address, and has it a number of bytes there?"""
    parameters = type_.parameters
    counts = 0 <= size < len(parameters) and isinstance(parameters[size], IntType)
    return counts and isinstance(type_.result, PointerType)


def _frees(allocator: Function, free: Function, numbers: Sequence[int]) -> bool:
    """Does a deallocator take the memory (-1), and what the allocator was given?"""
    given, taken = allocator.function_type.parameters, free.function_type.parameters
    if len(taken) != len(numbers) or any(not -1 <= number < len(given) for number in numbers):
        return False
    return all(
        isinstance(type_, PointerType) if number < 0 else type_ is given[number]
        for number, type_ in zip(numbers, taken, strict=True)
    )
