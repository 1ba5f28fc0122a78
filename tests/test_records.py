"""Data classes whose methods are made late are what the standard ones are."""

import copy
import dataclasses
import pickle
from dataclasses import field
from functools import cached_property

import pytest

from enzyme_build.records import dataclass


@dataclass(frozen=True)
class Point:
    x: float
    y: float = 2.0
    seen: list[int] = field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True)
class Slotted:
    name: str
    at: Point = Point(0.0)


@dataclass
class Sum:
    terms: list[int] = field(default_factory=list)
    total: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        self.total = sum(self.terms)


@dataclass(eq=False)
class Same:
    number: int


@dataclass(frozen=True)
class Named(Point):
    name: str = "p"

    @cached_property
    def length(self) -> float:
        return (self.x**2 + self.y**2) ** 0.5


@dataclass(frozen=True)
class Own:
    """Has all methods already."""

    number: int

    def __init__(self) -> None:
        object.__setattr__(self, "number", 7)

    def __eq__(self, other: object) -> bool:
        return other == 7

    def __hash__(self) -> int:
        return 7

    def __repr__(self) -> str:
        return "seven"


@dataclass(frozen=True, order=True)
class Ordered:
    first: int
    second: int = 0


def test_constructors_take_positions_names_and_defaults():
    assert (Point(1.0).x, Point(1.0).y, Point(y=3.0, x=1.0).y) == (1.0, 2.0, 3.0)
    one, other = Point(1.0), Point(1.0)
    one.seen.append(1)
    assert other.seen == []
    assert Sum([1, 2]).total == 3
    for wrong in ({}, {"x": 1.0, "z": 2.0}):
        with pytest.raises(TypeError, match=r"__init__"):
            Point(**wrong)


def test_values_are_compared_and_hashed_where_fields_are():
    assert Point(1.0, 2.0, [3]) == Point(1.0)
    assert hash(Point(1.0, 2.0, [3])) == hash(Point(1.0))
    assert Point(1.0) != Point(2.0)
    assert Point(1.0) != Named(1.0)
    assert len({Slotted("a"), Slotted("a"), Slotted("b")}) == 2
    assert Sum([1]) == Sum([1])
    with pytest.raises(TypeError, match="unhashable"):
        hash(Sum([1]))
    assert Same(1) != Same(1)
    assert isinstance(hash(Same(1)), int)
    assert sorted([Ordered(2), Ordered(1, 5)]) == [Ordered(1, 5), Ordered(2)]


def test_they_are_shown_as_the_standard_ones():
    standard = dataclasses.make_dataclass("Point", [("x", float), ("y", float), ("seen", list)])
    assert repr(Point(1.0)) == repr(standard(1.0, 2.0, []))
    assert repr(Sum([1])) == "Sum(terms=[1])"
    endless = Sum()
    endless.terms.append(endless)
    assert repr(endless) == "Sum(terms=[...])"


def test_methods_of_their_own_stay():
    assert (repr(Own()), hash(Own()), Own() == 7) == ("seven", 7, True)


def test_inherited_fields_come_first():
    assert Named(3.0, 4.0, name="q").length == 5.0
    assert [one.name for one in dataclasses.fields(Named)] == ["x", "y", "seen", "name"]


def test_the_standard_functions_work_on_them():
    assert dataclasses.replace(Named(1.0), y=5.0) == Named(1.0, 5.0)
    assert dataclasses.asdict(Slotted("a")) == {"name": "a", "at": {"x": 0.0, "y": 2.0, "seen": []}}
    assert dataclasses.is_dataclass(Point)
    assert pickle.loads(pickle.dumps(Slotted("a"))) == Slotted("a")
    assert copy.deepcopy(Named(1.0)) == Named(1.0)
    assert not hasattr(Slotted("a"), "__dict__")
    match Point(1.0, 9.0):
        case Point(x, y):
            assert (x, y) == (1.0, 9.0)


def test_methods_are_made_with_the_first_use():
    @dataclass(frozen=True)
    class New:
        number: int

    before = New.__init__
    assert New(1) == New(1)
    assert New.__init__ is not before
    assert New.__eq__.__qualname__.endswith("New.__eq__")
