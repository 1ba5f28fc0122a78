"""Functions that call what they are given get a form of their own for each function, or table, that they are given.

A driver (an integrator, a search, a walk over a list) takes a callback and the address of its data, of whatever type
that is. For analyses that do not tell calls of one function apart, the data of all callbacks would be one memory, of
several types. In the model that the pass reads, a call that names the callback goes to a form of the driver in which
the callback is called by its name. The program's own functions stay as they are.

Compare "function specialization" in LLVM (`FunctionSpecialization.cpp`), which does it where it pays at run time.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.offsets import fixed_base
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.body import parse_body
from enzyme_build.ir.function import Function, replace_values
from enzyme_build.ir.names import global_text
from enzyme_build.ir.values import Argument, GlobalValue, GlobalVariable
from enzyme_build.regex import regex

from .metadata import kept_attributes

if TYPE_CHECKING:
    from collections.abc import Collection

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    _Given = tuple[tuple[int, GlobalValue], ...]

_MOST: Final = 8
"""Forms of one function; where more callbacks are given, their data is one memory."""
_CONVENTION: Final = regex(r"\b(?:\w*cc|cc \d+)\b")
_NAME: Final = r'@(?:"[^"]*+"|[-\w.$]++)'


class Callbacks:
    """The forms of a module's functions that were made."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._forms: dict[tuple[Function, _Given], Function] = {}
        self._called: dict[Function, frozenset[int]] = {}
        self._several: dict[Function, bool] = {}

    def call_forms(self, function: Function, fixed: Collection[Function]) -> None:
        """Have calls in a function's model that name callbacks call forms for these; not of the `fixed` functions."""
        for call in [i for i in function.instructions() if isinstance(i, ir.Call)]:
            callee = call.callee
            if not isinstance(callee, Function) or callee in fixed or not self._may_have_forms(callee):
                continue
            if call.function_type is not callee.function_type:
                continue
            named = [(at, found) for at, a in enumerate(call.arguments) if (found := self._callback(a)) is not None]
            given = tuple((at, a) for at, a in named if at in self._called_parameters(callee))
            if given and (function in self._forms.values() or self._has_others(callee)):
                call.operands[-1] = self._form(callee, given)

    def _may_have_forms(self, callee: Function) -> bool:
        name = callee.name
        if name not in self.module.bodies or name in self.module.changed or callee.function_type.variadic:
            return False
        return not annotations_of(self.module).overrides(name)

    def _callback(self, value: Value) -> GlobalValue | None:
        """A function, or a constant table of some."""
        if isinstance(value, Function):
            return value if self.module.is_defined(value.name) else None
        if isinstance(value, GlobalVariable) and value.is_constant and "@" in (value.initializer or ""):
            return value
        return None

    def _called_parameters(self, function: Function) -> frozenset[int]:
        """The parameters that are called, or given to a function that calls them."""
        found = self._called.get(function)
        if found is None:
            self._called[function] = frozenset()
            scratch = self._parsed(function, function.name, "")
            called: set[int] = set()
            for call in (i for i in scratch.instructions() if isinstance(i, ir.CallBase)):
                callee = call.callee
                if isinstance(callee, ir.Load):
                    callee, _ = fixed_base(self.module.layout, callee.pointer)
                if isinstance(callee, Argument):
                    called.add(callee.index)
                    continue
                if not isinstance(callee, Function) or not self._may_have_forms(callee):
                    continue
                passed = [(at, a.index) for at, a in enumerate(call.arguments) if isinstance(a, Argument)]
                inner = self._called_parameters(callee) if passed else frozenset()
                called.update(index for at, index in passed if at in inner)
            found = self._called[function] = frozenset(called)
        return found

    def _has_others(self, callee: Function) -> bool:
        """Do calls in the program name several callbacks, but not too many?"""
        if callee not in self._several:
            self._several[callee] = 1 < len(self._named(callee)) <= _MOST
        return self._several[callee]

    def _named(self, callee: Function) -> list[str]:
        text = global_text(callee.name)
        calls = re.compile(rf"{re.escape(text)}\(([^\n]*)")
        named: set[str] = set()
        for caller in self.module.callers_of(callee.name):
            for arguments in calls.findall(self.module.body_text(caller)):
                named.update(re.findall(rf"ptr [^@,]*({_NAME})", arguments))
        return [name for name in named if self._callback(self.module.global_by_text(name)) is not None]

    def _form(self, callee: Function, given: _Given) -> Function:
        found = self._forms.get((callee, given))
        if found is None:
            name = self.module.unique_name(f"enzyme_build.for.{callee.name}")
            found = self._forms[callee, given] = self._parsed(callee, name, kept_attributes(self.module, callee))
            self.module.add_function(found)
            self.module.made_of[name] = callee
            replace_values(found, {found.arguments[at]: callback for at, callback in given})
        return found

    def _parsed(self, function: Function, name: str, suffix: str) -> Function:
        """The function of the program, as it was, by another name."""
        arguments = [Argument(a.type, a.name, a.index, a.attributes) for a in function.arguments]
        prefix = " ".join(["internal", *_CONVENTION.findall(function.prefix)])
        form = Function(name, global_text(name), function.function_type, arguments, prefix=prefix, suffix=suffix)
        parse_body(self.module, form, self.module.body_text(function.name))
        return form
