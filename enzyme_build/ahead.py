"""Derivatives made ahead of time, on both sides of a link: described in a section of what they are in, and found there.

The describing side is the link (or compilation) that exports them: when they are optimised, `described` says what
callers may rely upon, and gives them names that depend on it. The finding side is a link with calls of functions whose
bodies it has not: `derivatives_of` looks for descriptions in the machine code that defines them.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from enzyme_build.analysis.exported import ExportedFunction, from_json, stamp
from enzyme_build.bindings.exports import export_requests, not_defined, parse_specification, unmatched
from enzyme_build.differentiate.requests import EXPORTED
from enzyme_build.differentiate.runtime import conventions
from enzyme_build.errors import InputError, UnsupportedError
from enzyme_build.ir.parser import parse_module
from enzyme_build.regex import regex
from enzyme_build.toolchain.export_section import ALIGNMENT, SECTION, packed, unpacked
from enzyme_build.toolchain.objects import definer, origins

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from enzyme_build.analysis.exported import ExportedDerivative
    from enzyme_build.differentiate.export import ExportRequest, MadeExports
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.jobs import LinkJob
    from enzyme_build.toolchain.objects import ObjectFile
    from enzyme_build.toolchain.resolve import Resolution

    Exported: TypeAlias = ExportedFunction | UnsupportedError
    """A function with its derivatives, or why those that there are cannot be used."""
    LlvmModule: TypeAlias = Any

_FUNCTION_FACT: Final = regex(r"memory\([^)]*\)|\b(?:nounwind|willreturn|nofree|nosync)\b")
_ARGUMENT_FACT: Final = regex(r"captures\([^)]*\)|\b(?:readonly|readnone|writeonly)\b")
_UNSTABLE: Final = regex(r"^(?:source_filename = |; ModuleID|!).*\n", re.MULTILINE)


def producer() -> str:
    """What descriptions of other makers must agree with."""
    from enzyme_build.llvm.context import llvm_version

    return f"LLVM {llvm_version().partition('.')[0]}, conventions {conventions()}"


def digest_of(text: str) -> str:
    """Of a module's code, wherever its sources lie."""
    import hashlib

    return hashlib.sha256(_UNSTABLE.sub("", text).encode()).hexdigest()


class Ahead:
    """What a link has to do with derivatives made ahead of time: those it makes for others, `requests`, and those that
    others made for it, `exported`."""

    def __init__(self, merged: str, job: LinkJob, resolution: Resolution) -> None:
        self.merged = merged
        """The merged module, where functions with derivatives are declared with what is known of them."""
        self.requests: tuple[ExportRequest, ...] = ()
        self.exported: dict[str, Exported] = {}
        self.made: dict[str, MadeExports] = {}
        if job.ahead:
            self.requests = tuple(_requests(merged, job, resolution))
        if any(item.exports for item in resolution.machine_code):
            declared = [one.name for one in parse_module(merged).functions if one.is_declaration]
            declared = [name for name in declared if name not in job.assigned]
            found = derivatives_of(declared, resolution)
            self.merged, self.exported = with_declarations(merged, found)

    @property
    def functions(self) -> frozenset[str]:
        """Those whose derivatives are exported."""
        return frozenset(request.function for request in self.requests)

    def leave_out(self, functions: Collection[str]) -> bool:
        """Export nothing of these functions; whether anything is left to export."""
        self.requests = tuple(request for request in self.requests if request.function not in functions)
        return bool(self.requests)

    def take(self, module: Module) -> None:
        """Note what was made in a module."""
        self.made = cast("dict[str, MadeExports]", module.cache[EXPORTED])

    def described(self, module: LlvmModule, source: str) -> LlvmModule:
        """The optimised module with final names of the exported derivatives, and the section that describes them."""
        from enzyme_build.llvm.context import parse_text
        from enzyme_build.llvm.link import merge

        functions, names = with_stamps(described(str(module), self.made, digest_of(source)))
        for old, new in names.items():
            module.get_function(old).name = new
        section = section_module(functions)
        whole = merge([("the optimised module", str(module).encode()), ("the section", section.encode())])
        return parse_text(whole, "the module with exported derivatives")


