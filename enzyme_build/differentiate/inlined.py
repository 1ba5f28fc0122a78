"""Finds functions with rules of their users that a compiler inlined before it could know of the rules.

The drivers see to it that the calls of such functions stay calls in the file that tells of them; another file that has
the function's body may have been compiled without. Then the rule would be lost without a sign, but for the debug
locations of what was inlined. Of a function that only returns its argument, or always the same, not even those are
left: then nothing is differentiated that was optimised in a file which had its body and may not have known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.annotations import annotations_of
from enzyme_build.errors import UnsupportedError
from enzyme_build.ir.debug import location_of, subprogram_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.instructions import Return
from enzyme_build.ir.values import Argument, Constant
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from enzyme_build.ir.module import Module

_DBG: Final = regex(r"!dbg (!\d+)")
_UNTOLD: Final = regex(r'"enzyme-untold"="(file|others|all)"')


def lost_rules(module: Module, functions: Iterable[Function]) -> list[UnsupportedError]:
    """One finding for each such function that was inlined into one of `functions`, or whose result there is known."""
    functions = list(functions)
    table = annotations_of(module)
    found: dict[str, UnsupportedError] = {}
    for function in functions if table.kept_as_calls() else ():
        used = {operand for i in function.instructions() for operand in i.operands}
        for i in function.instructions():
            callee = getattr(i, "callee", None)
            told_of = isinstance(callee, Function) and table.overrides(callee.name) and callee.name not in found
            if isinstance(callee, Function) and told_of and i not in used:
                known_result = _known_result(module, callee, inactive=callee.name in table.inactive)
                if known_result:
                    found[callee.name] = UnsupportedError(
                        f"'{callee.name}' has a rule of its own, but always returns {known_result}, which compilers "
                        "use in place of its result",
                        location=location_of(module, i),
                        hint="put the registration into the file that defines the function, or declare the function "
                        "only and define it in a file that is not compiled with enzyme-cc",
                        code="E0338",
                    )
    for error in _replaced_calls(module, functions):
        found.setdefault(error[0], error[1])
    told: dict[str, str] = {}
    for name in annotations_of(module).kept_as_calls():
        match = _DBG.search(getattr(module.globals.get(name), "suffix", ""))
        if match is not None:
            told[match[1]] = name
    if not told:
        return list(found.values())
    known: dict[str, str | None] = {}
    for function in functions:
        for i in function.instructions():
            match = _DBG.search(i.metadata)
            if match is None:
                continue
            if match[1] not in known:
                known[match[1]] = _inlined(module, match[1], told)
            lost = known[match[1]]
            if lost is not None and lost not in found:
                found[lost] = UnsupportedError(
                    f"'{lost}' has a rule of its own, but was inlined here by a compiler that did not know of it",
                    location=location_of(module, i),
                    hint="put the registration into the file that defines the function, or mark the function "
                    "__attribute__((noinline))",
                    code="E0338",
                )
    return list(found.values())


def untold_mark(module: Module, function: Function, *, inline: bool) -> str:
    """The attribute for a function with a rule which the compiler of some file did not know of; else nothing.

    `"file"`: where it is defined. Where every file may have had a body of its own (`inline`), that is `"all"`, or all
    `"others"`. To be asked before `optnone` is taken away, which the function has where it was compiled with its rule.
    """
    if not module.is_defined(function.name):
        return ""
    unknown = "optnone" not in module.attributes_of(function) and _is_optimised(module, function)
    where = ("all" if inline else "file") if unknown else "others" if inline else ""
    return f'"enzyme-untold"="{where}"' if where else ""


def _replaced_calls(module: Module, functions: Iterable[Function]) -> Iterator[tuple[str, UnsupportedError]]:
    """What may have been calls of functions with rules that compilers need not call to know the result."""
    table = annotations_of(module)
    for name in sorted(table.kept_as_calls()):
        callee = module.globals.get(name)
        mark = _UNTOLD.search(module.attributes_of(callee)) if isinstance(callee, Function) else None
        if not isinstance(callee, Function) or mark is None or not table.overrides(name):
            continue
        known_result = _known_result(module, callee, inactive=name in table.inactive)
        for function in functions if known_result else ():
            same_file = _unit(module, function) == _unit(module, callee)
            suspected = mark[1] == "all" or same_file == (mark[1] == "file")
            if suspected and function is not callee and _is_optimised(module, function):
                program = subprogram_of(module, function)
                yield (
                    name,
                    UnsupportedError(
                        f"'{name}' has a rule of its own, but always returns {known_result}, which the compiler of "
                        f"'{function.name}' may have used in place of calls without knowing of the rule",
                        location=program.location if program is not None else None,
                        hint=f"put the registration into every file that has the body of '{name}' (a header of both, "
                        "or an attribute of the function), or mark the function __attribute__((noinline, optnone))",
                        code="E0338",
                    ),
                )
                break


def _unit(module: Module, function: Function) -> str:
    """The file that was compiled; "" where nothing tells."""
    return _program_field(module, function, "unit")


def _is_optimised(module: Module, function: Function) -> bool:
    return "DISPFlagOptimized" in _program_field(module, function, "spFlags")


def _program_field(module: Module, function: Function, name: str) -> str:
    match = _DBG.search(function.suffix) or _DBG.search(function.prefix)
    node = module.find_node(match[1]) if match else None
    return node.fields.get(name, "") if node is not None else ""


def _known_result(module: Module, callee: Function, *, inactive: bool) -> str:
    """What every call returns, as far as a compiler can have found out and used before the link."""
    if not callee.function_type.result.is_float_like or not module.is_defined(callee.name):
        return ""
    if any("returned" in argument.attributes.split() for argument in callee.arguments):
        return "its argument"
    returns = [i for i in module.function(callee.name).instructions() if isinstance(i, Return)]
    if len({i.operands[0] for i in returns if isinstance(i.operands[0], Argument)}) == len(returns) == 1:
        return "its argument"
    if not inactive and returns and all(isinstance(i.operands[0], Constant) for i in returns):
        return "the same"
    return ""


def _inlined(module: Module, location: str, told: dict[str, str]) -> str | None:
    """The function of `told` that a debug location was inlined from."""
    node = module.find_node(location)
    while node is not None and node.kind == "DILocation":
        outer = node.fields.get("inlinedAt", "null")
        reference = node.fields.get("scope", "null")
        scope = module.find_node(reference)
        while scope is not None and scope.kind != "DISubprogram":
            reference = scope.fields.get("scope", "null")
            scope = module.find_node(reference)
        if outer != "null" and reference in told:
            return told[reference]
        node = module.find_node(outer)
    return None
