"""Inline assembly: its operands, the variables that its text names, and whether it may touch other memory.

Compilers promise nothing about memory that assembly reaches by itself, so its text is looked at. Memory is *shown*
where each address in it is an operand that is a pointer, or the name of a variable of the module. It is not where an
address is in a register that the text chose, comes from an integer, or is implied by the instruction (string
operations, system calls, calls), nor where the text is not understood (directives, macros of the assembler).

What cannot change or give away a number in memory counts as shown: fences, `nop`, prefetches, `lea`, pushes and pops,
additions of zero to the top of the stack.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import PointerType
from enzyme_build.ir.values import ConstantExpression, GlobalValue, InlineAssembly
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_ASSEMBLY: Final = regex(
    r'asm ((?:(?:sideeffect|alignstack|inteldialect|unwind) )*)"((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"'
)
_COMMENT: Final = regex(r"/\*[\s\S]*?\*/|#[^\n]*")
_PREFIX: Final = regex(r"(?:lock|rep|repe|repz|repne|repnz|data16|bnd|notrack)\b\s*")
_LABEL: Final = regex(r"\s*(?:[\w.]|\$\{:uid\})+:(?!:)")
_OPERAND: Final = regex(r"\$(?:(\d+)|\{(\d+)(?::\w+)?\})")
_SYMBOL: Final = regex(r"(?<![\w.%])[A-Za-z_.][\w.]*")
# AT&T's registers and immediate numbers, operands as they are, and labels of the text itself or of `asm goto`.
_PLAIN: Final = regex(
    r"%[a-z]\w*(?:\(\d\))?(?:\{%k\d\}|\{z\})*|\$\$[-+~]?\w+|\$(?:\d+|\{\d+(?::\w+)?\})|\d+[bf]|\{(?:sae|r[nduz]-sae)\}"
)
_ADDRESS: Final = regex(r"([^()%]*)\(\s*([^,()\s]*)\s*(?:,[^()]*)?\)|([^()%]*)")
_WITHOUT_EFFECT: Final = regex(r"nop[wlq]?|prefetch\w*|clflush\w*|clwb|cldemote|lea[wlq]?|[lms]fence|pause")
_ZERO_ADDED: Final = regex(r"(?:add|sub|or|xor)[bwlq]?")
_IMPLIED: Final = regex(
    r"\..*|l?(?:call|ret)[wlq]?|iret\w*|leave[wlq]?|enter[wlq]?|int|into|sys\w+|xlatb?|v?maskmov(?:q|dqu)|clzero"
    r"|movdir64b|enqcmds?|vm\w*call|\w*run"
)
_STRINGS: Final = regex(r"(?:movs|stos|lods|scas|cmps|ins|outs)[bwldq]")
_JUMPS: Final = regex(r"j\w+|loop\w*|xbegin")
_VARIANTS: Final = regex(r"\$\((.*?)\$\)", re.DOTALL)
"""Text in both syntaxes: `$(movl$|mov$)`."""
_NAMES: Final = "globals by name"


class Operands:
    """The constraints of one call: per output the memory it goes to (None: it is returned), per number an input."""

    def __init__(self, constraints: str, arguments: Sequence[Value]) -> None:
        self.outputs: list[Value | None] = []
        self.inputs: dict[int, Value] = {}
        """Inputs by number; one that shares its place with an output, by the number of that."""
        rest = list(arguments)
        number = 0
        for constraint in constraints.split(","):
            if constraint.startswith(("~", "!")) or not constraint:
                continue
            if constraint.startswith("="):
                self.outputs.append(rest.pop(0) if "*" in constraint[:3] else None)
            else:
                self.inputs[int(constraint) if constraint.isdigit() else number] = rest.pop(0)
            number += 1

    def pointer(self, number: int) -> bool:
        """Is operand number `number` the address of memory that the call is given?"""
        value = self.inputs.get(number)
        return value is not None and isinstance(_address(value).type, PointerType)


class Assembly:
    """The text of one call: `template` as LLVM writes it (`$0`, `$$`), with line breaks, in the syntax that is used."""

    def __init__(self, call: ir.CallBase, flags: str, template: str, constraints: str) -> None:
        self.is_intel = "inteldialect" in flags
        text = re.sub(r"\\([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), template)
        self.template = _VARIANTS.sub(lambda match: [*match[1].split("$|"), ""][self.is_intel], text)
        self.operands = Operands(constraints, call.arguments)

    @property
    def statements(self) -> list[tuple[str, str]]:
        """Instructions and directives: the first word, and what stands behind it."""
        found = []
        for part in re.split(r"[;\n]", _COMMENT.sub(" ", self.template)):
            statement = part
            while label := _LABEL.match(statement):
                statement = statement[label.end() :]
            statement = _PREFIX.sub("", statement.strip())
            if statement:
                mnemonic, _, rest = statement.replace("\t", " ").partition(" ")
                found.append((mnemonic.lower(), rest.strip()))
        return found

    @property
    def symbols(self) -> set[str]:
        """Words of the text that may name a variable or function."""
        return {word for _, rest in self.statements for word in _SYMBOL.findall(rest.replace("$$", " "))}


def assembly_of(call: ir.CallBase) -> Assembly | None:
    """What a call of inline assembly executes; None for other calls."""
    found = _ASSEMBLY.fullmatch(call.callee.text) if isinstance(call.callee, InlineAssembly) else None
    return Assembly(call, found[1], found[2], found[3]) if found else None


def addresses(call: ir.CallBase) -> list[Value]:
    """The operands of assembly that are addresses, also those made integers for it."""
    return [_address(argument) for argument in call.arguments]


def named_globals(module: Module, call: ir.CallBase) -> list[GlobalValue]:
    """Variables and functions of the module that the text of assembly names."""
    found = assembly_of(call)
    table = _globals_by_name(module) if found is not None and found.symbols else {}
    return [value for word in sorted(found.symbols) for value in table.get(word, ())] if found is not None else []


def may_touch_hidden_memory(module: Module, call: ir.CallBase) -> bool:
    """May assembly read or write memory that neither its operands nor the names in its text show?"""
    found = assembly_of(call)
    if found is None:
        return isinstance(call.callee, InlineAssembly)
    table = _globals_by_name(module)
    known = found.symbols & table.keys()
    if any(_leads_on(table[word]) for word in known):
        return True
    return any(not _shown(found, known, mnemonic, rest) for mnemonic, rest in found.statements)


def _leads_on(named: Sequence[GlobalValue]) -> bool:
    """Is this a function with a body, or one of several static variables?"""
    return len(named) > 1 or any(isinstance(value, Function) and not value.is_declaration for value in named)


def _address(value: Value) -> Value:
    if isinstance(value, ir.Cast | ConstantExpression) and value.op == "ptrtoint":
        return value.operands[0]
    return value


def _globals_by_name(module: Module) -> dict[str, list[GlobalValue]]:
    """By the name that the assembler sees; linking numbers the static variables of one name."""
    known = module.cache.get(_NAMES)
    found: dict[str, list[GlobalValue]] = known if isinstance(known, dict) else {}
    if not found:
        for value in module.globals.values():
            plain = value.name.removeprefix("\1")
            for name in {plain, re.sub(r"\.\d+$", "", plain)}:
                found.setdefault(name, []).append(value)
        module.cache[_NAMES] = found
    return found


def _shown(assembly: Assembly, known: set[str], mnemonic: str, rest: str) -> bool:
    """Does an instruction touch no memory but what is shown?"""
    operands = [operand for operand in _split(rest) if operand]
    if not mnemonic.isalnum():
        return False
    if assembly.is_intel:
        return not operands and not _IMPLIED.fullmatch(mnemonic) and not _STRINGS.fullmatch(mnemonic)
    if _WITHOUT_EFFECT.fullmatch(mnemonic):
        return True
    if _ZERO_ADDED.fullmatch(mnemonic) and operands[:1] == ["$$0"]:
        return True
    if _IMPLIED.fullmatch(mnemonic) or (_STRINGS.fullmatch(mnemonic) and not operands):
        return False
    if _JUMPS.fullmatch(mnemonic):
        return all(_PLAIN.fullmatch(operand) and not operand.startswith("%") for operand in operands)
    return all(_PLAIN.fullmatch(operand) or _shown_address(assembly, known, operand) for operand in operands)


def _shown_address(assembly: Assembly, known: set[str], operand: str) -> bool:
    match = _ADDRESS.fullmatch(operand)
    if match is None:
        return False
    names = _SYMBOL.findall(re.sub(r"@\w+", "", match[1] or match[3] or ""))
    if names:
        return known.issuperset(names)
    base = _OPERAND.fullmatch(match[2] or "")
    return base is not None and assembly.operands.pointer(int(base[1] or base[2]))


def _split(rest: str) -> list[str]:
    """The operands of an instruction, at commas outside of brackets."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", rest)]
