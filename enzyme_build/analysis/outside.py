"""What code that a derivative does not go through does with variables and functions, as its text says.

Such code is not parsed: lines that mention a name are read as text, and what is not understood may do anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.function import Function
from enzyme_build.ir.names import global_text, unquote
from enzyme_build.ir.values import GlobalVariable
from enzyme_build.regex import regex
from enzyme_build.rules.memory import ALLOCATIONS, DEALLOCATIONS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .callgraph import CallGraph

_STORE = regex(r"^\s*store (?:volatile )?((?:\S+ )\S+), (ptr .*)")
_LOAD = regex(r"= load (?:volatile )?([^,]+), ptr ")
_NUMBERS = frozenset("i1 i8 i16 i32 float double x86_fp80".split())  # noqa: SIM905
_CALL: Final = regex(r"\b(?:call|invoke) [^@]*@(\"[^\"]*\"|[-\w.$]+)\(")
_RESULT: Final = regex(r"^\s*(%(?:\"[^\"]*\"|[-\w.$]+)) = (\w+)")
_NAME: Final = r"[%@](?:\"[^\"]*\"|[-\w.$]+)"
_NAMES: Final = regex(_NAME)
_STORED: Final = regex(rf"^\s*store (?:volatile )?(.+?) (\S+), ptr ({_NAME})(?:,|$)")
_SAME: Final = frozenset("getelementptr phi select freeze bitcast add sub mul shl ashr lshr sdiv udiv".split())  # noqa: SIM905
_MERGED: Final = {"phi": regex(rf"\[ ({_NAME}),"), "select": regex(rf", \S+ ({_NAME})")}
_PART: Final = regex(rf"getelementptr [^()]*\([^()]*?, ptr ({_NAME})[^()]*\)")
_HARMLESS: Final = ("#dbg", "br ", "define ", "call void @llvm.dbg.")


def reached(graph: CallGraph, functions: Iterable[Function]) -> set[str]:
    """Names of the functions that these use, directly or not."""
    found = dict.fromkeys(functions)
    pending = list(found)
    while pending:
        new = [used for used in graph.uses.get(pending.pop(), ()) if used not in found]
        found |= dict.fromkeys(new)
        pending += new
    return {function.name for function in found}


def set_elsewhere(module: Module, variable: Value, seen: Collection[str]) -> bool:
    """May code other than these functions set the variable?"""
    if not isinstance(variable, GlobalVariable) or not variable.is_local:
        return True
    name = variable.text
    if any(not _sets_nothing(line, name) for line in _lines_elsewhere(module, variable, seen)):
        return True
    return _in_initializers(module, variable)


def passed_on(module: Module, variable: Value, seen: Collection[str]) -> bool:
    """May code other than these functions store the variable's address somewhere?"""
    if not isinstance(variable, GlobalVariable) or not variable.is_local:
        return True
    name = variable.text
    for line in _lines_elsewhere(module, variable, seen):
        stored = _STORE.search(line)
        if stored is None and _LOAD.search(line) is None and not _sets_nothing(line, name):
            return True
        if stored is not None and name in stored[1]:
            return True
    return False


def gets_from_outside(module: Module, variable: GlobalVariable, seen: Collection[str]) -> bool:
    """May code other than these functions make the variable lead to memory that has other pointers to it?

    Not so fresh memory that only the variable keeps, or what such code reads, writes and frees through it.
    """
    if not variable.is_local or _in_initializers(module, variable):
        return True
    return any(
        not _keeps_to_itself(module, _body(module, function), [variable.text])
        for function in module.callers_of(variable.name)
        if function not in seen
    )


def is_used_outside(module: Module, function: Function, seen: Collection[str]) -> bool:
    """May code other than these functions call it?"""
    if not function.is_local:
        return True
    name = re.compile(re.escape(global_text(function.name)) + r"(?![-\w.$])")
    others = (caller for caller in module.callers_of(function.name) if caller not in seen)
    if any(name.search("\n".join(_body(module, caller))) for caller in others):
        return True
    variables = (v for v in module.globals.values() if isinstance(v, GlobalVariable) and v.initializer is not None)
    return any(name.search(v.initializer or "") for v in variables)


def hands_on_results(module: Module, function: Function, seen: Collection[str]) -> bool:
    """May code other than these functions keep a pointer that this one returns, or give it to anybody?"""
    if not function.is_local or _in_initializers(module, function):
        return True
    called = re.compile(rf"^\s*({_NAME}) = .*\bcall [^@]*{re.escape(function.text)}\(")
    for caller in module.callers_of(function.name):
        if caller in seen:
            continue
        body = _body(module, caller)
        lines = [line for line in body if _mentions(line, function.text)]
        results = [found[1] for line in lines if (found := called.match(line))]
        others = [line for line in lines if not called.match(line) and not line.startswith("define ")]
        if others or not _keeps_to_itself(module, body, results):
            return True
    return False


def _mentions(line: str, name: str) -> bool:
    return name in _NAMES.findall(line)


def _body(module: Module, function: str) -> list[str]:
    start, end = module.bodies[function]
    return module.text[start:end].splitlines()


