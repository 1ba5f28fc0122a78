"""Which accesses of a derivative LLVM is told to be apart."""

from __future__ import annotations

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.ir.instructions import CallBase, Load, Store
from enzyme_build.ir.metadata import attachments
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text

SQUARES = """
@enzyme_const = external global i32
@enzyme_dup = external global i32
@enzyme_runtime_activity = external global i32
define double @squares(ptr %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %total, %loop ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  %total = fadd double %sum, %w
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret double %total
}
"""
GRADIENT = """
declare double @__enzyme_autodiff(...)
define void @caller(ptr %x, ptr %g, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @squares, ptr @enzyme_dup, ptr %x, ptr %g, i64 %n)
  ret void
}"""
TANGENT = GRADIENT.replace("autodiff", "fwddiff")


def derivative(text, prefix="enzyme_build.reverse"):
    """The module after differentiation, which LLVM takes, and the one derivative in it."""
    module = parse_module(text)
    differentiate(module)
    parse_text(print_module(module), "the module")
    (found,) = (f for f in module.functions if f.name.startswith(prefix) and not f.is_declaration)
    return module, found


def memory_of(module, i):
    """ "primal", "shadow" or "tape"; "" for an access of which nothing is said."""
    attached = attachments(i)
    if "alias.scope" not in attached:
        assert "noalias" not in attached
        return ""
    (own,) = module.metadata_node(attached["alias.scope"]).operands
    others = module.metadata_node(attached["noalias"]).operands
    scopes = {scope: module.metadata_node(scope).operands for scope in (own, *others)}
    assert all(operands[0] == scope for scope, operands in scopes.items())  # or copies were all the same
    _, domain, name = scopes[own]
    assert module.metadata_node(domain).operands[0] == domain
    assert {operands[1:] for operands in scopes.values()} == {(domain, f'!"{n}"') for n in ("primal", "shadow", "tape")}
    assert len(scopes) == 3
    return name.strip('!"')


def accesses(module, function):
    """(load or store, type, memory) of what is not on the stack, each once."""
    found = set()
    for i in function.instructions():
        if isinstance(i, Load | Store):
            type_ = i.value.type if isinstance(i, Store) else i.type
            found.add((type(i).__name__.lower(), str(type_), memory_of(module, i)))
    return {access for access in found if access[2]}


def declared(module, function):
    return [
        module.metadata_node(i.arguments[0].text).operands[0]
        for i in function.entry.instructions
        if isinstance(i, CallBase) and i.callee.name == "llvm.experimental.noalias.scope.decl"
    ]


def test_gradient():
    module, function = derivative(SQUARES + GRADIENT)
    assert accesses(module, function) == {
        ("load", "double", "primal"),
        ("load", "double", "shadow"),
        ("store", "double", "shadow"),
    }
    names = [module.metadata_node(scope).operands[-1] for scope in declared(module, function)]
    assert sorted(names) == ['!"primal"', '!"shadow"']


def test_tangent():
    module, function = derivative(SQUARES + TANGENT, "enzyme_build.forward")
    assert accesses(module, function) == {("load", "double", "primal"), ("load", "double", "shadow")}


def test_memory_that_may_be_its_own_shadow_has_no_scope():
    marked = GRADIENT.replace("@enzyme_dup,", "@enzyme_runtime_activity, ptr @enzyme_dup,")
    module, function = derivative(SQUARES + marked)
    assert accesses(module, function) == {("load", "double", "primal")}


def test_kept_values_are_on_the_tape():
    changed = SQUARES.replace("%w = fmul", "store double 1.0, ptr %p, align 8\n  %w = fmul")
    module, function = derivative(changed + GRADIENT)
    found = accesses(module, function)
    assert ("load", "double", "tape") in found
    assert ("store", "double", "tape") in found


def test_pointers_in_shadows_have_no_scope():
    behind = SQUARES.replace("%v = load double, ptr %p", "%q = load ptr, ptr %p, align 8\n  %v = load double, ptr %q")
    module, function = derivative(behind + GRADIENT)
    pointers = [memory_of(module, i) for i in function.instructions() if isinstance(i, Load) and str(i.type) == "ptr"]
    assert set(pointers) == {"primal", ""}


def test_what_touches_no_memory_declares_nothing():
    text = """
define double @square(double %x) {
  %r = fmul double %x, %x
  ret double %r
}
declare double @__enzyme_autodiff(...)
define double @caller(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @square, double %x)
  ret double %r
}"""
    module, function = derivative(text)
    assert declared(module, function) == []
    assert "alias.scope" not in print_module(module)
