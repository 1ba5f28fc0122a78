"""Runs small integer functions with poison and undefined behaviour, straight from LLVM's language reference."""

from __future__ import annotations

from enzyme_build.ir.instructions import (
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    GetElementPtr,
    Jump,
    Phi,
    Return,
    Select,
    Switch,
)
from enzyme_build.ir.types import PointerType
from enzyme_build.ir.values import ConstantInt, Undef

POISON = "poison"


class Undefined(Exception):  # noqa: N818
    """The program did something undefined."""


def width(type_):
    return 64 if isinstance(type_, PointerType) else type_.bits


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


class Run:
    """One execution; `edges` lists the edges taken, `trace` the values at the end of each visit to a block, `result` is
    what was returned."""

    def __init__(self, function, arguments, limit=2000, *, traced=False):
        self.traced = traced
        self.values = dict(zip(function.arguments, arguments, strict=True))
        self.edges = []
        self.block = function.entry
        self.limit = limit
        self.trace = []
        self.result = None

    def run(self):
        """The number of edges taken, or None if the limit was reached; raises Undefined."""
        previous = None
        while len(self.edges) < self.limit:
            block = self.block
            incoming = {phi: self.read(phi.incoming(previous)) for phi in block.phis}
            self.values.update(incoming)
            for instruction in block.instructions:
                if isinstance(instruction, Phi | Call):
                    continue
                if isinstance(instruction, Return):
                    self.result = self.read(instruction.operands[0]) if instruction.operands else None
                    return len(self.edges)
                if isinstance(instruction, Jump):
                    target = instruction.target
                elif isinstance(instruction, Branch):
                    condition = self.read(instruction.operands[0])
                    if condition == POISON:
                        raise Undefined
                    target = instruction.then if condition else instruction.otherwise
                elif isinstance(instruction, Switch):
                    number = self.read(instruction.operands[0])
                    if number == POISON:
                        raise Undefined
                    target = {self.read(case): to for case, to in instruction.cases}.get(number, instruction.default)
                else:
                    self.values[instruction] = self.compute(instruction)
                    continue
            if self.traced:
                self.trace.append((block, dict(self.values)))
            self.edges.append((block, target))
            previous, self.block = block, target
        return None

    def read(self, value):
        if isinstance(value, ConstantInt):
            return value.value & ((1 << width(value.type)) - 1)
        if isinstance(value, Undef):
            return POISON
        return self.values[value]

    def compute(self, instruction):
        operands = [self.read(operand) for operand in instruction.operands]
        if isinstance(instruction, Select) and operands[0] != POISON:
            return operands[1] if operands[0] else operands[2]
        if POISON in operands:
            return POISON
        bits = width(instruction.operands[0].type)
        match instruction:
            case Binary():
                return self.arithmetic(instruction, bits, *operands)
            case Compare():
                return self.compare(instruction, bits, *operands)
            case Cast(op="sext"):
                return signed(operands[0], bits) & ((1 << width(instruction.type)) - 1)
            case Cast(op="zext"):
                return POISON if "nneg" in instruction.flags and operands[0] >> (bits - 1) else operands[0]
            case Cast(op="trunc"):
                return operands[0] & ((1 << width(instruction.type)) - 1)
            case GetElementPtr():
                scale = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "double": 8, "[3 x double]": 24}
                index = signed(operands[1], width(instruction.operands[1].type))
                address = operands[0] + index * scale[str(instruction.source_type)]
                if "inbounds" in instruction.flags and not 0 <= address < 1 << 64:
                    return POISON
                return address & ((1 << 64) - 1)
        raise NotImplementedError(instruction)

    def arithmetic(self, instruction, bits, a, b):
        mask = (1 << bits) - 1
        if instruction.op in {"shl", "lshr", "ashr"}:
            if b >= bits:
                return POISON
            if instruction.op != "shl":
                return (signed(a, bits) >> b if instruction.op == "ashr" else a >> b) & mask
            result = lambda u, v: u << b  # noqa: E731
        elif instruction.op == "udiv":
            if b == 0:
                raise Undefined("division by zero")
            return a // b
        else:
            result = {
                "add": lambda u, v: u + v,
                "sub": lambda u, v: u - v,
                "mul": lambda u, v: u * v,
                "or": lambda u, v: u | v,
                "and": lambda u, v: u & v,
                "xor": lambda u, v: u ^ v,
            }[instruction.op]
        flags = instruction.flags.split()
        if "nuw" in flags and not 0 <= result(a, b) <= mask:
            return POISON
        wide = result(signed(a, bits), signed(b, bits))
        if "nsw" in flags and wide != signed(wide, bits):
            return POISON
        if "disjoint" in flags and a & b:
            return POISON
        return result(a, b) & mask

    def compare(self, instruction, bits, a, b):
        if "samesign" in instruction.flags and (a >> bits - 1) != (b >> bits - 1):
            return POISON
        predicate = instruction.predicate
        if predicate[0] == "s":
            a, b = signed(a, bits), signed(b, bits)
        return int({"eq": a == b, "ne": a != b}.get(predicate, _order(predicate[1:], a, b)))


def _order(kind, a, b):
    return {"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}.get(kind, False)
