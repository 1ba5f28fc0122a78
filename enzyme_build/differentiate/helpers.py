"""The bodies of functions that derivatives call, put into the module when all derivatives are there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from enzyme_build.ir.function import Function
from enzyme_build.ir.instructions import CallBase
from enzyme_build.regex import regex
from enzyme_build.rules.registry import helper as special_helper

from .runtime import TEXTS, add_text
from .runtime_constants import constant_text
from .runtime_copies import COPIES

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module

_PARAMETER_NAME: Final = regex(r" %\w+(?=[,)])")
_MANY_CALLS: Final = 16


def ensure_helpers(module: Module) -> None:
    """Define the functions of ours that were only declared so far: special functions of formulas, and what the
    runtime functions call themselves."""
    while True:
        declared = [f for f in module.functions if f.is_declaration and f.name.startswith("enzyme_build.")]
        for function in declared:
            if text := constant_text(function):
                add_text(module, text, function.name)
        pending = [f.name for f in declared if f.is_declaration]
        known = [name for name in pending if name in TEXTS or special_helper(name) is not None]
        if not known:
            break
        for name in known:
            helper = special_helper(name)
            if helper is None:
                add_text(module, TEXTS[name], name)
                continue
            needs = [special_helper(other) for other in helper.helpers]
            heads = [_PARAMETER_NAME.sub("", need.text.split("{", 1)[0]) for need in needs if need]
            heads = [head.replace("define internal", "declare") for head in heads]
            add_text(module, "\n".join([*helper.declarations, *heads, helper.text]), name)
    _keep_out_of_line(module)


def _keep_out_of_line(module: Module) -> None:
    """Functions of ours with loops that are called from many places are not copied to each of them: LLVM would spend
    more time on the copies than on all else (a map of strings in Rust: 200 calls each, 20 s instead of 3 s)."""
    calls = Counter(
        i.callee
        for name in module.added_functions
        for i in module.function(name).instructions()
        if isinstance(i, CallBase) and isinstance(i.callee, Function)
    )
    for function, number in calls.items():
        is_ours = function.name in TEXTS or function.name.removeprefix("enzyme_build.").split(".")[0] in COPIES
        decided = {"alwaysinline", "noinline"} & {*function.suffix.split()}
        if is_ours and number > _MANY_CALLS and len(function.blocks) > 1 and not decided:
            function.suffix = f"{function.suffix} noinline"
