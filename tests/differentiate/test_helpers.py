"""Bodies of what derivatives call."""

from __future__ import annotations

import pytest

from enzyme_build.differentiate.helpers import ensure_helpers
from enzyme_build.differentiate.runtime import typed_function
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import I64, VOID, function_type
from enzyme_build.ir.values import const_int, null


@pytest.mark.parametrize(("calls", "kept"), [(3, False), (16, False), (17, True), (200, True)])
def test_what_many_places_call_is_not_copied_to_them(calls: int, kept: bool) -> None:  # noqa: FBT001
    module = parse_module("")
    copy = typed_function(module, "word_copy", I64, 8)
    user = Function("user", "@user", function_type(VOID, ()), [])
    module.add_function(user)
    b = Builder(user.add_block(Block("entry")))
    for _ in range(calls):
        b.call(copy, [null(a.type) if a.type is not I64 else const_int(I64, 1) for a in copy.arguments])
    b.ret()
    ensure_helpers(module)
    assert ("noinline" in copy.suffix.split()) == kept
    assert "noinline" not in user.suffix
