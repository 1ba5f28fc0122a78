"""Shadows of global variables: their initial values, and what a derivative call clears in them.

Numbers start as zero. A pointer to data starts as a pointer to that data's shadow, so constant tables of pointers have
shadows too. Variables that point at each other get their shadows together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.analysis.memory import pointed_variable
from enzyme_build.analysis.offsets import element_offset, scalar_leaves
from enzyme_build.analysis.request import Mode
from enzyme_build.errors import RequestError, UnsupportedError
from enzyme_build.ir.types import I1, I8, I64, PTR, VOID, PointerType, function_type
from enzyme_build.ir.values import (
    ConstantAggregate,
    ConstantExpression,
    GlobalVariable,
    Value,
    const_int,
    zero,
)
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module

    from .engine import Engine
    from .request_call import RequestCall

_ALIGN = regex(r", align (\d+)")


def alignment(module: Module, variable: GlobalVariable) -> int:
    """The variable's own, which accesses to it and hence to its shadow rely on, and at least its type's."""
    told = [int(number) for number in _ALIGN.findall(variable.raw)]
    return max([module.layout.alignment(variable.value_type), *told])


def pointed_variables(module: Module, variable: GlobalVariable) -> list[GlobalVariable]:
    """Variables that the initial value points into and that may have shadows: those that change, and constants that
    lead to such ones."""
    return [target for target in _pointed(module, variable) if not target.is_constant or _leads_on(module, target)]


def _leads_on(module: Module, constant: GlobalVariable) -> bool:
    """Does a constant point to what is none, directly or not? Constants may point to each other in circles."""
    seen = [constant]
    for member in seen:
        targets = _pointed(module, member)
        if not all(target.is_constant for target in targets):
            return True
        seen += [target for target in targets if target not in seen]
    return False


def _pointed(module: Module, variable: GlobalVariable) -> list[GlobalVariable]:
    if variable.initializer is None or "@" not in variable.initializer:
        return []
    found: dict[GlobalVariable, None] = {}
    pending: list[Value | None] = [module.global_initializer(variable)]
    while pending:
        value = pending.pop()
        if isinstance(value, ConstantAggregate):
            pending.extend(value.operands)
        elif value is not None and isinstance(value.type, PointerType):
            target = pointed_variable(value)
            if target is not None and target.initializer is not None:
                found[target] = None
    return list(found)


def shadowed_together(
    module: Module, variable: GlobalVariable, done: Collection[GlobalVariable]
) -> list[GlobalVariable]:
    """The variable and those without a shadow that its shadow points to, directly or not."""
    found = [variable]
    for member in found:
        found.extend(v for v in pointed_variables(module, member) if v not in found and v not in done)
    return found


def shadow_initializer(module: Module, variable: GlobalVariable, texts: Mapping[GlobalVariable, str]) -> str:
    """The initial value of the shadow; `texts` names the shadows."""
    if pointed_variables(module, variable):
        return _text(module, module.global_initializer(variable), texts)
    text = zero(variable.value_type).text
    return text if text != "none" else "zeroinitializer"


def _text(module: Module, value: Value | None, texts: Mapping[GlobalVariable, str]) -> str:
    assert value is not None
    if isinstance(value, ConstantAggregate):
        members = ", ".join(f"{member.type} {_text(module, member, texts)}" for member in value.operands)
        brackets = value.text.strip()
        opening = 2 if brackets.startswith("<{") else 1
        return f"{brackets[:opening]} {members} {brackets[-opening:]}"
    if isinstance(value.type, PointerType):
        target = pointed_variable(value)
        if target is None or target not in texts:
            return str(value.text)  # type: ignore[attr-defined]
        if isinstance(value, ConstantExpression) and value.op == "getelementptr":
            return f"getelementptr (i8, ptr {texts[target]}, i64 {element_offset(module.layout, value).constant})"
        return texts[target]
    text = zero(value.type).text
    return text if text != "none" else "zeroinitializer"


def clear_shadow(module: Module, builder: Builder, variable: GlobalVariable, shadow: Value) -> None:
    """Zero the numbers of a global's shadow; initial pointers stay."""
    if variable.is_constant:
        return
    if not pointed_variables(module, variable):
        size = const_int(I64, module.layout.alloc_size(variable.value_type))
        memset = module.declare("llvm.memset.p0.i64", function_type(VOID, (PTR, I8, I64, I1)))
        builder.call(memset, [shadow, const_int(I8, 0), size, const_int(I1, 0)])
        return
    for _, type_, offset in scalar_leaves(module.layout, variable.value_type):
        if type_.is_float:
            builder.store(zero(type_), builder.ptradd(shadow, offset))


def compare_shadows(engine: Engine, request: RequestCall) -> None:
    """Refuse tangents of a function that itself changes the registered shadow of a variable that it reads: an inner
    derivative adds its adjoints to what would be the outer one's tangents."""
    if request.mode is not Mode.FORWARD:
        return
    memory = engine.facts(request.primal.name).memory
    for name, own in annotations_of(engine.module).shadows.items():
        variable = engine.module.globals.get(name)
        read = memory.globals.get(variable) if isinstance(variable, GlobalVariable) else None
        used = memory.globals.get(own)
        if read is not None and read.root.reads and used is not None and used.root.writes:
            raise RequestError(
                f"'{request.primal.name}' reads '{name}', and changes the registered shadow of that, '{own.name}', "
                "where the tangents of this derivative are",
                location=request.location,
                hint="take one of the derivatives without the registered shadow, or pass the variable as an argument",
                code="E0347",
            )


class GlobalShadows:
    """The shadows of a module's active global variables: the user's, and those that derivatives make."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.made: dict[tuple[GlobalVariable, int], Value] = {}
        """By variable and lane."""
        self._told: dict[GlobalVariable, Value] = {
            variable: shadow
            for name, shadow in annotations_of(module).shadows.items()
            if isinstance(variable := module.globals.get(name), GlobalVariable)
        }

    def shadow(self, variable: GlobalVariable, lane: int = 0) -> Value:
        """The shadow of an active global: the user's, or one of ours, zeroed at each outermost derivative call."""
        found = self._told.get(variable)
        if found is not None and lane:
            raise UnsupportedError(
                f"the registered shadow of the global variable '{variable.name}' holds one direction only",
                hint="ask for one direction at a time (without enzyme_width)",
                code="E0335",
            )
        found = found or self.made.get((variable, lane))
        if found is not None:
            return found
        if variable.initializer is None:
            raise UnsupportedError(
                f"the global variable '{variable.name}' is active and defined outside of what is linked here",
                hint="link its definition too",
                code="E0150",
            )
        done = {v: shadow for (v, of_lane), shadow in self.made.items() if of_lane == lane}
        group = shadowed_together(self.module, variable, done)
        texts = {v: f'@"{self.module.unique_name(f"enzyme_build.shadow.{v.name}")}"' for v in group}
        texts |= {v: shadow.text for v, shadow in done.items() if isinstance(shadow, GlobalVariable)}
        for member in group:
            thread = "thread_local " if "thread_local" in member.raw.split("global", 1)[0] else ""
            kind = "constant" if member.is_constant else "global"
            align = alignment(self.module, member)
            value = shadow_initializer(self.module, member, texts)
            line = f"{texts[member]} = internal {thread}{kind} {member.value_type} {value}, align {align}"
            self.made[member, lane] = self.module.add_global(line)
        return self.made[variable, lane]
