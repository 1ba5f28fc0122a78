"""Parameters and results of derivatives in each mode."""

from __future__ import annotations

from enzyme_build.analysis.request import Activity, Mode, Request
from enzyme_build.differentiate import signature as s
from enzyme_build.ir.types import DOUBLE, I32, PTR, VOID, function_type, struct_type

C, A, D = Activity.CONSTANT, Activity.ACTIVE, Activity.DUPLICATED
PRIMAL = function_type(DOUBLE, (DOUBLE, PTR, I32, PTR))
NO_RESULT = function_type(VOID, (DOUBLE, PTR, I32, PTR))


def request(mode, result=A, **more):
    return Request("f", mode, (A, D, C, C), result, **more)


def parts(listed):
    return [(part.role.value, part.index) for part in listed if part.role is not getattr(s.Role, "ARENA", None)]


def test_forward():
    found = s.forward_signature(PRIMAL, request(Mode.FORWARD, returns_primal=True))
    assert parts(found.parameters) == [
        ("primal", 0), ("shadow", 0), ("primal", 1), ("shadow", 1), ("primal", 2), ("primal", 3),
    ]  # fmt: skip
    assert parts(found.results) == [("result", -1), ("result shadow", -1)]
    assert found.type.result is struct_type((DOUBLE, DOUBLE))
    assert s.forward_signature(NO_RESULT, request(Mode.FORWARD, C)).type.result is VOID


def test_combined():
    found = s.combined_signature(PRIMAL, request(Mode.COMBINED))
    assert parts(found.parameters) == [
        ("primal", 0), ("primal", 1), ("shadow", 1), ("primal", 2), ("primal", 3), ("seed", -1),
    ]  # fmt: skip
    assert parts(found.results) == [("adjoint", 0)]
    assert found.type == function_type(DOUBLE, (DOUBLE, PTR, PTR, I32, PTR, DOUBLE))
    assert parts(s.combined_signature(PRIMAL, request(Mode.COMBINED, returns_primal=True)).results)[0] == ("result", -1)


def test_split():
    tape = struct_type((DOUBLE,))
    augmented = s.augmented_signature(PRIMAL, request(Mode.SPLIT), tape)
    assert parts(augmented.results) == [("tape", -1), ("result", -1)]
    reverse = s.reverse_signature(PRIMAL, request(Mode.SPLIT), tape)
    assert parts(reverse.parameters)[-2:] == [("seed", -1), ("tape", -1)]
    assert parts(reverse.results) == [("adjoint", 0)]


def test_returned_pointer_has_a_shadow():
    primal = function_type(PTR, (PTR,))
    found = s.augmented_signature(primal, Request("f", Mode.SPLIT, (D,), D), None)
    assert parts(found.results) == [("result", -1), ("result shadow", -1)]


def test_packed_types():
    assert s.packed_type([]) is VOID
    assert s.packed_type([DOUBLE]) is DOUBLE
    assert s.packed_type([DOUBLE, I32]) is struct_type((DOUBLE, I32))


def test_lanes_stand_one_behind_the_other():
    forward = s.forward_signature(PRIMAL, request(Mode.FORWARD, width=2))
    assert [(p.role.value, p.index, p.lane) for p in forward.parameters[:3]] == [
        ("primal", 0, 0), ("shadow", 0, 0), ("shadow", 0, 1),
    ]  # fmt: skip
    assert [p.lane for p in forward.results] == [0, 1]
    combined = s.combined_signature(PRIMAL, request(Mode.COMBINED, width=2))
    assert [(p.role.value, p.lane) for p in combined.parameters[-2:]] == [("seed", 0), ("seed", 1)]
    assert [(p.index, p.lane) for p in combined.results] == [(0, 0), (0, 1)]
    names = [a.name for a in s.make_arguments(combined, ["x", "p", "n", "q"])]
    assert names[1:4] == ["p", "p.shadow", "p.shadow.1"]
