"""Tables of a module that fill themselves: what a piece of text means, worked out when it is met first.

Programs repeat the same few types, parameter prefixes and call heads thousands of times; one dictionary look-up
replaces reading them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.errors import InputError

from .cursor import read_call_head
from .reader import Reader
from .types import FunctionType, Type, function_type

if TYPE_CHECKING:
    from .module import Module


class Types(dict[str, Type]):
    """Types by text, read at the first look."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.module = module

    def __missing__(self, text: str) -> Type:
        reader = Reader(self.module, text)
        type_ = reader.type()
        if reader.word:
            raise reader.error(f"'{text}' is no type")
        self[text] = type_
        return type_


class Parameters(dict[str, "tuple[Type, str] | None"]):
    """`double noundef` to its type and attributes; None where it is something else."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.module = module

    def __missing__(self, text: str) -> tuple[Type, str] | None:
        result: tuple[Type, str] | None = None
        try:
            reader = Reader(self.module, text)
            type_ = reader.type()
            attributes = reader.attributes()
            if not reader.word and type_.text != "metadata":
                result = type_, attributes
        except InputError:
            pass
        self[text] = result
        return result


class CallHeads(dict[str, "tuple[str, str, str, Type, FunctionType | None] | None"]):
    """What stands between `call` and the callee, taken apart; None where that needs the general parser."""

    def __init__(self, module: Module) -> None:
        super().__init__()
        self.module = module

    def __missing__(self, text: str) -> tuple[str, str, str, Type, FunctionType | None] | None:
        result = None
        try:
            reader = Reader(self.module, text)
            head = read_call_head(reader)
            result = head if not reader.word else None
        except InputError:
            pass
        self[text] = result
        return result


class FunctionTypes(dict["tuple[Type, ...]", FunctionType]):
    """Function types without varargs by (result, parameters…)."""

    def __missing__(self, key: tuple[Type, ...]) -> FunctionType:
        found = self[key] = function_type(key[0], key[1:])
        return found