def _requests(merged: str, job: LinkJob, resolution: Resolution) -> list[ExportRequest]:
    module = parse_module(merged)
    refuse_missing(module, job, resolution)
    return export_requests(module, [parse_specification(text) for text in job.ahead])


def refuse_missing(module: Module, job: LinkJob, resolution: Resolution) -> None:
    """Refuse to export what is neither defined in the module nor exported by what is linked. Of what is machine code,
    the error says whose."""
    if job.ahead_if_there:
        return
    specifications = [parse_specification(text) for text in job.ahead]
    missing = list(unmatched(specifications, module, exported_names(resolution)))
    if missing:
        defined = {name for item in resolution.machine_code if item.symbols for name in item.symbols.defined}
        meant = (next(filter(one.names, sorted(defined)), None) for one in missing)
        raise not_defined(missing, origins([name for name in meant if name], resolution.machine_code))


# Describe -------------------------------------------------------------------------------------------------------------


def described(text: str, made: Mapping[str, MadeExports], source: str) -> list[ExportedFunction]:
    """The exported functions of an optimised module; the derivatives have the names that they have in it."""
    module = parse_module(text)
    functions = []
    for name, exports in made.items():
        function = module.function(name)
        facts = (
            " ".join(_FUNCTION_FACT.findall(module.attributes_of(function))),
            *(" ".join(_ARGUMENT_FACT.findall(argument.attributes)) for argument in function.arguments),
        )
        derivatives = tuple(_with_uses(module, function, one) for one in exports.derivatives)
        type_ = function.function_type.text
        functions.append(ExportedFunction(name, type_, producer(), source, facts, derivatives, exports.memory))
    return functions


def _with_uses(module: Module, primal: Function, made: ExportedDerivative) -> ExportedDerivative:
    passes = [module.function(symbol) for symbol in made.symbols]
    read = [{operand for i in one.instructions() for operand in i.operands} for one in passes]
    uses = [[argument in seen for argument in one.arguments] for one, seen in zip(passes, read, strict=True)]
    used, at = [], 0
    for number in range(len(primal.arguments)):
        activity = made.arguments[number]
        at += 1
        shadowed = activity.has_shadow or (made.mode.value == "forward" and activity.value == "out")
        used.append(shadowed and any(of_pass[at] for of_pass in uses))
        at += shadowed
    reads = tuple(uses[-1]) if len(passes) > 1 else ()
    return replace(made, shadows_used=tuple(used), reverse_reads=reads)


def with_stamps(functions: Iterable[ExportedFunction]) -> tuple[list[ExportedFunction], dict[str, str]]:
    """The functions with the final names of their derivatives, and these by the names so far."""
    names: dict[str, str] = {}
    stamped = []
    for function in functions:
        derivatives = []
        for one in function.derivatives:
            symbols = tuple(symbol.replace(".", f".{stamp(function, one)}.", 1) for symbol in one.symbols)
            names.update(zip(one.symbols, symbols, strict=True))
            derivatives.append(replace(one, symbols=symbols))
        stamped.append(replace(function, derivatives=tuple(derivatives)))
    return stamped, names


def section_module(functions: Iterable[ExportedFunction]) -> str:
    """A module with nothing but the section, which linkers keep."""
    data = packed(function.to_json() for function in functions)
    text = "".join(chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)
    variable = f'@ad_export.section = private constant [{len(data)} x i8] c"{text}"'
    used = '@llvm.used = appending global [1 x ptr] [ptr @ad_export.section], section "llvm.metadata"'
    return f'{variable}, section "{SECTION}", align {ALIGNMENT}\n{used}\n'


# Find -----------------------------------------------------------------------------------------------------------------


