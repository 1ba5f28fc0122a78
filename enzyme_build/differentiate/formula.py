"""Emits formulas of the rule tables as instructions.

Equal subexpressions of one emission are computed once. Divisions of one by an operand's square and the like are as
the table writes them; LLVM simplifies later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.errors import InternalError
from enzyme_build.ir.types import BFLOAT, FLOAT, HALF, IntType, Type, VectorType, with_scalar
from enzyme_build.ir.values import Value, const_int
from enzyme_build.rules import expr as e
from enzyme_build.rules.names import spelling

from .numbers import fraction_constant

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module

_PREDICATES = {"lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge", "eq": "oeq", "isnan": "uno"}
_INT_PREDICATES = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge", "eq": "eq"}


class Formula:
    """Emits expressions over named operands; `operand(name)` is asked once per name."""

    def __init__(
        self, module: Module, builder: Builder, type_: Type, operand: Callable[[str], Value], flags: str = ""
    ) -> None:
        self.module = module
        self.builder = builder
        self.type = type_
        self.operand = operand
        self.flags = flags
        self._done: dict[e.Expr, Value] = {}
        self._multiplied: dict[tuple[e.Expr, Value], Value] = {}

    def emit(self, expr: e.Expr) -> Value:
        """The value of `expr`; constants get the operation's type."""
        found = self._done.get(expr)
        if found is None:
            found = self._done[expr] = self._emit(expr)
        return found

    def multiplied(self, expr: e.Expr, factor: Value) -> Value:
        """expr · factor. A product that was emitted for a factor of `expr` is used again: what x / y gives to y is -r
        times what it gives to x."""
        key = (expr, factor)
        found = self._multiplied.get(key)
        if found is None:
            found = self._multiplied[key] = self._multiply(expr, factor)
        return found

    def _multiply(self, expr: e.Expr, factor: Value) -> Value:
        match expr:
            case e.Neg() if self._shared(expr.a, factor):
                return self.builder.fneg(self.multiplied(expr.a, factor), self.flags)
            case e.Mul() if self._shared(expr, factor):
                done = self._multiplied.get((expr.b, factor))
                other, product = (expr.a, done) if done is not None else (expr.b, self._multiplied[expr.a, factor])
                return self.builder.fmul(self.emit(other), product, self.flags)
            case _:
                return self.builder.fmul(self.emit(expr), factor, self.flags)

    def _shared(self, expr: e.Expr, factor: Value) -> bool:
        return isinstance(expr, e.Mul) and any((part, factor) in self._multiplied for part in expr.children)

    def _emit(self, expr: e.Expr) -> Value:
        b = self.builder
        match expr:
            case e.Operand():
                return self.operand(expr.name)
            case e.Const():
                return fraction_constant(self.type, expr.value)
            case e.Add() | e.Sub() | e.Mul() | e.Div():
                return self._arithmetic(expr)
            case e.Neg():
                value = self.emit(expr.a)
                if expr.integer:
                    return b.binary("sub", const_int(value.type, 0), value)
                return b.fneg(value, self.flags)
            case e.ToFloat():
                value = self.emit(expr.a)
                if isinstance(self.type, VectorType) and not isinstance(value.type, VectorType):
                    value = self._splat(value, self.type)
                return b.cast("sitofp", value, self.type)
            case e.Apply():
                return self._apply(expr)
            case e.Compare():
                return self._compare(expr)
            case e.Select():
                return b.select(self.emit(expr.condition), self.emit(expr.a), self.emit(expr.b))
            case _:
                raise InternalError(f"no emission for expression {expr!r}")

    def _arithmetic(self, expr: e.Add | e.Sub | e.Mul | e.Div) -> Value:
        kind = {e.Add: "add", e.Sub: "sub", e.Mul: "mul", e.Div: "div"}[type(expr)]
        if expr.integer:
            a, b = self._integers(expr.a, expr.b)
            return self.builder.binary("sdiv" if kind == "div" else kind, a, b)
        return self.builder.binary(f"f{kind}", self.emit(expr.a), self.emit(expr.b), self.flags)

    def _integers(self, a: e.Expr, b: e.Expr) -> tuple[Value, Value]:
        if isinstance(a, e.Const):
            right = self.emit(b)
            return const_int(right.type, int(a.value)), right
        left = self.emit(a)
        if isinstance(b, e.Const):
            return left, const_int(left.type, int(b.value))
        return left, self.emit(b)

    def _compare(self, expr: e.Compare) -> Value:
        if expr.a.integer or expr.b.integer:
            a, b = self._integers(expr.a, expr.b)
            return self.builder.icmp(_INT_PREDICATES[expr.predicate], a, b)
        a = self.emit(expr.a)
        if expr.predicate == "isnan":
            return self.builder.fcmp("uno", a, a)
        return self.builder.fcmp(_PREDICATES[expr.predicate], a, self.emit(expr.b))

    def _apply(self, expr: e.Apply) -> Value:
        arguments = [self.emit(argument) for argument in expr.args]
        return call_function(self.module, self.builder, expr.function, self.type, arguments)

    def _splat(self, value: Value, like: VectorType) -> Value:
        return splat(self.builder, value, like)


def splat(builder: Builder, value: Value, like: VectorType) -> Value:
    """A scalar in every lane of a vector shaped as `like`."""
    from enzyme_build.ir.types import I32, I64, vector_type
    from enzyme_build.ir.values import poison, zero

    type_ = vector_type(value.type, like.count, scalable=like.scalable)
    first = builder.insert_element(poison(type_), value, const_int(I64, 0))
    mask = zero(vector_type(I32, like.count, scalable=like.scalable))
    return builder.shuffle_vector(first, poison(type_), mask)


def call_function(module: Module, builder: Builder, function: str, type_: Type, arguments: list[Value]) -> Value:
    """Call a known function of the table in the precision `type_`; lane by lane or through float where needed."""
    integer = next((a.type.scalar for a in arguments if isinstance(a.type.scalar, IntType)), None)
    callee = spelling(function, type_, integer) if isinstance(integer, IntType) else spelling(function, type_)
    if callee is not None:
        declared = module.declare(callee.name, callee.type, callee.attributes)
        return builder.call(declared, arguments)
    if isinstance(type_, VectorType):
        return _by_lane(module, builder, function, type_, arguments)
    if type_ in (HALF, BFLOAT):
        wide = [builder.cast("fpext", a, FLOAT) if a.type.is_float else a for a in arguments]
        return builder.cast("fptrunc", call_function(module, builder, function, FLOAT, wide), type_)
    raise InternalError(f"nothing computes '{function}' in {type_}")


def _by_lane(module: Module, builder: Builder, function: str, type_: VectorType, arguments: list[Value]) -> Value:
    from enzyme_build.ir.types import I64
    from enzyme_build.ir.values import poison

    result: Value = poison(with_scalar(type_, type_.element))
    for lane in range(type_.count):
        at = const_int(I64, lane)
        scalars = [builder.extract_element(a, at) if isinstance(a.type, VectorType) else a for a in arguments]
        value = call_function(module, builder, function, type_.element, scalars)
        result = builder.insert_element(result, value, at)
    return result
