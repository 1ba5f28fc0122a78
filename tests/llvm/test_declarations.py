"""What declarations are told of the bodies that are elsewhere."""

from __future__ import annotations

from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import FunctionType
from enzyme_build.llvm.declarations import with_declared_facts, with_types


def test_facts_of_declared_functions_stand_beside_what_is_declared() -> None:
    module = """
declare double @f(ptr noundef byval(%"class.a<int, (b)>") align 8, i32 signext) local_unnamed_addr #0
declare void @g(ptr readnone) memory(none)
declare void @h(ptr)
attributes #0 = { nounwind }
"""
    facts = {
        "f": ("memory(argmem: read)", "readonly captures(none)", ""),
        "g": ("willreturn memory(read)", "readonly"),
    }
    changed = with_declared_facts(module, facts)
    assert changed.splitlines()[1:4] == [
        (
            'declare double @f(ptr noundef byval(%"class.a<int, (b)>") align 8 readonly captures(none), i32 signext) '
            "local_unnamed_addr memory(argmem: read) #0"
        ),
        "declare void @g(ptr readnone) willreturn  memory(none)",
        "declare void @h(ptr)",
    ]


def test_another_type_in_the_place_of_the_declared_one() -> None:
    text = """
declare noundef { double, double } @f({ double, double } noundef, ptr readonly) unnamed_addr #0
declare { double, double } @"other f"({ double, double })
attributes #0 = { nounwind }
"""
    module = parse_module(text)
    new = module.parse_type("{ double, double } (double, double, ptr)")
    assert isinstance(new, FunctionType)
    words = ["", "", " byval(i64) align 8"]
    assert with_types(text, {"f": (module.function("f").function_type, new, words)}).splitlines()[1:3] == [
        "declare noundef { double, double } @f(double, double, ptr byval(i64) align 8) unnamed_addr #0",
        'declare { double, double } @"other f"({ double, double })',
    ]
