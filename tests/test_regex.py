"""Patterns that are compiled late are right all the same."""

import pkgutil
import re
from importlib import import_module

import enzyme_build
from enzyme_build import regex as late
from enzyme_build.regex import compile_ahead, regex


def test_every_pattern_of_the_package_compiles():
    found = []
    for module in pkgutil.walk_packages(enzyme_build.__path__, "enzyme_build."):
        if not module.name.endswith("__main__"):
            found += [value for value in vars(import_module(module.name)).values() if isinstance(value, late._Late)]
    assert len(found) > 100
    assert all(re.compile(pattern.pattern, pattern.flags) for pattern in found)


def test_methods_are_those_of_the_pattern():
    word = regex(r"(?P<first>\w)\w*", re.ASCII)
    assert word.findall("one two") == ["o", "t"]
    assert word.sub("-", "one two") == "- -"
    assert (match := word.match("one"))
    assert match["first"] == "o"
    assert word.groups == 1
    assert regex(rb"\d+").search(b"a12").span() == (1, 3)


def test_patterns_are_compiled_ahead_one_a_step():
    first, second = regex(r"a+"), regex(r"b+")
    steps = compile_ahead()
    while "search" not in vars(first):
        next(steps)
    assert "search" not in vars(second)
    next(steps)
    assert vars(second)["search"]("abb").span() == (1, 3)
