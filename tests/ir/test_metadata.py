"""Metadata nodes and attachments from their text."""

from __future__ import annotations

import pytest

from enzyme_build.errors import InputError
from enzyme_build.ir.instructions import Unreachable
from enzyme_build.ir.metadata import attachments, parse_node


def test_a_tuple() -> None:
    node = parse_node('distinct !{!1, !"a, (b", i32 7, null, !DIExpression(DW_OP_deref, DW_OP_lit0)}')
    assert (node.kind, node.distinct) == ("tuple", True)
    assert node.operands == ("!1", '!"a, (b"', "i32 7", "null", "!DIExpression(DW_OP_deref, DW_OP_lit0)")
    assert parse_node("!{}").operands == ()


def test_a_specialised_node() -> None:
    node = parse_node(
        '!DILocalVariable(name: "x, y", arg: 2, scope: !3, flags: DIFlagArtificial | DIFlagObjectPointer, align: -1)'
    )
    assert node.kind == "DILocalVariable"
    assert node.string("name") == "x, y"
    assert (node.number("arg"), node.number("align"), node.number("missing", 5)) == (2, -1, 5)
    assert node.fields["flags"] == "DIFlagArtificial | DIFlagObjectPointer"
    assert node.fields["scope"] == "!3"


def test_an_expression_has_operands() -> None:
    assert parse_node("!DIExpression(DW_OP_plus_uconst, 8)").operands == ("DW_OP_plus_uconst", "8")
    assert parse_node("!DIExpression()").operands == ()


def test_nested_braces_and_brackets() -> None:
    node = parse_node("!DIGlobalVariableExpression(var: !1, expr: !DIExpression(DW_OP_constu, 7, DW_OP_stack_value))")
    assert node.fields == {"var": "!1", "expr": "!DIExpression(DW_OP_constu, 7, DW_OP_stack_value)"}


def test_nonsense_is_refused() -> None:
    with pytest.raises(InputError):
        parse_node("banana")


def test_attachments() -> None:
    instruction = Unreachable("!dbg !12, !tbaa.struct !5, !llvm.loop !7")
    assert attachments(instruction) == {"dbg": "!12", "tbaa.struct": "!5", "llvm.loop": "!7"}
    assert attachments(Unreachable()) == {}
