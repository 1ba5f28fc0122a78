"""From LLVM's text to a `Module`: finds where every top-level entity stands and reads the headers.

Function bodies, initialisers and metadata are only located here; `Module` reads them on demand.
"""

from __future__ import annotations

from typing import Final

from enzyme_build.errors import InputError
from enzyme_build.regex import regex

from .headers import parse_aliasee, parse_global, parse_header
from .layout import DataLayout
from .module import Module
from .names import unescape
from .reader import Reader
from .values import GlobalAlias

_STRING: Final = regex(r'"((?:[^"])*)"')
_TYPE_LINE: Final = regex(r'(%(?:[-\w.$]+|"[^"]*")) = type (.*)')
_GROUP_LINE: Final = regex(r"attributes (#\d+) = \{(.*)\}")
_ENTITIES: Final = ("\ndefine ", "\ndeclare ", "\n@", "\nattributes ", "\n%")


def parse_module(text: str) -> Module:
    """Split `text` into its top-level entities."""
    module = Module(text)
    types: list[tuple[str, str]] = []
    headers: list[tuple[int, int]] = []
    variables: list[tuple[int, int]] = []
    start = 0
    size = len(text)
    while start < size:
        end = text.find("\n", start)
        if end < 0:
            end = size
        after = end + 1
        first = text[start : start + 1]
        if first == "@":
            variables.append((start, end))
        elif first == "%":
            match = _TYPE_LINE.match(text, start)
            if match:
                types.append((match[1], match[2]))
        elif text.startswith("define ", start):
            close = text.find("\n}", end - 1)
            if close < 0:
                raise InputError(f"function without end: {text[start : start + 200]}")
            headers.append((start, end))
            after = close + 3
        elif text.startswith("declare ", start):
            headers.append((start, end))
        elif text.startswith("attributes #", start):
            match = _GROUP_LINE.match(text, start)
            if match:
                module.attribute_groups[match[1]] = match[2].strip()
                module.attribute_spans.append((start, min(after, size)))
        elif first == "!" and not any(text.find(entity, start) >= 0 for entity in _ENTITIES):
            # Only metadata from here on, often most of a module with debug information.
            module.metadata_start = start
            break
        elif text.startswith("target ", start):
            _target(module, text[start:end])
        elif text.startswith("source_filename", start):
            module.source_filename = _quoted(text[start:end])
        if first == "!":
            module.metadata_start = min(module.metadata_start, start)
        start = after
    _fill(module, types, variables, headers)
    return module


def _fill(
    module: Module, types: list[tuple[str, str]], variables: list[tuple[int, int]], headers: list[tuple[int, int]]
) -> None:
    """Make the objects: types first, for everything else mentions them."""
    text = module.text
    for name, _ in types:
        module.named_type(name)
    for name, definition in types:
        if definition != "opaque":
            struct = module.named_type(name)
            struct.packed = definition.startswith("<")
            inner = Reader(module, definition).type()
            struct.fields = getattr(inner, "fields", None)
    aliases: list[GlobalAlias] = []
    for start, end in variables:
        variable = parse_global(module, text[start:end])
        module.register(variable)
        module.spans[variable.name] = (start, min(end + 1, len(text)))
        if isinstance(variable, GlobalAlias):
            aliases.append(variable)
    for start, end in headers:
        function = parse_header(module, text[start:end])
        module.register(function)
        begin = _comment_start(text, start)
        if function.is_declaration:
            module.spans[function.name] = (begin, min(end + 1, len(text)))
        else:
            close = text.find("\n}", end - 1)
            module.spans[function.name] = (begin, min(close + 3, len(text)))
            module.bodies[function.name] = (end + 1, close + 1)
    for alias in aliases:
        alias.aliasee = parse_aliasee(module, alias)


def _comment_start(text: str, start: int) -> int:
    """Where the line `; Function Attrs: …` above a function begins."""
    previous = text.rfind("\n", 0, max(start - 1, 0)) + 1
    return previous if text.startswith("; Function Attrs", previous) else start


def _target(module: Module, line: str) -> None:
    if line.startswith("target triple"):
        module.triple = _quoted(line)
    elif line.startswith("target datalayout"):
        module.layout = DataLayout(_quoted(line))


def _quoted(line: str) -> str:
    match = _STRING.search(line)
    return unescape(match[1]) if match else ""
