"""The builder makes IR that LLVM accepts and refuses what it would not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from enzyme_build.errors import InternalError
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, DebugRecord, Function
from enzyme_build.ir.instructions import GetElementPtr
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function, print_module
from enzyme_build.ir.types import (
    DOUBLE,
    FLOAT,
    I1,
    I8,
    I32,
    I64,
    PTR,
    VOID,
    array_type,
    function_type,
    struct_type,
    vector_type,
)
from enzyme_build.ir.values import (
    Argument,
    ConstantAggregate,
    const_float,
    const_int,
    null,
    poison,
    undef,
    zero,
)

from .reading import llvm_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from enzyme_build.ir.types import Type
    from enzyme_build.ir.values import Value

V4 = vector_type(DOUBLE, 4)
PAIR = struct_type((DOUBLE, I32))


@pytest.fixture
def x() -> Argument:
    return Argument(DOUBLE, "x", 0)


@pytest.fixture
def p() -> Argument:
    return Argument(PTR, "p", 1)


@pytest.fixture
def n() -> Argument:
    return Argument(I32, "n", 2)


@pytest.fixture
def v() -> Argument:
    return Argument(V4, "v", 3)


@pytest.fixture
def function(x: Argument, p: Argument, n: Argument, v: Argument) -> Function:
    function = Function("f", "@f", function_type(VOID, (DOUBLE, PTR, I32, V4)), [x, p, n, v])
    function.add_block(Block("entry"))
    return function


@pytest.fixture
def b(function: Function) -> Builder:
    return Builder(function.entry)


def test_every_constructor(function: Function, b: Builder, x: Value, p: Value, n: Value, v: Value) -> None:
    one = const_float(DOUBLE, 1.0)
    s = b.fadd(x, one, "fast", name="s")
    s = b.fsub(b.fmul(s, x), b.fdiv(x, s))
    s = b.fneg(b.binary("frem", s, x), "nsz")
    w = b.fadd(v, const_float(V4, 2.0))
    i = b.binary("shl", b.add(n, const_int(I32, 3), "nsw"), b.mul(n, b.sub(n, n)))
    wide = b.cast("sext", i, I64)
    b.cast("bitcast", wide, DOUBLE)
    b.cast("fptrunc", x, FLOAT)
    b.cast("fptosi", v, vector_type(I32, 4))
    b.cast("inttoptr", b.cast("ptrtoint", p, I64), PTR)
    b.cast("bitcast", v, vector_type(I64, 4))
    less = b.icmp("slt", i, n)
    b.icmp("eq", p, null(PTR))
    b.fcmp("olt", v, w, "nnan")
    b.select(less, x, s)
    b.select(b.fcmp("une", v, w), v, w)
    b.freeze(x)
    slot = b.alloca(PAIR, align=8, name="slot")
    b.alloca(I8, n)
    b.store(x, b.gep(PAIR, slot, [const_int(I32, 0), const_int(I32, 0)], "inbounds"), 8, metadata="!nontemporal !0")
    b.load(DOUBLE, b.ptradd(p, 8), 8, "loaded", volatile=True)
    b.load(I64, p, 8, ordering="acquire")
    b.store(const_int(I64, 1), p, 8, ordering="seq_cst")
    b.gep(array_type(DOUBLE, 3), p, [wide, i])
    b.fence("seq_cst")
    b.atomic_rmw("fadd", p, x, align=8)
    b.compare_exchange(p, n, i)
    pair = b.insert_value(undef(PAIR), x, 0)
    b.extract_value(b.insert_value(pair, n, [1]), 1)
    e = b.extract_element(v, 2)
    u = b.insert_element(poison(V4), e, n)
    mask = ConstantAggregate(vector_type(I32, 2), "<i32 0, i32 5>", [const_int(I32, 0), const_int(I32, 5)])
    b.shuffle_vector(u, v, mask)
    b.call(p, [x, n], function_type(DOUBLE, (DOUBLE, I32)), "result", flags="fast", tail="tail", attributes="nounwind")
    blocks = [function.add_block(Block(name)) for name in ("loop", "out", "dead")]
    loop, out, dead = blocks
    b.switch(n, loop, [(const_int(I32, 4), out), (const_int(I32, 5), dead)])
    b.block = loop
    phi = b.phi(DOUBLE, "phi")
    following = b.fadd(phi, x)
    again = b.fcmp("olt", following, one)
    b.branch(again, loop, out)
    b.add_incoming(phi, x, function.entry)
    b.add_incoming(phi, following, loop)
    b.block = out
    b.ret()
    b.block = dead
    b.unreachable()
    llvm_text(print_function(function) + "\n!0 = !{i32 1}\n")


WRONG: dict[str, Callable[[Builder, Value, Value, Value, Value], object]] = {
    "fadd of double and i32": lambda b, x, p, n, v: b.fadd(x, n),
    "fadd of i32": lambda b, x, p, n, v: b.fadd(n, n),
    "add of double": lambda b, x, p, n, v: b.add(x, x),
    "unknown operation fad": lambda b, x, p, n, v: b.binary("fad", x, x),
    "fneg of i32": lambda b, x, p, n, v: b.fneg(n),
    "sext of i32 to i32": lambda b, x, p, n, v: b.cast("sext", n, I32),
    "fpext of double to float": lambda b, x, p, n, v: b.cast("fpext", x, FLOAT),
    "sitofp of double to i32": lambda b, x, p, n, v: b.cast("sitofp", x, I32),
    "bitcast of double to i32": lambda b, x, p, n, v: b.cast("bitcast", x, I32),
    "bitcast of ptr to i64": lambda b, x, p, n, v: b.cast("bitcast", p, I64),
    "fptosi of <4 x double> to i32": lambda b, x, p, n, v: b.cast("fptosi", v, I32),
    "unknown cast": lambda b, x, p, n, v: b.cast("cast", x, I32),
    "icmp of double": lambda b, x, p, n, v: b.icmp("eq", x, x),
    "unknown predicate": lambda b, x, p, n, v: b.icmp("olt", n, n),
    "fcmp of i32": lambda b, x, p, n, v: b.fcmp("olt", n, n),
    "select of i32": lambda b, x, p, n, v: b.select(n, x, x),
    "select of i1, double and i32": lambda b, x, p, n, v: b.select(const_int(I1, 1), x, n),
    "phi of double with incoming i32": lambda b, x, p, n, v: b.add_incoming(b.phi(DOUBLE), n, b.block),
    "phi of void": lambda b, x, p, n, v: b.phi(VOID),
    "load through double": lambda b, x, p, n, v: b.load(DOUBLE, x),
    "store through double": lambda b, x, p, n, v: b.store(p, x),
    "store of void": lambda b, x, p, n, v: b.store(b.fence("seq_cst"), p),
    "getelementptr on double": lambda b, x, p, n, v: b.gep(I8, x, [n]),
    "index of type double": lambda b, x, p, n, v: b.gep(I8, p, [x]),
    "member number that is not constant": lambda b, x, p, n, v: b.gep(PAIR, p, [n, n]),
    "has no member 2": lambda b, x, p, n, v: b.gep(PAIR, p, [n, const_int(I32, 2)]),
    "has no members": lambda b, x, p, n, v: b.gep(DOUBLE, p, [n, n]),
    "with 1 arguments": lambda b, x, p, n, v: b.call(p, [x], function_type(DOUBLE, (DOUBLE, I32))),
    "argument 2 of a pointer is double": lambda b, x, p, n, v: b.call(p, [x, x], function_type(DOUBLE, (DOUBLE, I32))),
    "needs a function type": lambda b, x, p, n, v: b.call(p, []),
    "insertvalue of i32": lambda b, x, p, n, v: b.insert_value(undef(PAIR), n, 0),
    "double has no member": lambda b, x, p, n, v: b.extract_value(x, 0),
    "has no member 5": lambda b, x, p, n, v: b.extract_value(undef(PAIR), 5),
    "without index": lambda b, x, p, n, v: b.extract_value(undef(PAIR), []),
    "extractelement of double": lambda b, x, p, n, v: b.extract_element(x, 0),
    "insertelement of i32": lambda b, x, p, n, v: b.insert_element(v, n, 0),
    "shufflevector of double": lambda b, x, p, n, v: b.shuffle_vector(x, x, zero(vector_type(I32, 2))),
    "return of double from": lambda b, x, p, n, v: b.ret(x),
    "branch on i32": lambda b, x, p, n, v: b.branch(n, b.block, b.block),
    "switch on double": lambda b, x, p, n, v: b.switch(x, b.block),
    "with case of i64": lambda b, x, p, n, v: b.switch(n, b.block, [(const_int(I64, 1), b.block)]),
    "two cases 1": lambda b, x, p, n, v: b.switch(n, b.block, [(const_int(I32, 1), b.block)] * 2),
    "behind the terminator": lambda b, x, p, n, v: (b.ret(), b.fadd(x, x)),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_operands_are_refused(message: str, b: Builder, x: Value, p: Value, n: Value, v: Value) -> None:
    with pytest.raises(InternalError, match=message.replace("(", r"\(")):
        WRONG[message](b, x, p, n, v)


def test_moving_by_nothing_is_nothing(b: Builder, p: Value) -> None:
    assert b.ptradd(p, 0) is p
    moved = b.ptradd(p, 16, "inbounds")
    assert isinstance(moved, GetElementPtr)
    assert (moved.source_type, moved.operands[1]) == (I8, const_int(I64, 16))


def test_metadata_is_attached_to_everything(b: Builder, x: Value, p: Value) -> None:
    b.metadata = "!dbg !7"
    assert b.fadd(x, x).metadata == "!dbg !7"
    assert b.load(DOUBLE, p, metadata="!tbaa !1").metadata == "!tbaa !1, !dbg !7"
    assert b.phi(DOUBLE).metadata == "!dbg !7"


def test_inserting_before_an_instruction(b: Builder, x: Value) -> None:
    first = b.fadd(x, x)
    b.ret()
    b.block.records = [DebugRecord(1, "#dbg_label(!1, !2)")]
    b.position = 0
    second = b.fmul(x, x)
    third = b.fsub(x, x)
    assert b.block.instructions[:3] == [second, third, first]
    assert b.block.records[0].index == 3


def test_a_phi_goes_in_front(b: Builder, x: Value) -> None:
    add = b.fadd(x, x)
    phi = b.phi(DOUBLE)
    assert b.block.instructions == [phi, add]


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("declare fastcc void @g(double)", "call fastcc void @g(double %x)"),
        ("declare cc 10 void @g(double)", "call cc 10 void @g(double %x)"),
        (
            "declare void @g(ptr byval({ i64, i64 }) align 8 captures(none))",
            "call void @g(ptr byval({ i64, i64 }) align 8 %p)",
        ),
        ("declare void @g(ptr sret({ i64, i64 }) noalias)", "call void @g(ptr sret({ i64, i64 }) %p)"),
        ("declare void @g(i32 noundef signext)", "call void @g(i32 signext %n)"),
        ("declare void @g(ptr align 16 nonnull)", "call void @g(ptr %p)"),
        ("declare void @g(double, ...)", "call void (double, ...) @g(double %x, i32 %n)"),
    ],
)
def test_calls_follow_the_callees_convention(declaration: str, expected: str) -> None:
    module = parse_module(declaration + "\ndefine void @f(double %x, ptr %p, i32 %n) {\n  ret void\n}\n")
    function = module.replace_function("f")
    callee = module.globals["g"]
    assert isinstance(callee, Function)
    given: dict[Type, Value] = {argument.type: argument for argument in function.arguments}
    arguments = [given[parameter] for parameter in callee.function_type.parameters]
    if callee.function_type.variadic:
        arguments.append(given[I32])
    builder = Builder(function.entry)
    builder.position = 0
    builder.call(callee, arguments)
    text = print_module(module)
    assert expected in text
    llvm_text(text)
