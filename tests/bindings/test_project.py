"""`[tool.enzyme-build]` as dataclasses."""

from __future__ import annotations

import tomllib

import pytest

from enzyme_build.bindings.project import FunctionConfig, ModuleConfig, Override, ProjectConfig, read_project
from enzyme_build.errors import ConfigError

GOOD = """
[tool.enzyme-build]
optimise = 3
target-cpu = "x86-64-v3"
[[tool.enzyme-build.module]]
name = "mypkg._core"
sources = ["src/model.c"]
include-dirs = ["include"]
  [[tool.enzyme-build.module.function]]
  name = "forces::energy"
  signature = "energy(x[n], n, k)"
  wrt = ["x", "k"]
  modes = ["reverse"]
  python-name = "force_energy"
"""


def read(text):
    return read_project(tomllib.loads(text))


def test_all_keys():
    assert read(GOOD) == ProjectConfig(
        optimise=3,
        target_cpu="x86-64-v3",
        module=(
            ModuleConfig(
                name="mypkg._core",
                sources=("src/model.c",),
                include_dirs=("include",),
                function=(
                    FunctionConfig("forces::energy", "energy(x[n], n, k)", ("x", "k"), ("reverse",), "force_energy"),
                ),
            ),
        ),
    )


def test_the_signature_goes_by_the_full_name():
    assert FunctionConfig("forces::energy", "energy(x[n], n, k)").parsed.name == "forces::energy"
    assert FunctionConfig(signature="forces::energy(x[n], n, k)").parsed.name == "forces::energy"
    with pytest.raises(ConfigError, match="function 'power' has the signature of 'energy'"):
        _ = FunctionConfig("power", "energy(x[n], n, k)").parsed


def test_no_table_is_no_module():
    assert read("") == ProjectConfig()


MISTAKES = {
    "unknown key": ("optimize = 2", "unknown key 'optimize' in tool.enzyme-build", "did you mean 'optimise'?"),
    "unknown key of a function": (
        'sinature = "f(x)"', "unknown key 'sinature' in tool.enzyme-build.module[0].function[0]",
        "did you mean 'signature'?",
    ),
    "not a string": ("target-cpu = 3", "tool.enzyme-build.target-cpu must be a string, not 3", None),
    "not an integer": ("optimise = true", "tool.enzyme-build.optimise must be an integer, not true", None),
    "out of range": ("optimise = 4", "tool.enzyme-build.optimise must be 0 to 3, not 4", None),
    "backend": (
        'backend = "meson-pithon"', "tool.enzyme-build.backend: 'meson-pithon' is not known",
        "did you mean 'meson-python'?",
    ),
    "not an array": (
        'wrt = "x"', "tool.enzyme-build.module[0].function[0].wrt must be an array of strings, not 'x'", None,
    ),
    "mode": (
        'modes = ["revers"]', "tool.enzyme-build.module[0].function[0].modes: 'revers' is not known",
        "did you mean 'reverse'?",
    ),
    "no sources": (
        '[[tool.enzyme-build.module]]\nname = "m"', "tool.enzyme-build.module[1] needs the key 'sources'", None,
    ),
    "no functions": (
        '[[tool.enzyme-build.module]]\nname = "m"\nsources = ["a.c"]', "module 'm' has no functions",
        "add [[tool.enzyme-build.module.function]]",
    ),
    "not importable": (
        '[[tool.enzyme-build.module]]\nname = "my-pkg"\nsources = ["a.c"]',
        "tool.enzyme-build.module[1].name must be an importable name like 'mypkg._core', not 'my-pkg'", None,
    ),
    "a word of Python": (
        '[[tool.enzyme-build.module]]\nname = "pkg.lambda"\nsources = ["a.c"]\nfunction = [{ name = "f" }]',
        "tool.enzyme-build.module[1].name must be an importable name like 'mypkg._core', not 'pkg.lambda'", None,
    ),
    "no name for Python": (
        'python-name = "my energy"',
        "tool.enzyme-build.module[0].function[0].python-name must be a name of Python, not 'my energy'", None,
    ),
    "a word for Python": (
        'python-name = "class"',
        "tool.enzyme-build.module[0].function[0].python-name must be a name of Python, not 'class'", None,
    ),
    "two of one name": (
        '[[tool.enzyme-build.module]]\nname = "m"\nsources = ["a.c"]\nfunction = [{ name = "f" }]',
        "two modules are named 'm'", None,
    ),
}  # fmt: skip
BASE = """
[tool.enzyme-build]
{project}
[[tool.enzyme-build.module]]
name = "m"
sources = ["a.c"]
  [[tool.enzyme-build.module.function]]
  name = "f"
  {function}
"""
FUNCTION_KEYS = ("sinature", "wrt", "modes", "python-name", "[[")


def with_mistake(mistake: str) -> str:
    line = MISTAKES[mistake][0]
    place = "function" if line.startswith(FUNCTION_KEYS) else "project"
    return BASE.format(**{"project": "", "function": "", place: line})


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake):
    _, message, hint = MISTAKES[mistake]
    with pytest.raises(ConfigError) as caught:
        read(with_mistake(mistake))
    assert caught.value.message == message
    if hint:
        assert caught.value.hint == hint


def test_what_is_said_at_the_build_counts_more():
    texts = {"optimise": "1", "target-cpu": "native", "loose-types": "ON", "ad-before-opt": "false"}
    overrides = [Override(key, text, key) for key, text in texts.items()]
    config = read_project(tomllib.loads(GOOD), overrides)
    assert (config.optimise, config.target_cpu, config.loose_types, config.ad_before_opt) == (1, "native", True, False)
    assert config.module == read(GOOD).module
    assert read_project(tomllib.loads(GOOD), [*overrides, Override("optimise", "0", "later")]).optimise == 0


@pytest.mark.parametrize(
    ("key", "text", "message", "hint"),
    [
        ("optimize", "1", "-C: there is no 'optimize' to set", "did you mean 'optimise'?"),
        ("module", "x", "-C: there is no 'module' to set", None),
        ("optimise", "much", "-C must be an integer, not 'much'", None),
        ("optimise", "7", "tool.enzyme-build.optimise must be 0 to 3, not 7", None),
        ("loose-types", "maybe", "-C must be true or false, not 'maybe'", None),
    ],
)
def test_mistakes_at_the_build(key, text, message, hint):
    with pytest.raises(ConfigError) as caught:
        read_project(tomllib.loads(GOOD), [Override(key, text, "-C")])
    assert caught.value.message == message
    if hint:
        assert caught.value.hint == hint
