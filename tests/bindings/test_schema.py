"""The JSON schema of `[tool.enzyme-build]`: it says what the reader of the table does."""

from __future__ import annotations

import tomllib
from importlib import metadata

import pytest

from enzyme_build.bindings.project import read_project
from enzyme_build.bindings.schema import schema
from enzyme_build.errors import ConfigError

from .test_project import GOOD, MISTAKES, with_mistake

fastjsonschema = pytest.importorskip("fastjsonschema")


@pytest.fixture(scope="module")
def validate():
    return fastjsonschema.compile(schema(), use_default=False)


def table(text: str) -> dict:
    return tomllib.loads(text)["tool"]["enzyme-build"]


def test_what_is_right_for_the_reader_is_right_for_the_schema(validate):
    validate(table(GOOD))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_is_wrong_for_the_reader_is_wrong_for_the_schema(mistake, validate):
    text = with_mistake(mistake)
    with pytest.raises(ConfigError):
        read_project(tomllib.loads(text))
    if mistake not in _BEYOND_SCHEMAS:
        with pytest.raises(fastjsonschema.JsonSchemaException):
            validate(table(text))


_BEYOND_SCHEMAS = {"two of one name"}
"""A schema cannot compare the names of modules."""


def test_every_key_is_explained():
    def unexplained(found: dict, path: str):
        for key, value in found.get("properties", {}).items():
            if "description" not in value and "properties" not in value.get("items", {}):
                yield f"{path}.{key}"
            yield from unexplained(value.get("items", {}), f"{path}.{key}")

    assert list(unexplained(schema(), "tool.enzyme-build")) == []


def test_validate_pyproject_finds_it():
    plugins = pytest.importorskip("validate_pyproject.plugins")
    api = pytest.importorskip("validate_pyproject.api")
    if not any(one.name == "enzyme-build" for one in metadata.distributions()):
        pytest.skip("the package is not installed")
    own = [one for one in plugins.list_from_entry_points() if one.tool == "enzyme-build"]
    assert len(own) == 1, "the installed package has the entry point"
    validator = api.Validator(own, extra_validations=[])
    project = '[project]\nname = "a"\nversion = "1"\n'
    validator(tomllib.loads(project + GOOD))
    with pytest.raises(Exception, match="optimize"):
        validator(tomllib.loads(project + GOOD.replace("optimise", "optimize")))
