"""Calls during which others may change memory: threads that wait for a lock or a signal, and code that is not seen.

What lies between two such calls is the function's own: there the languages allow no other thread to write what it reads
or writes (C11 5.1.2.4p25, a data race).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.function import Function
from enzyme_build.rules.inactive_rows import Inactive, Why
from enzyme_build.rules.libraries import is_of_threads, waits_for_threads

from .known import call_effects

if TYPE_CHECKING:
    from .memory import Memory


def synchronises(memory: Memory, call: ir.CallBase) -> bool:
    """Does a call lock, wait or signal, itself or by what it calls?"""
    callee = call.callee
    if not isinstance(callee, Function):
        return False
    known = call_effects(memory.module, call)
    if known is not None and isinstance(known.known, Inactive) and known.known.why is Why.SYNC:
        return True
    if waits_for_threads(callee.name) or is_of_threads(callee.name):
        return True
    body = memory.others.get(callee) if known is None else None
    if body is None:
        return False
    if body.synchronises is None:
        body.synchronises = False  # while it calls itself
        calls = (i for i in body.function.instructions() if isinstance(i, ir.CallBase))
        body.synchronises = any(synchronises(body, one) for one in calls)
    return body.synchronises


def lets_others_act(memory: Memory, call: ir.CallBase) -> bool:
    """The same, or is a function called of which nothing is known?"""
    if synchronises(memory, call):
        return True
    callee = call.callee
    if not isinstance(callee, Function):
        return True
    if call_effects(memory.module, call) is not None or callee.name.startswith("llvm."):
        return False
    return callee not in memory.others
