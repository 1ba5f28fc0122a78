"""Decisions of the pass about small functions in LLVM text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.needed import Item, ItemKind, primal, shadow
from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.differentiate.context import Context
from enzyme_build.differentiate.engine import Engine
from enzyme_build.differentiate.options import DifferentiationOptions
from enzyme_build.differentiate.prepare import Prepared
from enzyme_build.ir.parser import parse_module

if TYPE_CHECKING:
    from enzyme_build.differentiate.control_flow import Step
    from enzyme_build.ir.function import Block
    from enzyme_build.ir.values import Value

SHORT = {"const": Activity.CONSTANT, "out": Activity.ACTIVE, "dup": Activity.DUPLICATED}


class Decisions:
    """What is decided about the derivative of `f`; values and blocks by name."""

    def __init__(self, text: str, activities: str, result: str = "out", **request: object) -> None:
        self.module = parse_module(text)
        self.function = self.module.function("f")
        self.engine = Engine(self.module, DifferentiationOptions())
        self.engine.analyse([self.function])
        arguments = tuple(SHORT[word] for word in activities.split())
        mode = request.pop("mode", Mode.COMBINED)
        self.request = Request("f", mode, arguments, SHORT[result], **request)
        self.context = Context(self.engine.facts("f"), self.request)
        self.prepared = Prepared(self.engine, self.context)
        self.plan = self.prepared.plan

    def value(self, name: str) -> Value:
        for argument in self.function.arguments:
            if argument.name == name:
                return argument
        return next(i for i in self.function.instructions() if i.name == name)

    def block(self, name: str) -> Block:
        return next(block for block in self.function.blocks if block.name == name)

    def step(self, name: str) -> Step:
        return self.prepared.reversal.steps[self.block(name)]

    @property
    def kept(self) -> set[str]:
        """Names of what is kept: `x` for values, `x'` for shadows, `edge b`, `count b`, `tape call`."""
        return {_label(item) for item in self.plan.slots}

    @property
    def kept_in_loops(self) -> set[str]:
        return {_label(item) for item, slot in self.plan.slots.items() if slot.loop is not None}

    def decided(self, name: str, *, of_shadow: bool = False) -> str:
        value = self.value(name)
        return self.plan.of(shadow(value) if of_shadow else primal(value)).value


def _label(item: Item) -> str:
    match item.kind:
        case ItemKind.PRIMAL:
            return item.subject.name
        case ItemKind.SHADOW:
            return f"{item.subject.name}'"
        case ItemKind.COUNT:
            return f"count {item.subject.header.name}"
        case _:
            return f"{item.kind.value} {item.subject.name}"
