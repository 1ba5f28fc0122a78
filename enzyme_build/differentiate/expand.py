"""Emits loop counts (see `analysis.counts`) as instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.counts import Const, Count, Extend, Leaf, Operation, Truncate
from enzyme_build.ir.types import PointerType, int_type
from enzyme_build.ir.values import Value, const_int

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module

_PREDICATES = {"smax": "sgt", "smin": "slt", "umax": "ugt", "umin": "ult"}


def expand_count(builder: Builder, module: Module, count: Count, value: Callable[[Value], Value]) -> Value:
    """The integer that `count` means, of its width; `value` gives the leaves."""
    match count:
        case Const():
            return const_int(int_type(count.bits), count.value)
        case Leaf():
            leaf = value(count.value)
            if isinstance(leaf.type, PointerType):
                return builder.cast("ptrtoint", leaf, int_type(count.bits))
            return leaf
        case Extend():
            inner = expand_count(builder, module, count.a, value)
            return builder.cast("sext" if count.is_signed else "zext", inner, int_type(count.bits))
        case Truncate():
            return builder.cast("trunc", expand_count(builder, module, count.a, value), int_type(count.bits))
        case Operation():
            a = expand_count(builder, module, count.a, value)
            b = expand_count(builder, module, count.b, value)
            if count.operator in _PREDICATES:
                return builder.select(builder.icmp(_PREDICATES[count.operator], a, b), a, b)
            return builder.binary(count.operator, a, b)
