"""Link: many modules to one, as text.

All inputs are parsed into one context (linking across contexts breaks them silently) with one triple, since languages
spell the same target differently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import llvmlite.binding as ll  # noqa: TID251

from enzyme_build.errors import InputError
from enzyme_build.llvm.context import initialize, parse_module_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

# Module flags that differ harmlessly between thin and full LTO and between languages, yet stop LLVM's linker.
_CONFLICTING_FLAGS = ("EnableSplitLTOUnit", "ThinLTO", "UnifiedLTO")


def merge(inputs: Sequence[tuple[str, bytes]]) -> str:
    """The text of one module made of all `inputs` (name, bitcode or text)."""
    try:
        return _merge(inputs)
    except InputError as error:
        if "module flag" not in error.message:
            raise
    return _merge([(name, _reconcile_flags(name, data)) for name, data in inputs])


def _merge(inputs: Sequence[tuple[str, bytes]]) -> str:
    initialize()
    context = ll.create_context()
    modules = [(name, parse_module_file(data, name, context)) for name, data in inputs]
    _, merged = modules[0]
    for name, module in modules[1:]:
        module.triple = merged.triple
        try:
            merged.link_in(module)
        except RuntimeError as error:
            raise InputError(f"cannot link '{name}': {str(error).strip()}") from error
    text = str(merged)
    merged.close()
    return text


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
    module = parse_module_file(bitcode, "bodies", ll.create_context())
    names = {function.name for function in module.functions if not function.is_declaration}
    module.close()
    return names


def needed_part(bitcode: bytes, names: AbstractSet[str]) -> str:
    """The module's text without the definitions that neither `names` nor their callees need."""
    module = parse_module_file(bitcode, "bodies", ll.create_context())
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = ll.Linkage.internal
    passes = ll.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    machine = ll.Target.from_default_triple().create_target_machine()
    passes.run(module, ll.create_pass_builder(machine, ll.create_pipeline_tuning_options(speed_level=0)))
    text = str(module)
    module.close()
    return text