def _in_initializers(module: Module, value: GlobalVariable | Function) -> bool:
    others = (v for v in module.globals.values() if isinstance(v, GlobalVariable) and v is not value)
    return any(v.initializer is not None and value.text in v.initializer for v in others)


def _lines_elsewhere(module: Module, variable: GlobalVariable, seen: Collection[str]) -> Iterator[str]:
    """Lines of other functions that mention the variable."""
    for function in module.callers_of(variable.name):
        if function not in seen:
            yield from (line for line in _body(module, function) if variable.text in line)


def _sets_nothing(line: str, name: str) -> bool:
    """Does this line of a function neither store a pointer other than null or the variable's own address, nor read one
    or pass the address on? (Constructors of empty containers; what runs at the end of the program does not count.)"""
    if "@__cxa_atexit(" in line or ("@llvm.memset." in line and ", i8 0, " in line):
        return True
    if " zeroinitializer, ptr " in line:
        return True
    stored = _STORE.search(line)
    if stored is not None:
        value, rest = stored[1].strip(), stored[2]
        return value in ("ptr null", f"ptr {name}") or (value.split(" ", 1)[0] in _NUMBERS and name in rest)
    read = _LOAD.search(line)
    return read is not None and "ptr" not in read[1]


def _keeps_to_itself(module: Module, body: list[str], starts: Collection[str]) -> bool:
    """Does a function put nothing into the memory behind some pointers but fresh memory and what was there, and no
    pointer to there anywhere else?"""
    mentions: dict[str, list[str]] = {}
    for text in body:
        line = _PART.sub(r"\1", text)  # a part of a variable is the variable
        for name in dict.fromkeys(_NAMES.findall(line)):
            mentions.setdefault(name, []).append(line)
    led: dict[str, set[str]] = {start: set() for start in starts}
    needed: set[str] = set()
    pending = [*starts]
    while pending:
        name = pending.pop()
        for line in mentions.get(name, ()):
            step = _followed(module, line, name, mentions)
            if step is None:
                return False
            made, others = step
            if made is None:
                needed |= others
            elif made not in led:
                led[made] = others
                pending.append(made)
    return needed <= _certain(led)


def _certain(led: dict[str, set[str]]) -> set[str]:
    """Pointers that lead there for sure, of those that may and of what they are made of."""
    found = set(led)
    while other := {name for name in found if not led[name] <= found}:
        found -= other
    return found


def _followed(
    module: Module, line: str, name: str, mentions: dict[str, list[str]]
) -> tuple[str | None, set[str]] | None:
    """After a line with a pointer to such memory: the pointer that it makes (if any), and what else has to be such
    pointers for it to be one, or for the line to do no harm. None: it may do anything."""
    result = _RESULT.match(line)
    called = _CALL.search(line)
    if line.lstrip().startswith(_HARMLESS) or "@__cxa_atexit(" in line:
        return None, set()
    if called is not None:
        if result is not None and called[1] in ALLOCATIONS and ALLOCATIONS[called[1]].stored is None:
            return result[1], set()
        harmless = called[1] in DEALLOCATIONS or called[1].startswith(("llvm.memset.", "llvm.lifetime."))
        if result is not None and result[1] == name:
            harmless = True  # where it comes from
        return (None, set()) if harmless or _only_reads(module, called, line, name) else None
    if result is not None:
        made, operation = result.groups()
        if operation == "load":
            read = _LOAD.search(line)
            return (None, set()) if read is not None and read[1].strip() in _NUMBERS else (made, {name})
        if operation == "icmp":
            return None, set()
        if operation in _MERGED and "(" in line:
            return None
        merged = _MERGED[operation].findall(line) if operation in _MERGED else [name]
        return (made, set(merged)) if operation in _SAME else None
    stored = _STORED.match(line)
    if stored is None or "(" in line:
        return None
    type_, value, to = stored.groups()
    if to != name:
        return None, {to}
    if type_ in _NUMBERS or _NAMES.match(value) is None:
        return None, set()
    defined = [call for other in mentions.get(value, ()) if _defines(other, value) and (call := _CALL.search(other))]
    return (value, set()) if defined and defined[0][1] in ALLOCATIONS else (None, {value})


def _defines(line: str, name: str) -> bool:
    result = _RESULT.match(line)
    return result is not None and result[1] == name


def _only_reads(module: Module, called: re.Match[str], line: str, name: str) -> bool:
    """Does a function that is given a pointer only look at the memory?"""
    function = module.globals.get(unquote(called[1]))
    given = _arguments(line[called.end() :])
    if not isinstance(function, Function) or len(given) != len(function.arguments):
        return False
    formals = [formal for formal, text in zip(function.arguments, given, strict=True) if _mentions(text, name)]
    return bool(formals) and all(
        "captures(none)" in formal.attributes and ("readonly" in formal.attributes or "readnone" in formal.attributes)
        for formal in formals
    )


def _arguments(text: str) -> list[str]:
    """The arguments of a call, whose text begins behind the parenthesis."""
    found, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            break
        if character == "," and not depth:
            found.append("")
        else:
            found[-1] += character
    return found if found != [""] else []
