"""Small functions in LLVM text, with what the analyses say about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.activity import Asked, activity
from enzyme_build.analysis.aliasing import Aliasing
from enzyme_build.analysis.bytetypes import memory_models
from enzyme_build.analysis.callgraph import call_graph
from enzyme_build.analysis.cfg import control_flow
from enzyme_build.analysis.request import Activity
from enzyme_build.ir.parser import parse_module

if TYPE_CHECKING:
    from enzyme_build.analysis.active import ActivityResult
    from enzyme_build.analysis.kinds import Kind
    from enzyme_build.analysis.regions import Place
    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

SHORT = {
    "const": Activity.CONSTANT,
    "out": Activity.ACTIVE,
    "dup": Activity.DUPLICATED,
    "runtime": Activity.RUNTIME,
}


class Model:
    """The function `f` of a text; its values by name."""

    def __init__(self, text: str, name: str = "f") -> None:
        self.module = parse_module(text)
        self.function = self.module.function(name)
        self.graph = call_graph(self.module, [self.function])
        self.memories = memory_models(self.module, self.graph, {self.function})
        self.memories.find_owners()
        self.memory = self.memories[self.function]
        self.cfg = control_flow(self.function)

    def __getitem__(self, name: str) -> Value:
        if name.startswith("@"):
            return self.module.globals[name[1:]]
        for argument in self.function.arguments:
            if argument.name == name:
                return argument
        return next(i for i in self.function.instructions() if i.name == name)

    def place(self, name: str) -> Place:
        found = self.memory.place(self[name])
        assert found is not None
        return found

    def same_region(self, a: str, b: str) -> bool:
        return self.place(a).region is self.place(b).region

    def holds(self, name: str, offset: int = 0) -> tuple[Kind, Type | None]:
        """What the field at `offset` bytes from a pointer holds."""
        place = self.place(name).moved(offset)
        content = place.region.content(place.offset, place.stride)
        return content.kind, content.float_type

    def aliasing(self, overwritten: tuple[bool, ...] = (), **facts: bool) -> Aliasing:
        return Aliasing(self.memory, self.cfg, overwritten, **{"split": False, **facts})

    def survives(self, name: str, overwritten: tuple[bool, ...] = (), **facts: bool) -> bool:
        aliasing = self.aliasing(overwritten, **facts)
        found = aliasing.survives(self[name])
        assert aliasing.fate(self[name]).reason.survives is found
        return found

    def activity(self, arguments: str, result: str = "const", active_globals: tuple[str, ...] = ()) -> ActivityResult:
        kinds = [SHORT[word] for word in arguments.split()]
        asked = Asked(kinds, SHORT[result], [self[g] for g in active_globals])
        return activity(self.memory, self.cfg, asked)
