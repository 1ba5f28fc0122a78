"""Numbers that the C++ library keeps in its containers for itself are no numbers of the program.

A hash table holds how full it may become as a `float`. In the model those four bytes are an integer, so that memory in
which a table lies beside numbers of the program holds one type of number less: whatever is copied there may otherwise
be a part of a table. That is so as long as the program sets them to constants only, as the containers' constructors do,
what it reads of them tells numbers of buckets, and nothing is copied that looks like a table's settings: keys may be
compared by an object of the program's with a float and a count, which is copied by the same functions.

Source: the header `bits/hashtable_policy.h` of libstdc++.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.copied import accessed_object, copied_entries, member_mark
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import in_front_of
from enzyme_build.ir.function import remove_instructions, replace_values, users
from enzyme_build.ir.metadata import retyped
from enzyme_build.ir.types import FLOAT, I32, NamedStructType
from enzyme_build.ir.values import ConstantFloat, const_int

from .runtime import runtime_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

_POLICY: Final = "_ZTSNSt8__detail20_Prime_rehash_policyE"
_TYPE: Final = '%"struct.std::__detail::_Prime_rehash_policy"'
_ROUNDING: Final = frozenset(("llvm.ceil.f64", "llvm.floor.f64", "llvm.ceil.f32", "llvm.floor.f32", "ceil", "floor"))
_COPIED: Final = ([(0, 4, "float"), (8, 8, "long")], [(0, 4, "float"), (8, 8, "int")])
"""The policy, as copies of it are told by clang, and by marks of our own (`llvm.assignments`)."""


def integers_for_settings(module: Module, functions: Sequence[Function]) -> None:
    """Retype the accesses to such numbers, and the member of the struct."""
    if _POLICY not in module.text:
        return
    instructions = [i for function in functions for i in function.instructions()]
    stores = [i for i in instructions if isinstance(i, ir.Store) and _is_setting(module, i)]
    copies = [i for i in instructions if isinstance(i, ir.CallBase) and copied_entries(module, i) in _COPIED]
    policies = [t for t in module.types.values() if isinstance(t, NamedStructType) and t.text.startswith(_TYPE)]
    if any(not isinstance(store.value, ConstantFloat) for store in stores):
        return
    loads = {function: found for function in functions if (found := _loads(module, function))}
    if not all(_only_count(function, found) for function, found in loads.items()):
        return
    if copies or any(i.type in policies for i in instructions):
        return
    for policy in policies:
        if policy.fields and policy.fields[0] is FLOAT:
            policy.fields = (I32, *policy.fields[1:])
    for store in stores:
        store.operands[0] = const_int(I32, _bits(store.value))
        store.metadata = _marked(module, store)
    for function, found in loads.items():
        _integers_for_loads(module, function, found)


def _is_setting(module: Module, i: ir.Load | ir.Store) -> bool:
    if not i.metadata or accessed_object(module, i.metadata)[0] != _POLICY:
        return False
    return (i.type if isinstance(i, ir.Load) else i.value.type) is FLOAT


def _marked(module: Module, i: ir.Instruction) -> str:
    return ", ".join(filter(None, (retyped(i.metadata), member_mark(module))))


def _bits(value: Value) -> int:
    assert isinstance(value, ConstantFloat)
    return int(struct.unpack("<i", struct.pack("<f", value.value))[0])


def _loads(module: Module, function: Function) -> list[ir.Load]:
    return [i for i in function.instructions() if isinstance(i, ir.Load) and _is_setting(module, i)]


def _only_count(function: Function, loads: Sequence[ir.Load]) -> bool:
    """Does nothing follow from what is read but integers and decisions?"""
    used = users(function)
    seen: set[ir.Instruction] = set()
    pending: list[ir.Instruction] = [*loads]
    while pending:
        i = pending.pop()
        for user in used.get(i, ()):
            if isinstance(user, ir.Compare) or (isinstance(user, ir.Cast) and user.op in {"fptoui", "fptosi"}):
                continue
            arithmetic = isinstance(user, ir.Cast | ir.Binary | ir.Select | ir.Phi)
            rounds = isinstance(user, ir.CallBase) and getattr(user.callee, "name", "") in _ROUNDING
            if not arithmetic and not rounds:
                return False
            if user not in seen:
                seen.add(user)
                pending.append(user)
    return True


def _integers_for_loads(module: Module, function: Function, loads: Sequence[ir.Load]) -> None:
    """What is read has no derivative, which the bits of a float would have."""
    replaced: dict[Value, Value] = {}
    for i in loads:
        builder = in_front_of(i)
        bits = builder.load(I32, i.pointer, i.align, metadata=_marked(module, i))
        replaced[i] = builder.call(runtime_function(module, "setting"), [bits])
    replace_values(function, replaced)
    remove_instructions(function, {*replaced})