def derivatives_of(names: Collection[str], resolution: Resolution) -> dict[str, Exported]:
    """For each of the functions that machine code with a description defines: its derivatives, or what is wrong.
    Where several objects define one, only what is called counts."""
    owners = {name: definer(name, resolution.machine_code) for name in names}
    found: dict[str, Exported] = {}
    for item in resolution.machine_code:
        wanted = {name for name, owner in owners.items() if owner is item} if item.exports else ()
        found.update(_in_object(wanted, item) if wanted else {})
    return found


def exported_names(resolution: Resolution) -> Iterator[str]:
    """The functions that the machine code of a link describes."""
    for item in resolution.machine_code:
        yield from (function.name for function in _entries(item)[0])


def _entries(item: ObjectFile) -> tuple[list[ExportedFunction], str]:
    """What can be read of an object's description, and why no more can."""
    functions: list[ExportedFunction] = []
    try:
        functions.extend(from_json(entry) for section in item.exports for entry in unpacked(section))
    except InputError as error:
        return functions, error.message
    return functions, ""


def _in_object(wanted: Collection[str], item: ObjectFile) -> dict[str, Exported]:
    functions, problem = _entries(item)
    found: dict[str, Exported] = {}
    for function in functions:
        if function.name in wanted:
            found[function.name] = _checked(function, item)
    for name in wanted:
        if problem:
            found.setdefault(name, _unusable(name, item, f"the section '{SECTION}' cannot be read: {problem}"))
        else:
            found.setdefault(name, _left_out(name, item, functions))
    return found


def _left_out(name: str, item: ObjectFile, functions: Sequence[ExportedFunction]) -> UnsupportedError:
    """Of a library with derivatives of other functions: what is not described may keep active data for those."""
    return UnsupportedError(
        f"'{item.name}' exports derivatives, but none of '{name}', which works on active data",
        hint=f"export '{name}' too, keep active data out of the call, or declare it with enzyme_inactive",
        notes=[f"exported: {', '.join(function.name for function in functions)}"],
        code="E0350",
    )


def _checked(function: ExportedFunction, item: ObjectFile) -> Exported:
    if function.producer != producer():
        return _unusable(function.name, item, f"they were made with {function.producer}, here is {producer()}")
    symbols = [symbol for one in function.derivatives for symbol in one.symbols]
    assert item.symbols is not None
    missing = [symbol for symbol in symbols if symbol not in item.symbols.defined]
    if missing:
        hint = f"export 'ad_export.*' too where a version script or option hides symbols; '{missing[0]}' is missing"
        return _unusable(function.name, item, "the functions that its description names are not visible in it", hint)
    return function


def _unusable(name: str, item: ObjectFile, why: str, hint: str = "") -> UnsupportedError:
    return UnsupportedError(
        f"the exported derivatives of '{name}' in '{item.name}' cannot be used: {why}",
        hint=hint or f"build '{item.name}' anew, with this enzyme-build; or link the code of '{name}' instead",
        code="E0351",
    )


def with_declarations(text: str, found: Mapping[str, Exported]) -> tuple[str, dict[str, Exported]]:
    """The module where functions are declared with what is known of their bodies; those that are declared with another
    type than they have, which is not the same in registers, become errors."""
    from enzyme_build.llvm.conventions import with_declared_types
    from enzyme_build.llvm.declarations import with_declared_facts
    from enzyme_build.llvm.other_parameters import type_of_other_call

    text = with_declared_types(
        text, {one.name: one.type for one in found.values() if isinstance(one, ExportedFunction)}
    )
    module = parse_module(text)
    checked = dict(found)
    facts = {}
    for name, function in found.items():
        declared = module.function(name).function_type.text
        if isinstance(function, UnsupportedError):
            continue
        if declared == function.type and (other := type_of_other_call(module, name)):
            declared = other.text  # by another source than the one whose declaration is that of all
        if declared != function.type:
            checked[name] = UnsupportedError(
                f"'{name}' is declared here as {declared}, and its exported derivatives are for {function.type}",
                hint="declare it as it is defined; or if that has changed, build what exports it anew",
                code="E0351",
            )
        else:
            facts[name] = function.facts
    return with_declared_facts(text, facts), checked
