"""The mini-language of signatures: `energy(x[n], n, k)`, `step(in x[n, 3], out y[n, 3], const mass[n])`.

    signature := name '(' [argument {',' argument}] ')' ['->' type]
    name      := identifier {'::' identifier}, or a name of C++ (`naming.py`), perhaps with the types of an overload
    argument  := {'in' | 'out' | 'inout' | 'const' | 'C' | 'F'} identifier ['[' axis {',' axis} ']'] [':' type]
    axis      := dimension ['stride' identifier]
    dimension := sum of products of whole numbers, names and parentheses

Brackets mean a pointer to that many elements; `x[]` is a pointer to one element. Without brackets an argument is passed
by value. The last axis of an array is the fastest (`C`), in Fortran the first (`F`), unless the argument says which.
`const` takes an argument out of the derivative. Types are only needed where the source has no debug information. What
the language says is checked against the function later (`interface.py`).
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from . import dtypes
from .dimension import Dimension, Name, Number, Operation
from .naming import take_apart, without_template_arguments

if TYPE_CHECKING:
    from .dtypes import DType

_NAME: Final = r"[A-Za-z_]\w*(?:[.$]\w+)*"
"""Some compilers put points into symbols."""
_LONGEST: Final = 2**63 - 1
_TOKEN: Final = regex(rf"\s*(?:(?P<name>{_NAME})|(?P<number>\d+)|(?P<mark>::|->|[][(),:+*/-]))")


class Intent(Enum):
    """What a function does with the memory of an argument, as Fortran says it."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"


class Order(Enum):
    """How an array lies in memory; the value is NumPy's name for it."""

    C = "C"
    """The last axis is the fastest."""
    F = "F"
    """The first axis is the fastest."""

    @property
    def language(self) -> str:
        return "Fortran" if self is Order.F else "C"


_INTENTS: Final = {intent.value: intent for intent in Intent}
_ORDERS: Final = {order.value: order for order in Order}
_STRIDE: Final = "stride"


@dataclass(frozen=True)
class Declared:
    """One argument as the signature declares it; what it leaves open is None."""

    name: str
    shape: tuple[Dimension, ...] | None = None
    """None: passed by value; empty: pointer to one element."""
    intent: Intent | None = None
    constant: bool = False
    dtype: DType | None = None
    order: Order | None = None
    strides: tuple[str | None, ...] = ()
    """For each axis the argument that says how many elements lie from one index to the next; None: axes are dense."""


@dataclass(frozen=True)
class Signature:
    """A function as its author describes it; `arguments` is None where only a name was given."""

    name: str
    arguments: tuple[Declared, ...] | None = None
    result: DType | None = None
    overload: str | None = None
    """The types that tell which of several functions of the name it is."""
    listed: str = field(default="", compare=False)
    """The arguments as they are written: they may be types after all."""

    @property
    def base_name(self) -> str:
        """The name without namespaces, as an identifier."""
        return re.sub(r"\W+", "_", without_template_arguments(self.name).rpartition("::")[2])


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    start: int


def parse_signature(text: str) -> Signature:
    """Read a signature, or only the name of a function."""
    named = take_apart(text)
    if named is None:
        found = _Parser(text).signature()
        start, end = text.find("("), text.rfind(")")
        return replace(found, listed=text[start + 1 : end] if 0 <= start < end else "")
    return replace(_Parser(text, named.rest).signature(), name=named.name, overload=named.overload)


