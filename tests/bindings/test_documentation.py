"""`docs/python.md` knows every key and every signature in it can be read."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from enzyme_build.bindings.project import FunctionConfig, ModuleConfig, ProjectConfig, read_project
from enzyme_build.bindings.signature import parse_signature

TEXT = (Path(__file__).parents[2] / "docs" / "python.md").read_text("utf-8")
TABLES = re.findall(r"^\| (`.*?) \|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("kind", [ProjectConfig, ModuleConfig, FunctionConfig])
def test_every_key_is_described(kind):
    described = {name for cell in TABLES for name in re.findall(r"`([^`]*)`", cell)}
    assert {field.name.replace("_", "-") for field in fields(kind)} <= described


def test_the_example_is_valid():
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    config = read_project(tomllib.loads(example))
    assert config.module[0].function[0].parsed.name == "energy"


def test_the_signatures_are_valid():
    signatures = re.findall(r"^    (\S+\(.*)$", TEXT, re.MULTILINE)
    assert [parse_signature(text).base_name for text in signatures] == ["energy", "step", "project"]
