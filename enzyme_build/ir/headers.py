"""Lines outside function bodies: variables, aliases, and the headers of functions.

A header is kept as text around what the model needs: names, types, the attributes of each parameter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError
from enzyme_build.regex import regex

from .function import Function
from .names import unquote
from .reader import Reader
from .types import Type, function_type, pointer_type
from .values import Argument, GlobalAlias, GlobalVariable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .module import Module
    from .values import Constant

type_head: Final = regex(r'%(?:[-\w.$]+|"[^"]*")|\w+(?: addrspace\(\d+\))?|(?=[\[{<])')
_BRACKET: Final = regex(r'[\[\]{}<>]|"[^"]*"')
_PROPERTIES: Final = regex(
    r'(?:, (?:(?:section|partition|code_model) "[^"]*"|comdat(?:\(\$[^)]*\))?|align \d+|sanitize_\w+|no_sanitize_\w+'
    r"|![\w.]+ !\d+|#\d+))*$"
)
_EXTERNAL: Final = frozenset(("external", "extern_weak"))


def type_end(text: str, start: int) -> int:
    """Where the type that begins at `start` ends."""
    match = type_head.match(text, start)
    if match is None:
        raise InputError(f"expected a type at '{text[start : start + 60]}'")
    if match.end() > start:
        return match.end()
    depth = 0
    for bracket in _BRACKET.finditer(text, start):
        if bracket[0] in "[{<":
            depth += 1
        elif bracket[0] in "]}>":
            depth -= 1
            if depth == 0:
                return bracket.end()
    raise InputError(f"unfinished type at '{text[start : start + 60]}'")


_GLOBAL_HEAD: Final = regex(
    r'(@(?:[-\w.$]+|"[^"]*")) = ((?:(?!(?:global|constant|alias|ifunc)\b)[^"=]|"[^"]*")*?)'
    r"\b(global|constant|alias|ifunc) "
)
_SPACE: Final = regex(r"addrspace\((\d+)\)")


def parse_global(module: Module, line: str) -> GlobalVariable | GlobalAlias:
    """A variable, alias or ifunc from its line."""
    match = _GLOBAL_HEAD.match(line)
    if match is None:
        raise InputError(f"cannot read global: {line[:200]}")
    text, head, kind = match.groups()
    name = unquote(text[1:])
    linkage = head.split(" ", 1)[0]
    space = _SPACE.search(head)
    pointer = pointer_type(int(space[1]) if space else 0)
    start = match.end()
    if kind in ("alias", "ifunc"):
        # What it stands for may be defined further down: `parse_aliasee` is for later.
        return GlobalAlias(pointer, text, name, linkage=linkage, aliasee=None, raw=line)
    end = type_end(line, start)
    value_type = module.type_table[line[start:end]]
    initializer: str | None = None
    if linkage not in _EXTERNAL:
        window = max(end, len(line) - 2000)
        properties = _PROPERTIES.search(line, window)
        initializer = line[end : properties.start() if properties else len(line)].strip()
    return GlobalVariable(
        pointer,
        text,
        name,
        value_type,
        is_constant=kind == "constant",
        linkage=linkage,
        initializer=initializer,
        raw=line,
    )


def parse_aliasee(module: Module, alias: GlobalAlias) -> Constant:
    """What an alias or ifunc stands for, from its line."""
    match = _GLOBAL_HEAD.match(alias.raw)
    if match is None:
        raise InputError(f"cannot read global: {alias.raw[:200]}")
    reader = Reader(module, alias.raw[match.end() :])
    reader.type()
    reader.expect(",")
    # A constant expression here has no type in front of it; its own result is a pointer.
    return reader.typed_constant() if reader.starts_type() else reader.constant(alias.type)


_FUNCTION_HEAD: Final = regex(r'(?:define|declare) ((?:[^@"]|"[^"]*")*)(@(?:[-\w.$]+|"[^"]*"))\(')
_PARENTHESIS: Final = regex(r'[()]|"[^"]*"')
_IN_LIST: Final = regex(r'[(){}]|, |"[^"]*"')


def _parts(listed: str) -> Iterator[str]:
    """What commas separate that are not in brackets."""
    depth = start = 0
    for token in _IN_LIST.finditer(listed):
        if token[0] in "({":
            depth += 1
        elif token[0] in ")}":
            depth -= 1
        elif token[0] == ", " and not depth:
            yield listed[start : token.start()]
            start = token.end()
    if listed:
        yield listed[start:]


def parse_header(module: Module, line: str) -> Function:
    """A function without its body from the line that defines or declares it."""
    match = _FUNCTION_HEAD.match(line)
    if match is None:
        raise InputError(f"cannot read function: {line[:200]}")
    head, text = match.groups()
    start = match.end()
    end = _closing(line, start)
    prefix, result, space = _split_head(module, head)
    parameters: list[Type] = []
    arguments: list[Argument] = []
    variadic = False
    listed = line[start:end]
    defined = line.startswith("define")
    for part in _parts(listed):
        if part == "...":
            variadic = True
            continue
        name: str | None = None
        parameter = part
        if defined:
            parameter, local = _split_name(part)
            name = None if local[1:2].isdigit() or not local else unquote(local[1:])
        known = module.parameter_table[parameter] or (module.type_table[parameter], "")
        arguments.append(Argument(known[0], name, len(arguments), known[1]))
        parameters.append(known[0])
    return Function(
        unquote(text[1:]),
        text,
        function_type(result, tuple(parameters), variadic=variadic),
        arguments,
        prefix=prefix,
        suffix=line[end + 1 :].removesuffix("{").strip(),
        is_declaration=not defined,
        address_type=pointer_type(space),
    )


def _closing(text: str, start: int) -> int:
    """The index of the parenthesis that closes the one before `start`."""
    depth = 1
    for match in _PARENTHESIS.finditer(text, start):
        if match[0] == "(":
            depth += 1
        elif match[0] == ")":
            depth -= 1
            if depth == 0:
                return match.start()
    raise InputError(f"missing ')' in: {text[:200]}")


_LOCAL_AT_END: Final = regex(r' (%(?:[-\w.$]+|"[^"]*"))$')


def _split_name(parameter: str) -> tuple[str, str]:
    """`double noundef %x` to (`double noundef`, `%x`)."""
    match = _LOCAL_AT_END.search(parameter)
    return (parameter[: match.start()], match[1]) if match else (parameter, "")


def _split_head(module: Module, head: str) -> tuple[str, Type, int]:
    """What stands before a function's name: the words before the result type, that type, the address space."""
    reader = Reader(module, head.strip())
    while not reader.starts_type():
        word = reader.next()
        if word == "":
            raise reader.error("a function without result type")
        if reader.accept("("):
            reader.skip_balanced()
    prefix = reader.slice(0, reader.at)
    result = reader.type()
    return prefix, result, reader.address_space()