class _Parser:
    def __init__(self, text: str, read: int = 0) -> None:
        self.text = text
        self.tokens = self._tokens(read)
        self.at = 0

    def _tokens(self, read: int) -> list[_Token]:
        """Those behind what is `read` already, which is one name."""
        tokens, position, end = [_Token("name", "", 0)] if read else [], read, len(self.text.rstrip())
        while position < end:
            match = _TOKEN.match(self.text, position)
            if match is None or match.lastgroup is None:
                at = position + len(self.text[position:]) - len(self.text[position:].lstrip())
                raise self._error(f"unexpected '{self.text[at]}'", at)
            tokens.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            position = match.end()
        tokens.append(_Token("end", "", end))
        return tokens

    def _error(self, message: str, start: int) -> ConfigError:
        return ConfigError(
            f"in the signature: {message}",
            notes=(self.text, " " * start + "^"),
            hint="a signature looks like 'energy(x[n], n, k)' or 'step(x[n], out y[n])'",
        )

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def _take(self, text: str) -> bool:
        if self.token.text != text or self.token.kind == "end":
            return False
        self.at += 1
        return True

    def _expect(self, text: str, where: str) -> None:
        if not self._take(text):
            raise self._error(f"expected '{text}' {where}, got {self._got()}", self.token.start)

    def _got(self) -> str:
        return "the end" if self.token.kind == "end" else f"'{self.token.text}'"

    def _identifier(self, what: str) -> str:
        if self.token.kind != "name":
            raise self._error(f"expected {what}, got {self._got()}", self.token.start)
        self.at += 1
        return self.tokens[self.at - 1].text

    def signature(self) -> Signature:
        name = self._identifier("the name of a function")
        while self._take("::"):
            name += "::" + self._identifier("a name after '::'")
        if self.token.kind == "end":
            return Signature(name)
        self._expect("(", f"after '{name}'")
        arguments = self._arguments()
        result = self._type() if self._take("->") else None
        if self.token.kind != "end":
            raise self._error(f"unexpected {self._got()} after the signature", self.token.start)
        return Signature(name, arguments, result)

    def _arguments(self) -> tuple[Declared, ...]:
        found: list[Declared] = []
        if self._take(")"):
            return ()
        while True:
            start = self.token.start
            argument = self._argument()
            if any(other.name == argument.name for other in found):
                raise self._error(f"two arguments named '{argument.name}'", start)
            found.append(argument)
            if self._take(")"):
                return tuple(found)
            self._expect(",", "or ')' between arguments")

    def _argument(self) -> Declared:
        intent, order, constant, start = None, None, False, self.token.start
        while self.tokens[min(self.at + 1, len(self.tokens) - 1)].kind == "name":
            start, word = self.token.start, self._identifier("the name of an argument")
            if word == "const":
                constant = True
            elif word in _INTENTS and intent is None:
                intent = _INTENTS[word]
            elif word in _ORDERS and order is None:
                order = _ORDERS[word]
            else:
                known = "in, out, inout, const, C or F"
                raise self._error(f"unexpected '{word}': an argument may begin with {known}", start)
        name = self._identifier("the name of an argument")
        shape, strides = self._shape() if self._take("[") else (None, ())
        if order is not None and not shape:
            raise self._error(f"'{order.value}' is for arrays, and '{name}' has no dimensions", start)
        dtype = self._type() if self._take(":") else None
        return Declared(name, shape, intent, constant, dtype, order, strides)

    def _type(self) -> DType:
        start = self.token.start
        try:
            return dtypes.named(self._identifier("an element type"))
        except ConfigError as error:
            if error.notes:
                raise
            raise self._error(f"{error.message} ({error.hint})", start) from None

    def _shape(self) -> tuple[tuple[Dimension, ...], tuple[str | None, ...]]:
        """Lengths and strides; no strides where none is named."""
        if self._take("]"):
            return (), ()
        shape, strides = [self._sum()], [self._stride()]
        while not self._take("]"):
            self._expect(",", "or ']' between dimensions")
            shape.append(self._sum())
            strides.append(self._stride())
        if self.token.text == "[":
            raise self._error("write several dimensions as x[n, m]", self.token.start)
        return tuple(shape), tuple(strides) if any(strides) else ()

    def _stride(self) -> str | None:
        return self._identifier("the argument that is the stride") if self._take(_STRIDE) else None

    def _sum(self) -> Dimension:
        result = self._product()
        while self.token.text in {"+", "-"}:
            operator = self.token.text
            self.at += 1
            result = Operation(operator, result, self._product())
        return result

    def _product(self) -> Dimension:
        result = self._factor()
        while self.token.text in {"*", "/"}:
            operator = self.token.text
            self.at += 1
            result = Operation(operator, result, self._factor())
        return result

    def _factor(self) -> Dimension:
        token = self.token
        if self._take("("):
            inner = self._sum()
            self._expect(")", "to close the parenthesis")
            return inner
        if token.kind == "number":
            self.at += 1
            number = int(token.text)
            if number > _LONGEST:
                raise self._error(f"a length of {number} is more than memory has bytes", token.start)
            return Number(number)
        if token.kind == "name":
            self.at += 1
            return Name(token.text)
        raise self._error(f"expected a length, got {self._got()}", token.start)
