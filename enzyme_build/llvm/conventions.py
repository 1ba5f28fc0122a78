"""Calls between languages whose compilers write the same convention in different types.

Structs of up to 16 bytes are passed and returned in registers. clang writes such a parameter as the scalars that it is
made of (`ptr, i64`), rustc as one value of integers (`{ i64, i64 }`): the same registers, but for the optimiser and for
derivatives a call of another function than the one that is defined. Such calls become calls of a function between the
two, which is inlined. Larger structs beside them are in memory: of these a parameter is the address of what is returned
(`sret`), or of what is copied to the stack (`byval`), in all compilers. Of callees without body only the type is known,
and not that their parameters are what the caller takes them for: there, structs are no more than taken apart and put
together.

Source: System V ABI for AMD64, "Parameter Passing": which registers a scalar is in depends on its class and size only.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.offsets import member_leaves
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.ir.names import quote
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import FunctionType, IntType, PointerType
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .declarations import with_types
from .text import NAME, inlined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import Type

_TARGET: Final = regex(r'(?m)^target triple = "x86_64-[^"\n]*linux')
_COMPILERS: Final = regex(r"(?m)^!llvm\.ident = !\{([^\n]*)\}")
_DEFINED: Final = regex(rf"(?m)^define [^\n(]*?@({NAME})\(")
_MANGLED: Final = ("_Z", "_R", "_Q", "enzyme_fortran_", "llvm.")
"""Names that only one language has."""
_HIDDEN: Final = regex(r"\b(byval|sret|inalloca|preallocated|nest|inreg)\b")
"""Parameters that the caller does not write, or that are not where others of their types are."""
_STRUCT: Final = regex(r"\b(byval|sret)\(((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*)\)")
_ALIGN: Final = regex(r"\balign (\d+)")
_GENERAL_REGISTERS: Final = 6
_VECTOR_REGISTERS: Final = 8


@dataclass(frozen=True)
class _Signature:
    """A type, and of each parameter that is the address of a struct which is passed or returned as a whole the words
    that say so, behind a space."""

    type: FunctionType
    structs: tuple[str, ...]


@dataclass(frozen=True)
class _Leaf:
    """A scalar that is passed; `struct` tells which struct is meant, where it is the address of one."""

    type: Type
    struct: str = ""


def with_matching_calls(text: str) -> str:
    """`text` with calls of functions between caller and callee, where their types are others but the registers the
    same."""
    compilers = _COMPILERS.search(text)
    if compilers is None or "," not in compilers[1] or not _TARGET.search(text):
        return text
    module = parse_module(text)
    between: dict[tuple[str, _Signature], tuple[str, str]] = {}
    edits: list[tuple[int, int, str]] = []
    for name in _DEFINED.findall(text):
        callee = module.globals.get(name)
        if name.startswith(_MANGLED) or not isinstance(callee, Function):
            continue
        wanted = _signature(callee.function_type, [argument.attributes for argument in callee.arguments])
        for caller in module.functions_mentioning(f"@{name}(") if wanted else ():
            calls = _calls_of(module, callee, caller)
            signatures = {_signature(call.function_type, call.argument_attributes) for call in calls}
            given = signatures.pop() if len(signatures) == 1 else None
            if given and wanted and (other := _between(module, given, callee, between, wanted)):
                start, end = module.bodies[caller]
                edits += [(*found.span(), f"@{other}(") for found in _mentions(name).finditer(text, start, end)]
    if not edits:
        return text
    # Where a callee stays a call, its integers that are addresses would have to be followed.
    return inlined(_edited(text, edits, between), {name for name, _ in between})


def _edited(
    text: str,
    edits: Sequence[tuple[int, int, str]],
    between: Mapping[tuple[str, _Signature], tuple[str, str]],
) -> str:
    """`text` with the edits, and the functions between behind it."""
    pieces: list[str] = []
    done = 0
    for start, end, words in sorted(edits):
        pieces += [text[done:start], words]
        done = end
    return "".join([*pieces, text[done:], *(body for _, body in between.values())])


def with_declared_types(text: str, types: Mapping[str, str]) -> str:
    """`text` where functions without body are declared with their own types, in LLVM's words, in the place of those
    that the compilers of callers made of them; where that is certain, and all calls can be made so."""
    module = parse_module(text)
    between: dict[tuple[str, _Signature], tuple[str, str]] = {}
    edits: list[tuple[int, int, str]] = []
    declared: dict[str, tuple[FunctionType, FunctionType, tuple[str, ...]]] = {}
    # Structs with names may be others there.
    plain = {name: words for name, words in types.items() if "%" not in words and quote(name) == name}
    own = {name: module.parse_type(words) for name, words in plain.items()}
    for name, type_ in own.items() if _TARGET.search(text) else ():
        callee = module.function(name)
        wanted = _as_declared(module, callee, type_) if isinstance(type_, FunctionType) else None
        if wanted is None:
            continue
        same = callee.function_type is type_
        found = _calls_between(module, callee, wanted, between)
        if found is not None and not (same and not found):
            edits += found
            declared |= {} if same else {name: (callee.function_type, wanted.type, wanted.structs)}
    if not edits and not declared:
        return text
    return with_types(_edited(text, edits, between), declared)


def _calls_between(
    module: Module,
    callee: Function,
    wanted: _Signature,
    between: dict[tuple[str, _Signature], tuple[str, str]],
) -> list[tuple[int, int, str]] | None:
    """What makes all calls of a function ones of its own signature; None where one of them cannot be."""
    edits: list[tuple[int, int, str]] = []
    for caller in module.functions_mentioning(f"@{callee.name}("):
        calls = _calls_of(module, callee, caller)
        if {call.function_type for call in calls} <= {wanted.type}:
            continue
        signatures = {_signature(call.function_type, call.argument_attributes) for call in calls}
        given = signatures.pop()
        if signatures or given is None or not _is_split(module.layout, given.type, wanted.type):
            return None
        other = _between(module, given, callee, between, wanted)
        if not other:
            return None
        start, end = module.bodies[caller]
        edits += [(*found.span(), f"@{other}(") for found in _mentions(callee.name).finditer(module.text, start, end)]
    return edits


def _as_declared(module: Module, callee: Function, type_: FunctionType) -> _Signature | None:
    """The signature of the function's own type, which does not tell addresses of structs: these are where the
    declaration has them. None where it is not certainly the same."""
    layout = module.layout
    declared = _signature(callee.function_type, [argument.attributes for argument in callee.arguments])
    if declared is None or not (callee.function_type is type_ or _is_split(layout, callee.function_type, type_)):
        return None
    words = iter([words for part, words in _parameters(declared) for _ in _leaves(layout, part)])
    structs = []
    for part in type_.parameters:
        own = [next(words) for _ in _leaves(layout, part)]
        if any(own) and not isinstance(part, PointerType):  # a member of a struct is no such address
            return None
        structs.append("".join(own))
    return _Signature(type_, tuple(structs))


def _calls_of(module: Module, callee: Function, caller: str) -> list[ir.CallBase]:
    instructions = module.function(caller).instructions()
    return [i for i in instructions if isinstance(i, ir.CallBase) and i.callee is callee]


def _is_split(layout: DataLayout, given: FunctionType, wanted: FunctionType) -> bool:
    """Are these the same numbers and integers in registers, but for structs that one has as wholes and the other one as
    their members? An integer may be wider in a struct: what is above a member is padding."""
    one, other = (_members(layout, type_.parameters) for type_ in (given, wanted))
    results = [_members(layout, (type_.result,)) for type_ in (given, wanted)]
    whole = given.result is wanted.result or all(inside for result in results for _, inside in result)
    return whole and all(_agree(*pair) for pair in ((one, other), (results[0], results[1])))


def _members(layout: DataLayout, parts: Sequence[Type]) -> list[tuple[Type, bool]]:
    """What parameters are made of, each: is it a member of a struct?"""
    return [(leaf, bool(path)) for part in parts for path, leaf in _leaves(layout, part)]


def _agree(one: Sequence[tuple[Type, bool]], other: Sequence[tuple[Type, bool]]) -> bool:
    if len(one) != len(other):
        return False
    for (a, a_inside), (b, b_inside) in zip(one, other, strict=True):
        if isinstance(a, IntType) and isinstance(b, IntType) and a is not b:
            if not (a_inside if a.bits > b.bits else b_inside):
                return False
        elif a is not b:
            return False
    return True


def _mentions(name: str) -> re.Pattern[str]:
    return re.compile(rf"@{re.escape(name)}\(")


def _signature(type_: FunctionType, attributes: Sequence[str]) -> _Signature | None:
    """None where parameters are hidden in another way than as the address of a struct."""
    structs = []
    for words in attributes:
        struct = _STRUCT.search(words)
        if struct is None and _HIDDEN.search(words):
            return None
        align = _ALIGN.search(words)
        structs.append(f" {struct[0]}{f' {align[0]}' if align else ''}" if struct else "")
    return _Signature(type_, tuple(structs))


def _between(
    module: Module,
    given: _Signature,
    callee: Function,
    known: dict[tuple[str, _Signature], tuple[str, str]],
    wanted: _Signature,
) -> str:
    """The function of the signature `given` that calls the callee, whose own is `wanted`; empty where there is none, or
    none is needed."""
    key = callee.name, given
    if given.type is wanted.type:
        return ""
    if key not in known:
        name = f"enzyme_build.between.{len(known)}.{callee.name}"
        body = _body(module, name, given, callee.name, wanted)
        if body is None:
            return ""
        known[key] = name, body
    return known[key][0]


def _body(module: Module, name: str, given: _Signature, callee: str, wanted: _Signature) -> str | None:
    """The function of the signature `given` that calls the callee; None where registers or sizes are others."""
    layout, type_, target = module.layout, given.type, wanted.type
    if type_.variadic or target.variadic:
        return None
    lines: list[str] = []
    passed = [
        (value, _Leaf(leaf, _normal(module, words)))
        for at, (part, words) in enumerate(_parameters(given))
        for value, leaf in _taken_apart(layout, f"%a{at}", part, lines)
    ]
    leaves = [
        _Leaf(leaf, _normal(module, words)) for part, words in _parameters(wanted) for _, leaf in _leaves(layout, part)
    ]
    if [leaf.struct for _, leaf in passed] != [leaf.struct for leaf in leaves] or not _fits(layout, leaves):
        return None
    moved = _converted(layout, [(value, leaf.type) for value, leaf in passed], [leaf.type for leaf in leaves], lines)
    if moved is None:
        return None
    arguments: list[str] = []
    for part, words in _parameters(wanted):
        own = [moved.pop(0) for _ in _leaves(layout, part)]
        arguments.append(f"{part.text}{words} {_put_together(layout, part, own, lines)}")
    call = f"call {target.result.text} @{callee}({', '.join(arguments)})"
    parameters = ", ".join(f"{part.text}{words} %a{at}" for at, (part, words) in enumerate(_parameters(given)))
    if target.result is type_.result:
        end = ["ret void"] if target.result.text == "void" else [f"ret {target.result.text} %r"]
        lines.append(call if target.result.text == "void" else f"%r = {call}")
    else:
        if "void" in (target.result.text, type_.result.text):
            return None
        lines.append(f"%r = {call}")
        results = _taken_apart(layout, "%r", target.result, lines)
        back = _converted(layout, results, [leaf for _, leaf in _leaves(layout, type_.result)], lines)
        if back is None:
            return None
        end = [f"ret {type_.result.text} {_put_together(layout, type_.result, back, lines)}"]
    text = "\n  ".join([*lines, *end])
    return f"define internal {type_.result.text} @{name}({parameters}) alwaysinline {{\n  {text}\n}}\n"


def _parameters(signature: _Signature) -> Iterator[tuple[Type, str]]:
    return zip(signature.type.parameters, signature.structs, strict=True)


def _normal(module: Module, words: str) -> str:
    """What says that a parameter is the address of a struct, in the same words for all compilers: they name the type
    that lies there in their own way."""
    struct, align = _STRUCT.search(words), _ALIGN.search(words)
    if struct is None:
        return ""
    size = module.layout.alloc_size(module.parse_type(struct[2]))
    # Where the stack holds a copy, its alignment decides at which address.
    return f"byval {size} {align[1] if align else ''}" if struct[1] == "byval" else f"sret {size}"


def _leaves(layout: DataLayout, type_: Type) -> list[tuple[tuple[int, ...], Type]]:
    return [(path, leaf) for path, leaf, _ in member_leaves(layout, type_)]


def _taken_apart(layout: DataLayout, value: str, type_: Type, lines: list[str]) -> list[tuple[str, Type]]:
    found = []
    for path, leaf in _leaves(layout, type_):
        if not path:
            found.append((value, leaf))
            continue
        name = f"%v{len(lines)}"
        lines.append(f"{name} = extractvalue {type_.text} {value}, {', '.join(map(str, path))}")
        found.append((name, leaf))
    return found


def _converted(
    layout: DataLayout, given: Sequence[tuple[str, Type]], wanted: Sequence[Type], lines: list[str]
) -> list[str] | None:
    """The values in the types that are wanted; None where one is in another register, or of another size."""
    if len(given) != len(wanted):
        return None
    found = []
    for (value, type_), other in zip(given, wanted, strict=True):
        if type_ is other:
            found.append(value)
            continue
        op = _conversion(layout, type_, other)
        if not op:
            return None
        found.append(f"%v{len(lines)}")
        lines.append(f"{found[-1]} = {op} {type_.text} {value} to {other.text}")
    return found


def _conversion(layout: DataLayout, given: Type, wanted: Type) -> str:
    """What makes one of the other; empty where they are in other registers, or of other sizes."""
    if isinstance(given, IntType) and isinstance(wanted, IntType):
        return "trunc" if given.bits > wanted.bits else "zext"  # what is above a member is padding
    if layout.store_size(given) != layout.store_size(wanted) or _is_general(given) is not _is_general(wanted):
        return ""
    return (
        "inttoptr" if isinstance(wanted, PointerType) else "ptrtoint" if isinstance(given, PointerType) else "bitcast"
    )


def _is_general(type_: Type) -> bool:
    return isinstance(type_, PointerType | IntType)


def _fits(layout: DataLayout, leaves: Sequence[_Leaf]) -> bool:
    """Are there registers for all? Behind the last one a struct is in memory as a whole, and its parts are not. Structs
    that are passed in memory take none."""
    types = [leaf.type for leaf in leaves if not leaf.struct.startswith("byval")]
    sizes = [layout.store_size(type_) for type_ in types]
    general = sum(map(_is_general, types))
    return max(sizes, default=0) <= 8 and general <= _GENERAL_REGISTERS and len(types) - general <= _VECTOR_REGISTERS


def _put_together(layout: DataLayout, type_: Type, values: Sequence[str], lines: list[str]) -> str:
    whole = "poison"
    for (path, leaf), value in zip(_leaves(layout, type_), values, strict=True):
        if not path:
            return value
        name = f"%v{len(lines)}"
        lines.append(f"{name} = insertvalue {type_.text} {whole}, {leaf.text} {value}, {', '.join(map(str, path))}")
        whole = name
    return whole
