"""Recursive descent over the tokens of one piece of IR text: types, attributes, constants, typed operands.

This is the thorough half of the parser: it reads everything LLVM prints, one word at a time. `body` reads ordinary
lines with one pattern each and comes here for the rest. A `Reader` stands at a word; every method reads what its
name says and moves on. Texts of constants and attributes are slices of the source, so nothing is lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError
from enzyme_build.regex import regex

from .opcodes import CONSTANT_EXPRESSIONS, CONSTANT_WORDS
from .types import (
    FLOAT_TYPES,
    I1,
    LABEL,
    METADATA,
    TOKEN,
    VOID,
    FunctionType,
    IntType,
    Type,
    VectorType,
    array_type,
    function_type,
    int_type,
    pointer_type,
    struct_type,
    target_extension_type,
    vector_type,
    with_scalar,
)
from .values import (
    Constant,
    ConstantAggregate,
    ConstantData,
    ConstantExpression,
    ConstantFloat,
    ConstantSplat,
    InlineAssembly,
    MetadataOperand,
    OpaqueConstant,
    Value,
    ZeroInitializer,
    const_int,
    null,
    poison,
    undef,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from .module import Module

_TOKEN: Final = regex(
    r"""\s*+(?:;.*+\s*+)?+(
      [%@$!]"[^"]*"                              # quoted name
    | [%@$!\#][-\w.$]*                           # name, number of metadata or attribute group
    | c?"[^"]*"                                  # string
    | -?\d+\.\d*(?:[eE][-+]?\d+)?                # decimal float
    | f?0x[KLMHR]?[0-9A-Fa-f]+
    | [-+]?\w[\w.]*                              # word or integer
    | \.\.\. | [()\[\]{}<>,=*|:]
    )""",
    re.VERBOSE,
)
_FLOAT: Final = regex(r"-?\d+\.\d*(?:[eE][-+]?\d+)?|f?0x[KLMHR]?[0-9A-Fa-f]+|[-+](?:inf|nan|qnan|snan).*")
_INTEGER: Final = regex(r"-?\d+")
_SIMPLE_TYPES: Final[dict[str, Type]] = {
    **FLOAT_TYPES,
    "void": VOID,
    "label": LABEL,
    "metadata": METADATA,
    "token": TOKEN,
}


class Reader:
    """A position among the tokens of `text`; names are looked up in `module` and by `local`."""

    __slots__ = ("at", "ends", "local", "module", "starts", "text", "tokens")

    def __init__(self, module: Module, text: str, local: Callable[[Type, str], Value] | None = None) -> None:
        self.module = module
        self.text = text
        self.local = local
        self.tokens: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.at = 0
        end = len(text)
        place = 0
        while match := _TOKEN.match(text, place):
            self.tokens.append(match[1])
            self.starts.append(match.start(1))
            place = match.end()
            self.ends.append(place)
        rest = text[place:].strip()
        if rest and not rest.startswith(";"):
            raise self.error(f"cannot read '{rest[:40]}'")
        # Two sentinels, so that looking one ahead needs no test.
        self.tokens += ["", ""]
        self.starts += [end, end]
        self.ends += [end, end]

    def error(self, message: str) -> InputError:
        return InputError(f"{message} in IR line: {self.text.strip()[:300]}")

    # Tokens -------------------------------------------------------------------------------------------------------

    @property
    def word(self) -> str:
        return self.tokens[self.at]

    def next(self) -> str:
        word = self.tokens[self.at]
        self.at += 1
        return word

    def accept(self, word: str) -> bool:
        if self.tokens[self.at] == word:
            self.at += 1
            return True
        return False

    def expect(self, word: str) -> None:
        if self.tokens[self.at] != word:
            raise self.error(f"expected '{word}' before '{self.rest()[:40]}'")
        self.at += 1

    def slice(self, first: int, last: int) -> str:
        """Source text of the tokens `first` to `last`, exclusive."""
        return self.text[self.starts[first] : self.ends[last - 1]] if last > first else ""

    def rest(self) -> str:
        """Source text from here to the end."""
        last = len(self.tokens) - 2
        return self.text[self.starts[self.at] : self.ends[last - 1]] if self.at < last else ""

    def integer(self) -> int:
        try:
            return int(self.next())
        except ValueError:
            self.at -= 1
            raise self.error(f"expected a number at '{self.rest()[:40]}'") from None

    def words(self, allowed: frozenset[str]) -> str:
        """The longest run of words in `allowed`."""
        first = self.at
        while self.tokens[self.at] in allowed:
            self.at += 1
        return self.slice(first, self.at)

    def skip_balanced(self, closing: str = ")") -> None:
        """Past the bracket that closes the one just read."""
        depth = 1
        while depth:
            word = self.next()
            if word == "":
                raise self.error(f"missing '{closing}'")
            if word in "([{<":
                depth += 1
            elif word in ")]}>":
                depth -= 1

    # Types --------------------------------------------------------------------------------------------------------

    def starts_type(self) -> bool:
        word = self.word
        return (
            word in _SIMPLE_TYPES
            or word == "ptr"
            or word[:1] in ("%", "[", "{", "<")
            or (word[:1] == "i" and word[1:].isdigit())
            or word in ("target", "x86_amx")
        )

    def type(self) -> Type:
        """A type; a parenthesis after it makes it a function type."""
        result = self.first_class_type()
        while self.word == "(":
            result = self._function_type(result)
        return result

    def _function_type(self, result: Type) -> FunctionType:
        self.expect("(")
        parameters: list[Type] = []
        variadic = False
        while not self.accept(")"):
            if self.accept("..."):
                variadic = True
            else:
                parameters.append(self.type())
                self.attributes()
            if self.word != ")":
                self.expect(",")
        return function_type(result, tuple(parameters), variadic=variadic)

    def first_class_type(self) -> Type:
        word = self.next()
        simple = _SIMPLE_TYPES.get(word)
        if simple is not None:
            return simple
        if word == "ptr":
            return pointer_type(self.address_space())
        if word[0:1] == "i" and word[1:].isdigit():
            return int_type(int(word[1:]))
        if word[0:1] == "%":
            return self.module.named_type(word)
        if word == "[":
            count = self.integer()
            self.expect("x")
            element = self.first_class_type()
            self.expect("]")
            return array_type(element, count)
        if word == "{":
            return struct_type(self._fields())
        if word == "<":
            if self.accept("{"):
                fields = self._fields()
                self.expect(">")
                return struct_type(fields, packed=True)
            scalable = self.accept("vscale")
            if scalable:
                self.expect("x")
            count = self.integer()
            self.expect("x")
            element = self.first_class_type()
            self.expect(">")
            return vector_type(element, count, scalable=scalable)
        if word == "target" and self.accept("("):
            first = self.at - 2
            self.skip_balanced()
            return target_extension_type(self.slice(first, self.at))
        if word == "x86_amx":
            return target_extension_type(word)
        self.at -= 1
        raise self.error(f"expected a type at '{self.rest()[:40]}'")

    def _fields(self) -> tuple[Type, ...]:
        fields: list[Type] = []
        while not self.accept("}"):
            fields.append(self.first_class_type())
            if self.word != "}":
                self.expect(",")
        return tuple(fields)

    def address_space(self) -> int:
        if self.word == "addrspace":
            self.at += 1
            self.expect("(")
            space = self.integer()
            self.expect(")")
            return space
        return 0

    # Attributes ---------------------------------------------------------------------------------------------------

    def attributes(self) -> str:
        """Attribute words, with arguments in parentheses, up to a value, type, comma or bracket."""
        first = self.at
        while True:
            word = self.word
            if word == "" or word in CONSTANT_WORDS or word in CONSTANT_EXPRESSIONS:
                break
            if word.startswith('"'):
                self.at += 1
                if self.accept("="):
                    self.at += 1
                continue
            if not (word[0].isalpha() or word[0] == "_") or word.startswith('c"'):
                break
            if self.starts_type() or word == "x":
                break
            self.at += 1
            if self.word == "(":
                self.at += 1
                self.skip_balanced()
            elif word in ("align", "alignstack") and self.word.isdigit():
                self.at += 1
        return self.slice(first, self.at)

    # Values -------------------------------------------------------------------------------------------------------

    def typed_value(self) -> Value:
        type_ = self.type()
        if type_ is METADATA:
            return self.metadata_operand()
        return self.value(type_)

    def typed_constant(self) -> Constant:
        value = self.typed_value()
        if not isinstance(value, Constant):
            raise self.error("expected a constant")
        return value

    def value(self, type_: Type) -> Value:
        word = self.word
        if word[:1] == "%":
            if self.local is None:
                raise self.error(f"{word} is not a constant")
            self.at += 1
            return self.local(type_, word)
        return self.constant(type_)

    def constant(self, type_: Type) -> Constant:
        first = self.at
        word = self.next()
        if word[:1] == "@":
            return self.module.global_by_text(word)
        if _INTEGER.fullmatch(word):
            if isinstance(type_, IntType):
                return const_int(type_, int(word))
            return self.error_constant(type_, word)
        if _FLOAT.fullmatch(word):
            return ConstantFloat(type_, word)
        match word:
            case "true" | "false":
                return const_int(I1, int(word == "true"))
            case "null":
                return null(type_)
            case "undef":
                return undef(type_)
            case "poison":
                return poison(type_)
            case "zeroinitializer":
                return ZeroInitializer(type_, word)
            case "none":
                return OpaqueConstant(type_, word)
            case "splat":
                self.expect("(")
                element = self.typed_constant()
                self.expect(")")
                return ConstantSplat(type_, element)
            case "asm":
                return self._assembly(type_, first)
            case "[" | "{" | "<":
                return self._aggregate(type_, first)
            case "blockaddress" | "ptrauth":
                self.expect("(")
                self.skip_balanced()
                return OpaqueConstant(type_, self.slice(first, self.at))
            case "dso_local_equivalent" | "no_cfi":
                self.at += 1
                return OpaqueConstant(type_, self.slice(first, self.at))
        if word.startswith('c"'):
            return ConstantData(type_, word)
        if word in CONSTANT_EXPRESSIONS:
            return self._expression(type_, word, first)
        return self.error_constant(type_, word)

    def error_constant(self, type_: Type, word: str) -> Constant:
        self.at -= 1
        raise self.error(f"'{word}' is no value of type {type_}")

    def _assembly(self, type_: Type, first: int) -> Constant:
        while not self.word.startswith('"'):
            self.at += 1
        self.at += 1
        self.expect(",")
        self.at += 1
        return InlineAssembly(type_, self.slice(first, self.at))

    def _aggregate(self, type_: Type, first: int) -> Constant:
        opening = self.tokens[first]
        closing = {"[": "]", "{": "}", "<": ">"}[opening]
        packed = opening == "<" and self.accept("{")
        operands: list[Value] = []
        if packed:
            closing = "}"
        while not self.accept(closing):
            operands.append(self.typed_value())
            if self.word != closing:
                self.expect(",")
        if packed:
            self.expect(">")
        return ConstantAggregate(type_, self.slice(first, self.at), operands)

    def _expression(self, type_: Type, op: str, first: int) -> Constant:
        source_type: Type | None = None
        flags_end = self.at
        while self.tokens[flags_end] not in ("(", ""):
            # `inrange(-16, 8)` has parentheses of its own; the operands' come last.
            flags_end += 1
            if self.tokens[flags_end - 1] == "inrange" and self.tokens[flags_end] == "(":
                self.at = flags_end + 1
                self.skip_balanced()
                flags_end = self.at
        self.at = flags_end
        self.expect("(")
        operands: list[Value] = []
        if op == "getelementptr":
            source_type = self.type()
            self.expect(",")
        while not self.accept(")"):
            operands.append(self.typed_value())
            if self.accept("to"):
                self.type()
            elif op in ("extractvalue", "insertvalue"):
                while self.accept(","):
                    if _INTEGER.fullmatch(self.word):
                        self.at += 1
                    else:
                        self.at -= 1
                        break
            if self.word != ")":
                self.expect(",")
        text = self.slice(first, self.at)
        return ConstantExpression(type_, text, op, operands, source_type)

    def metadata_operand(self) -> MetadataOperand:
        """What follows the type `metadata` in a call."""
        first = self.at
        word = self.word
        if word[:1] == "!":
            self.at += 1
            if self.word in ("(", "{"):
                self.at += 1
                self.skip_balanced()
            elif word == "!" and self.word.startswith('"'):
                self.at += 1
            return MetadataOperand(METADATA, self.slice(first, self.at))
        if word[:1] == '"':
            self.at += 1
            return MetadataOperand(METADATA, self.slice(first, self.at))
        type_ = self.type()
        value = self.value(type_)
        return MetadataOperand(METADATA, f"{type_} {{}}", (value,))


def result_of_gep(base: Value, indices: list[Value]) -> Type:
    """The type a getelementptr has: a vector of pointers as soon as one operand is a vector."""
    for operand in (base, *indices):
        if isinstance(operand.type, VectorType):
            return with_scalar(operand.type, base.type.scalar)
    return base.type
