"""A module: the text it was parsed from, what was asked of it, and what was changed.

The text is kept whole; `spans` says where each global stands in it. Types and the headers of functions and variables
are objects from the start, bodies, initialisers and metadata become objects when somebody asks. The printer writes the
original text of everything nobody replaced, so the part of a program that is not differentiated costs nothing.
"""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError
from enzyme_build.regex import regex

from .body import parse_body
from .function import Function
from .headers import parse_aliasee, parse_global
from .layout import DataLayout
from .metadata import MetadataNode, parse_node
from .names import global_text, quote, unescape, unquote
from .reader import Reader
from .tables import CallHeads, FunctionTypes, Parameters, Types
from .types import FunctionType, NamedStructType, Type, VectorType, member_type, vector_type
from .values import Argument, Constant, GlobalAlias, GlobalValue, GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_METADATA_LINE: Final = regex(r'^!("[^"]*"|[^\s=]+) = (.*)$', re.MULTILINE)
_NUMBERED: Final = regex(r"!(\d+) = ")
_SMALL: Final = 1_000_000
"""Up to this size all metadata is read at once; beyond it single lines are looked for."""


class Module:
    """See the file's head. Keys of `globals` are plain names, keys of `types` have their `%`."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.source_filename = ""
        self.triple = ""
        self.layout = DataLayout("")
        self.types: dict[str, NamedStructType] = {}
        self.globals: dict[str, GlobalValue] = {}
        self.attribute_groups: dict[str, str] = {}
        """`#5` to the text between its braces; the printer writes these, not the original lines."""
        self.added_metadata: list[str] = []
        self.added_globals: list[str] = []
        self.added_functions: list[str] = []
        self.made_of: dict[str, Function] = {}
        """By the name of an added function: that of the program which it is another form of."""
        self.changed: set[str] = set()
        self.removed: set[str] = set()
        self.spans: dict[str, tuple[int, int]] = {}
        """Where each global stands in `text`."""
        self.bodies: dict[str, tuple[int, int]] = {}
        """Where the text between the braces of each definition stands."""
        self.attribute_spans: list[tuple[int, int]] = []
        self.metadata_start = len(text)
        self.parsed: set[str] = set()
        self.cache: dict[str, object] = {}
        """What readers of metadata found out once (`debug`)."""

        self.type_table = Types(self)
        self.parameter_table = Parameters(self)
        self.call_heads = CallHeads(self)
        self.function_types = FunctionTypes()
        self._by_text: dict[str, GlobalValue] = {}
        self._constants: dict[tuple[Type, str], Constant] = {}
        self._metadata_text: dict[str, str] | None = None
        self._added_definitions: dict[str, str] = {}
        self._metadata_nodes: dict[str, MetadataNode] = {}
        self._next_metadata = -1

    # Types and constants --------------------------------------------------------------------------------------------

    def parse_type(self, text: str) -> Type:
        return self.type_table[text]

    def named_type(self, text: str) -> NamedStructType:
        """The struct `%name`; one not defined yet is opaque until its definition is read."""
        key = "%" + quote(unquote(text[1:])) if text[1:2] == '"' else text
        found = self.types.get(key)
        if found is None:
            found = self.types[key] = NamedStructType(key)
        return found

    def element_type(self, type_: Type, indices: Sequence[int]) -> Type:
        """What `extractvalue` gives."""
        for index in indices:
            type_ = member_type(type_, index)
        return type_

    def shuffle_type(self, vector: Type, mask: Type) -> Type:
        """What `shufflevector` gives: elements of `vector`, as many as `mask` has."""
        if not isinstance(mask, VectorType):
            raise InputError(f"the mask of a shufflevector has type {mask}")
        return vector_type(vector.scalar, mask.count, scalable=mask.scalable)

    def constant(self, type_: Type, text: str) -> Constant:
        """The constant that `text` means for `type_`."""
        key = (type_, text)
        found = self._constants.get(key)
        if found is None:
            reader = Reader(self, text)
            found = reader.constant(type_)
            if reader.word:
                raise reader.error(f"unexpected '{reader.rest()}'")
            self._constants[key] = found
        return found

    # Globals --------------------------------------------------------------------------------------------------------

    def global_by_text(self, text: str) -> GlobalValue:
        """The global written as `text` (`@name`, `@"na me"`)."""
        found = self._by_text.get(text) or self.globals.get(unquote(text[1:]))
        if found is None:
            raise InputError(f"{text} is not defined in the module")
        return found

    def register(self, value: GlobalValue) -> None:
        """Enter a global into the tables."""
        self.globals[value.name] = value
        self._by_text[value.text] = value

    def is_defined(self, name: str) -> bool:
        """Is there a function of this name with a body?"""
        found = self.globals.get(name)
        return isinstance(found, Function) and not found.is_declaration

    def function(self, name: str) -> Function:
        """The function with its body, which is parsed at the first call."""
        found = self.globals.get(name)
        if not isinstance(found, Function):
            raise InputError(f"there is no function @{name} in the module")
        if name in self.bodies and name not in self.parsed:
            self.parsed.add(name)
            first, last = self.bodies[name]
            parse_body(self, found, self.text[first:last])
        return found

    def body_text(self, name: str) -> str:
        """The original body of a definition."""
        first, last = self.bodies.get(name, (0, 0))
        return self.text[first:last]

    @property
    def functions(self) -> list[Function]:
        """All functions, declared and defined; bodies only where they were asked for."""
        return [value for value in self.globals.values() if isinstance(value, Function)]

    def functions_mentioning(self, substring: str) -> list[str]:
        """Names of the definitions whose original body contains `substring`, in the order of the text."""
        names = list(self.bodies)
        if not names:
            return []
        starts = [span[0] for span in self.bodies.values()]
        last = self.bodies[names[-1]][1]
        found: list[str] = []
        place = self.text.find(substring, starts[0], last)
        while place >= 0:
            index = bisect.bisect_right(starts, place) - 1
            after = place + len(substring)
            if index >= 0:
                end = self.bodies[names[index]][1]
                if place < end:
                    found.append(names[index])
                    after = end
            place = self.text.find(substring, after, last)
        return found

    def callers_of(self, name: str) -> list[str]:
        """Names of the definitions that mention `@name` (or a name that begins with it)."""
        return self.functions_mentioning(global_text(name))

    def global_initializer(self, variable: GlobalVariable) -> Constant | None:
        """The initial value, None for external variables."""
        if variable.initializer is None:
            return None
        return self.constant(variable.value_type, variable.initializer)

    # Changes --------------------------------------------------------------------------------------------------------

    def unique_name(self, base: str) -> str:
        """`base`, or `base.1`, `base.2` … where a global has that name already."""
        name = base
        number = 0
        while name in self.globals:
            number += 1
            name = f"{base}.{number}"
        return name

    def declare(self, name: str, type_: FunctionType, suffix: str = "", prefix: str = "") -> Function:
        """The function `name`, declared now if the module does not have it."""
        found = self.globals.get(name)
        if isinstance(found, Function):
            return found
        if found is not None:
            raise InputError(f"@{name} is not a function")
        arguments = [Argument(parameter, None, i) for i, parameter in enumerate(type_.parameters)]
        function = Function(
            name, global_text(name), type_, arguments, prefix=prefix, suffix=suffix, is_declaration=True
        )
        return self.add_function(function)

    def add_function(self, function: Function) -> Function:
        """Add a function that is new to the module."""
        if function.name in self.globals:
            raise InputError(f"the module has a global @{function.name} already")
        self.register(function)
        self.added_functions.append(function.name)
        return function

    def add_global(self, line: str) -> GlobalVariable | GlobalAlias:
        """Add the variable or alias that `line` defines (`@x = internal global double 0.0`)."""
        value = parse_global(self, line)
        if value.name in self.globals:
            raise InputError(f"the module has a global @{value.name} already")
        self.register(value)
        if isinstance(value, GlobalAlias):
            value.aliasee = parse_aliasee(self, value)
        self.added_globals.append(value.name)
        return value

    def replace_function(self, name: str) -> Function:
        """Have the model of `name` printed instead of its original text: call this when changing it."""
        function = self.function(name)
        self.changed.add(name)
        return function

    def remove(self, name: str) -> None:
        """Forget a global; whoever still refers to it is wrong."""
        value = self.globals.pop(name)
        self._by_text.pop(value.text, None)
        self.removed.add(name)
        self.bodies.pop(name, None)
        self.parsed.discard(name)
        self.changed.discard(name)
        for added in (self.added_functions, self.added_globals):
            if name in added:
                added.remove(name)

    def add_attribute_group(self, text: str) -> str:
        """The group with this text between its braces, e.g. `nounwind memory(none)`: `#n`, or empty for no text."""
        text = text.strip()
        if not text:
            return ""
        for reference, known in self.attribute_groups.items():
            if known == text:
                return reference
        number = max((int(reference[1:]) for reference in self.attribute_groups), default=-1) + 1
        self.attribute_groups[f"#{number}"] = text
        return f"#{number}"

    def attributes_of(self, function: Function) -> str:
        """The attributes of a function in words: its groups resolved."""
        return self.attributes_in(function.suffix)

    def attributes_in(self, text: str) -> str:
        """The attributes that a text names, with its groups resolved."""
        return re.sub(r"#\d+", lambda m: self.attribute_groups.get(m[0], ""), text)

    # Metadata -------------------------------------------------------------------------------------------------------

    @property
    def metadata_text(self) -> dict[str, str]:
        """Text after the equals sign by reference (`!5`, `!llvm.ident`), of all metadata."""
        if self._metadata_text is None:
            lines = _METADATA_LINE.finditer(self.text, self.metadata_start)
            self._metadata_text = {f"!{m[1]}": m[2] for m in lines}
            self._metadata_text.update(self._added_definitions)
        return self._metadata_text

    def metadata_definition(self, reference: str) -> str | None:
        """Text after the equals sign of one node, found without reading all of them."""
        added = self._added_definitions.get(reference)
        if added is not None:
            return added
        number = reference[1:]
        if self._metadata_text is None and number.isdigit() and len(self.text) - self.metadata_start > _SMALL:
            found = self._numbered_line(int(number))
            if found is not None:
                return found
        return self.metadata_text.get(reference)

    def _numbered_line(self, number: int) -> str | None:
        """Binary search: LLVM prints numbered nodes in ascending order at the end of the module."""
        text = self.text
        low, high = self.metadata_start, len(text)
        while low < high:
            middle = (low + high) // 2
            start = max(text.rfind("\n", low, middle) + 1, low)
            match = _NUMBERED.match(text, start)
            here = int(match[1]) if match else -1
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            if here == number and match:
                return text[match.end() : end]
            if here < number:
                low = end + 1
            else:
                high = start
        return None

    def metadata_lines(self, word: str) -> Iterator[str]:
        """The lines of metadata with a word in them, in their order; the others, often millions, are passed over."""
        text = self.text
        at = text.find(word, self.metadata_start)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            yield text[text.rfind("\n", 0, at) + 1 : end]
            at = text.find(word, end)

    @property
    def named_metadata(self) -> dict[str, list[str]]:
        """`llvm.module.flags` to the references it lists."""
        result: dict[str, list[str]] = {}
        for match in _METADATA_LINE.finditer(self.text, self.metadata_start):
            if match[1].isdigit():
                break
            result[unescape(match[1])] = re.findall(r"![\w.]+(?:\([^)]*\))?", match[2])
        return result

    def find_node(self, reference: str) -> MetadataNode | None:
        """The node `!5`, None where there is none (`null`, a number …)."""
        found = self._metadata_nodes.get(reference)
        if found is None and reference.startswith("!"):
            text = self.metadata_definition(reference)
            if text is not None:
                found = self._metadata_nodes[reference] = parse_node(text)
        return found

    def metadata_node(self, reference: str) -> MetadataNode:
        """The node `!5`, which must exist."""
        found = self.find_node(reference)
        if found is None:
            raise InputError(f"metadata {reference} is not defined")
        return found

    def add_metadata(self, text: str) -> str:
        """Add a node, e.g. `!{!"name", i32 1}` or `distinct !{!self}`, where `!self` is this one; gives its reference
        `!n`."""
        if self._next_metadata < 0:
            last = _NUMBERED.match(self.text, self.text.rfind("\n!", self.metadata_start) + 1)
            if last and len(self.text) - self.metadata_start > _SMALL:
                self._next_metadata = int(last[1]) + 1
            else:
                numbers = (int(known[1:]) for known in self.metadata_text if known[1:].isdigit())
                self._next_metadata = max(numbers, default=-1) + 1
        reference = f"!{self._next_metadata}"
        self._next_metadata += 1
        text = text.replace("!self", reference)
        self._added_definitions[reference] = text
        if self._metadata_text is not None:
            self._metadata_text[reference] = text
        self.added_metadata.append(f"{reference} = {text}")
        return reference
