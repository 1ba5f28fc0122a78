"""Link: many modules to one, as text.

All inputs are parsed into one context (linking across contexts breaks them silently) with one triple, since languages
spell the same target differently. LLVM's linker leaves out internal variables that nothing refers to, and its
optimiser does: those that tell us something are visible for the linker and listed as used behind it.
"""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError
from enzyme_build.llvm.context import Module, parse_module_file
from enzyme_build.llvm.engine import Target, engine
from enzyme_build.llvm.text import changing_inputs, used_internally
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

# Module flags that differ harmlessly between thin and full LTO and between languages, yet stop LLVM's linker.
_CONFLICTING_FLAGS = ("EnableSplitLTOUnit", "ThinLTO", "UnifiedLTO")
_NEEDLE: Final = "__enzyme_"
_TRIPLE: Final = "x86_64-unknown-linux-gnu"
_LAYOUT: Final = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
_TWICE: Final = regex(r"Linking globals named '([^']*)': symbol multiply defined")
_SOURCE: Final = regex(r'(?m)^source_filename = "([^"]*)"')
_LISTS: Final = ("llvm.used", "llvm.compiler.used")


def merge(inputs: Sequence[tuple[str, bytes]], *, first_counts: bool = False) -> str:
    """The text of one module made of all `inputs` (name, bitcode or text). Of several definitions of one symbol the
    first counts, if linkers are told so; otherwise they are an error."""
    try:
        return _merge(inputs, first_counts=first_counts)
    except InputError as error:
        if "module flag" not in error.message:
            raise
    return _merge([(name, _reconcile_flags(name, data)) for name, data in inputs], first_counts=first_counts)


def _merge(inputs: Sequence[tuple[str, bytes]], *, first_counts: bool) -> str:
    context = engine().new_context()
    modules = [(name, parse_module_file(data, name, context)) for name, data in inputs]
    for name, module in modules:
        _settle_target(name, module)
    _, merged = modules[0]
    told = [module for (_, module), (_, data) in zip(modules, inputs, strict=True) if _NEEDLE.encode() in data]
    shown = [name for number, module in enumerate(told) for name in _show_internal(module, number)]
    defined: set[str] = set()
    if first_counts:
        _leave_out_others(merged, defined)
    for number, (_, module) in enumerate(modules[1:], 1):
        module.triple = merged.triple
        if first_counts:
            _leave_out_others(module, defined)
        try:
            merged.link_in(module)
        except RuntimeError as error:
            raise _failed(str(error).strip(), inputs, number) from error
    text = changing_inputs(str(merged))
    merged.close()
    return used_internally(text, shown)


def _leave_out_others(module: Module, defined: set[str]) -> None:
    """Let a module's definitions of what is `defined` before count for nothing, and add its own."""
    for value in (*module.functions, *module.global_variables):
        if value.is_declaration or not value.is_strong:
            continue
        if value.name in defined:
            value.set_linkage("available_externally")
        defined.add(value.name)


def _failed(said: str, inputs: Sequence[tuple[str, bytes]], number: int) -> InputError:
    """The error of an input that cannot be linked to those before it, by the names of their sources."""
    twice = _TWICE.search(said)
    modules = [(name, parse_module_file(data, name)) for name, data in inputs[: number + 1]]
    shown = [_source_of(name, module) for name, module in modules]
    first = next(
        (
            source
            for source, (_, module) in zip(shown[:-1], modules, strict=False)
            for value in (*module.functions, *module.global_variables)
            if twice is not None and value.name == twice[1] and not value.is_declaration
        ),
        None,
    )
    if twice is None or first is None:
        return InputError(f"cannot link '{shown[-1]}': {said}")
    return InputError(
        f"'{twice[1]}' is defined in '{first}' and in '{shown[-1]}'",
        hint="make one of them static or leave it out; with -Wl,--allow-multiple-definition the first counts",
    )


def _source_of(name: str, module: Module) -> str:
    """The source of an object that a driver made for itself; others by their names."""
    if not name.startswith(tempfile.gettempdir()):
        return name
    source = _SOURCE.search(str(module))
    return source[1] if source is not None else name


def _settle_target(name: str, module: Module) -> None:
    """Text that says of no processor that it is for it, as generators write it, is for ours: LLVM's own sizes of types
    are others."""
    processor = module.triple.partition("-")[0]
    if processor in {"", "unknown"}:
        module.triple = _TRIPLE
        module.data_layout = module.data_layout or _LAYOUT
    elif processor != "x86_64":
        raise InputError(f"'{name}' is code for '{module.triple}'", hint="compile it for x86-64")


def _show_internal(module: Module, number: int) -> list[str]:
    """Make the module's internal variables that tell us something visible, by names that no other module has."""
    listed = "".join(str(variable) for variable in module.global_variables if variable.name in _LISTS)
    names = []
    for variable in module.global_variables:
        if _NEEDLE in variable.name and variable.is_local and f"@{variable.name}" not in listed:
            variable.name = f"{variable.name}.{number}"
            variable.set_linkage("external")
            names.append(variable.name)
    return names


def _reconcile_flags(name: str, data: bytes) -> bytes:
    """The module with its LTO flags of behaviour "maximum" instead of "error" (in text: bitcode has no such edit)."""
    module = parse_module_file(data, name)
    text = str(module)
    module.close()
    for flag in _CONFLICTING_FLAGS:
        text = text.replace(f'= !{{i32 1, !"{flag}", i32 ', f'= !{{i32 7, !"{flag}", i32 ')
    return text.encode()


def definitions(bitcode: bytes) -> set[str]:
    """Names of the functions with a body."""
    module = parse_module_file(bitcode, "bodies")
    names = {function.name for function in module.functions if not function.is_declaration}
    module.close()
    return names


def needed_part(bitcode: bytes, names: AbstractSet[str]) -> str:
    """The module's text without the definitions that neither `names` nor their callees need."""
    module = parse_module_file(bitcode, "bodies")
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in names:
            value.set_linkage("internal")
    engine().run_passes(module, Target(level=0), ("globaldce",))
    text = str(module)
    module.close()
    return text
