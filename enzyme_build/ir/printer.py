"""The model as LLVM assembly text.

Locals get their names here: a name is a hint, made unique within its function; a local without name gets the next
number, in the order LLVM demands (arguments, then blocks and instructions as they come).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InternalError

from .function import Function
from .instructions import (
    Alloca,
    AtomicRMW,
    Binary,
    Branch,
    Call,
    CallBase,
    CallBranch,
    Cast,
    Compare,
    CompareExchange,
    ExtractElement,
    ExtractValue,
    Fence,
    Freeze,
    GetElementPtr,
    IndirectBranch,
    InsertElement,
    InsertValue,
    Instruction,
    Invoke,
    Jump,
    LandingPad,
    Load,
    Negate,
    Phi,
    Resume,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unreachable,
    VAArg,
)
from .names import local_text
from .types import VOID, FunctionType
from .values import Constant, MetadataOperand, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from .function import Block, DebugRecord
    from .module import Module


class Names:
    """The text of every value inside one function."""

    def __init__(self, function: Function) -> None:
        self.texts: dict[Value, str] = {}
        self._taken: dict[str, int] = {}
        self._number = 0
        for argument in function.arguments:
            self._add(argument, argument.name)
        for block in function.blocks:
            self._add(block, block.name)
            for instruction in block.instructions:
                if instruction.type is not VOID:
                    self._add(instruction, instruction.name)

    def _add(self, value: Value, name: str | None) -> None:
        if not name:
            self.texts[value] = f"%{self._number}"
            self._number += 1
            return
        taken = self._taken
        if name in taken:
            base = name
            while name in taken:
                taken[base] += 1
                name = f"{base}.{taken[base]}"
        taken[name] = 0
        self.texts[value] = local_text(name)

    def __call__(self, value: Value) -> str:
        """Text without type."""
        text = self.texts.get(value)
        if text is not None:
            return text
        if isinstance(value, MetadataOperand) and value.operands:
            return value.text.format(*map(self, value.operands))
        if isinstance(value, Constant):
            return value.text
        name = getattr(value, "name", None)
        raise InternalError(f"{type(value).__name__} {name or ''} of type {value.type} is not part of the function")

    def typed(self, value: Value) -> str:
        return f"{value.type.text} {self(value)}"

    def label(self, block: Block) -> str:
        return f"label {self(block)}"


def _words(*words: str) -> str:
    """Words and a trailing space each; empty ones vanish."""
    return "".join(f"{word} " for word in words if word)


def _align(align: int) -> str:
    return f", align {align}" if align else ""


def _binary(i: Binary, n: Names) -> str:
    return f"{i.op} {_words(i.flags)}{n.typed(i.operands[0])}, {n(i.operands[1])}"


def _negate(i: Negate, n: Names) -> str:
    return f"fneg {_words(i.flags)}{n.typed(i.operands[0])}"


def _cast(i: Cast, n: Names) -> str:
    return f"{i.op} {_words(i.flags)}{n.typed(i.operands[0])} to {i.type.text}"


def _compare(i: Compare, n: Names) -> str:
    return f"{i.op} {_words(i.flags, i.predicate)}{n.typed(i.operands[0])}, {n(i.operands[1])}"


def _select(i: Select, n: Names) -> str:
    return f"select {_words(i.flags)}{', '.join(map(n.typed, i.operands))}"


def _phi(i: Phi, n: Names) -> str:
    pairs = ", ".join(f"[ {n(v)}, {n(b)} ]" for v, b in zip(i.operands, i.blocks, strict=True))
    return f"phi {_words(i.flags)}{i.type.text} {pairs}"


def _load(i: Load, n: Names) -> str:
    head = _words("load", "atomic" if i.ordering else "", "volatile" if i.volatile else "")
    ordering = f" {i.ordering}" if i.ordering else ""
    return f"{head}{i.type.text}, {n.typed(i.operands[0])}{ordering}{_align(i.align)}"


def _store(i: Store, n: Names) -> str:
    head = _words("store", "atomic" if i.ordering else "", "volatile" if i.volatile else "")
    ordering = f" {i.ordering}" if i.ordering else ""
    return f"{head}{n.typed(i.operands[0])}, {n.typed(i.operands[1])}{ordering}{_align(i.align)}"


def _getelementptr(i: GetElementPtr, n: Names) -> str:
    return f"getelementptr {_words(i.flags)}{i.source_type.text}, {', '.join(map(n.typed, i.operands))}"


def _alloca(i: Alloca, n: Names) -> str:
    count = f", {n.typed(i.operands[0])}" if i.operands else ""
    suffix = f", {i.suffix}" if i.suffix else ""
    return f"alloca {_words(i.modifiers)}{i.allocated_type.text}{count}{_align(i.align)}{suffix}"


def _call_tail(i: CallBase, n: Names) -> str:
    """From the flags to the operand bundles."""
    function_type: FunctionType = i.function_type
    result = function_type.text if function_type.variadic else function_type.result.text
    arguments = ", ".join(
        f"{a.type.text} {_words(t)}{n(a)}" for a, t in zip(i.operands[:-1], i.argument_attributes, strict=True)
    )
    if i.tail == "musttail" and i.block.function is not None and i.block.function.function_type.variadic:
        arguments += ", ..." if arguments else "..."
    attributes = f" {i.function_attributes}" if i.function_attributes else ""
    bundles = _bundles(i, n) if i.bundles is not None else ""
    head = _words(i.flags, i.convention, i.result_attributes, result)
    return f"{head}{n(i.operands[-1])}({arguments}){attributes}{bundles}"


def _bundles(i: CallBase, n: Names) -> str:
    values = i.bundles.values if i.bundles is not None else []
    known = all(isinstance(value, Constant) or value in n.texts for value in values)
    if i.bundles is None or (not known and isinstance(i.callee, Function) and i.callee.name == "llvm.assume"):
        return ""  # what is known of a value that is no more
    return f" [ {i.bundles.text.format(*map(n, values))} ]"


def _call(i: Call, n: Names) -> str:
    return f"{_words(i.tail)}call {_call_tail(i, n)}"


def _invoke(i: Invoke, n: Names) -> str:
    return f"invoke {_call_tail(i, n)}\n          to {n.label(i.normal)} unwind {n.label(i.unwind)}"


def _callbr(i: CallBranch, n: Names) -> str:
    indirect = ", ".join(map(n.label, i.indirect))
    return f"callbr {_call_tail(i, n)}\n          to {n.label(i.fallthrough)} [{indirect}]"


def _indices(indices: tuple[int, ...]) -> str:
    return "".join(f", {index}" for index in indices)


def _extract_value(i: ExtractValue, n: Names) -> str:
    return f"extractvalue {n.typed(i.operands[0])}{_indices(i.indices)}"


def _insert_value(i: InsertValue, n: Names) -> str:
    return f"insertvalue {n.typed(i.operands[0])}, {n.typed(i.operands[1])}{_indices(i.indices)}"


def _extract_element(i: ExtractElement, n: Names) -> str:
    return f"extractelement {', '.join(map(n.typed, i.operands))}"


def _insert_element(i: InsertElement, n: Names) -> str:
    return f"insertelement {', '.join(map(n.typed, i.operands))}"


def _shuffle_vector(i: ShuffleVector, n: Names) -> str:
    return f"shufflevector {', '.join(map(n.typed, i.operands))}"


def _freeze(i: Freeze, n: Names) -> str:
    return f"freeze {n.typed(i.operands[0])}"


def _va_arg(i: VAArg, n: Names) -> str:
    return f"va_arg {n.typed(i.operands[0])}, {i.type.text}"


def _fence(i: Fence, _: Names) -> str:
    return f"fence {i.ordering}"


def _compare_exchange(i: CompareExchange, n: Names) -> str:
    operands = ", ".join(map(n.typed, i.operands))
    return f"cmpxchg {_words(i.modifiers)}{operands} {i.ordering}{_align(i.align)}"


def _atomic_rmw(i: AtomicRMW, n: Names) -> str:
    operands = ", ".join(map(n.typed, i.operands))
    return f"atomicrmw {'volatile ' if i.volatile else ''}{i.op} {operands} {i.ordering}{_align(i.align)}"


def _landing_pad(i: LandingPad, n: Names) -> str:
    clauses = ["\n          cleanup"] if i.cleanup else []
    clauses += [f"\n          {kind} {n.typed(v)}" for kind, v in zip(i.clauses, i.operands, strict=True)]
    return f"landingpad {i.type.text}{''.join(clauses)}"


def _return(i: Return, n: Names) -> str:
    return f"ret {n.typed(i.operands[0])}" if i.operands else "ret void"


def _jump(i: Jump, n: Names) -> str:
    return f"br {n.label(i.target)}"


def _branch(i: Branch, n: Names) -> str:
    return f"br {n.typed(i.operands[0])}, {n.label(i.then)}, {n.label(i.otherwise)}"


def _switch(i: Switch, n: Names) -> str:
    cases = "".join(f"    {n.typed(c)}, {n.label(b)}\n" for c, b in i.cases)
    return f"switch {n.typed(i.operands[0])}, {n.label(i.default)} [\n{cases}  ]"


def _indirect_branch(i: IndirectBranch, n: Names) -> str:
    return f"indirectbr {n.typed(i.operands[0])}, [{', '.join(map(n.label, i.targets))}]"


def _resume(i: Resume, n: Names) -> str:
    return f"resume {n.typed(i.operands[0])}"


def _unreachable(_i: Unreachable, _: Names) -> str:
    return "unreachable"


_PRINTERS: Final[dict[type[Instruction], Callable[..., str]]] = {
    Binary: _binary,
    Negate: _negate,
    Cast: _cast,
    Compare: _compare,
    Select: _select,
    Phi: _phi,
    Load: _load,
    Store: _store,
    GetElementPtr: _getelementptr,
    Alloca: _alloca,
    Call: _call,
    Invoke: _invoke,
    CallBranch: _callbr,
    ExtractValue: _extract_value,
    InsertValue: _insert_value,
    ExtractElement: _extract_element,
    InsertElement: _insert_element,
    ShuffleVector: _shuffle_vector,
    Freeze: _freeze,
    VAArg: _va_arg,
    Fence: _fence,
    CompareExchange: _compare_exchange,
    AtomicRMW: _atomic_rmw,
    LandingPad: _landing_pad,
    Return: _return,
    Jump: _jump,
    Branch: _branch,
    Switch: _switch,
    IndirectBranch: _indirect_branch,
    Resume: _resume,
    Unreachable: _unreachable,
}


def print_instruction(instruction: Instruction, names: Names) -> str:
    """One instruction without indentation."""
    text = _PRINTERS[type(instruction)](instruction, names)
    if instruction.type is not VOID:
        text = f"{names(instruction)} = {text}"
    return f"{text}, {instruction.metadata}" if instruction.metadata else text


def print_header(function: Function, names: Names | None = None) -> str:
    """`define …` or `declare …` without the brace; declarations do not need `names`."""
    parts: list[str] = []
    for argument in function.arguments:
        name = names(argument) if names else ""
        parts.append(f"{_words(argument.type.text, argument.attributes)}{name}".rstrip())
    if function.function_type.variadic:
        parts.append("...")
    keyword = "declare" if function.is_declaration else "define"
    head = _words(keyword, function.prefix, function.function_type.result.text)
    suffix = f" {function.suffix}" if function.suffix else ""
    return f"{head}{function.text}({', '.join(parts)}){suffix}"


def print_function(function: Function) -> str:
    """The function, ending in a newline."""
    if function.is_declaration:
        return print_header(function) + "\n"
    names = Names(function)
    lines = [print_header(function, names) + " {"]
    for position, block in enumerate(function.blocks):
        label = names(block)[1:]
        if position:
            lines.append("")
            lines.append(f"{label}:")
        elif block.name:
            lines.append(f"{label}:")
        records = block.records
        place = 0
        for index, instruction in enumerate(block.instructions):
            # LLVM does not allow records among phis.
            while place < len(records) and records[place].index <= index and type(instruction) is not Phi:
                lines += _record(records[place], names)
                place += 1
            lines.append("  " + print_instruction(instruction, names))
    lines.append("}\n")
    return "\n".join(lines)


def _record(record: DebugRecord, names: Names) -> list[str]:
    """The line of a debug record; none where it describes a value that is gone."""
    operands = record.operands
    if any(operand not in names.texts and not isinstance(operand, Constant) for operand in operands):
        return []
    return ["    " + record.text.format(*map(names, operands))]


def print_module(module: Module) -> str:
    """Original text, with what was changed, added and removed."""
    text = module.text
    spans = module.spans
    edits: list[tuple[int, int, str]] = [(start, end, "") for start, end in module.attribute_spans]
    edits += [(*spans[name], "") for name in module.removed if name in spans]
    edits += [(*spans[name], print_function(module.function(name))) for name in module.changed if name in spans]
    additions = [module.globals[name].raw for name in module.added_globals]  # type: ignore[attr-defined]
    additions += [print_function(module.function(name)) for name in module.added_functions]
    # An empty group is not accepted by LLVM's own parser; references to a missing one are.
    additions += [
        f"attributes {reference} = {{ {group} }}" for reference, group in module.attribute_groups.items() if group
    ]
    edits.append((module.metadata_start, module.metadata_start, "".join(f"{a.rstrip()}\n" for a in additions) + "\n"))
    edits.sort()
    pieces: list[str] = []
    place = 0
    for start, end, replacement in edits:
        pieces += (text[place:start], replacement)
        place = end
    pieces.append(text[place:])
    if module.added_metadata:
        pieces.append("\n" + "\n".join(module.added_metadata) + "\n")
    return "".join(pieces)
