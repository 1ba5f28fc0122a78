"""The JSON schema of `[tool.enzyme-build]`, made from the dataclasses that read it.

validate-pyproject finds it by the entry point `validate_pyproject.tool_schema`, and so do editors that use it.
"""

from __future__ import annotations

import ast
import inspect
import keyword
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, Final, get_args, get_origin, get_type_hints

from .project import BACKENDS, MODES, FunctionConfig, ModuleConfig, ProjectConfig

_TYPES: Final = {str: "string", int: "integer", bool: "boolean"}
_NAME: Final = rf"(?!(?:{'|'.join(keyword.kwlist)})(?:\.|$))[A-Za-z_][A-Za-z0-9_]*"
"""A name of Python that is no word of its own."""
_LIMITS: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("ProjectConfig", "backend"): {"enum": list(BACKENDS)},
    ("ProjectConfig", "optimise"): {"minimum": 0, "maximum": 3},
    ("FunctionConfig", "modes"): {"items": {"type": "string", "enum": list(MODES)}},
    ("ModuleConfig", "sources"): {"minItems": 1},
    ("ModuleConfig", "function"): {"minItems": 1},
    ("ModuleConfig", "name"): {"pattern": rf"^{_NAME}(\.{_NAME})*$"},
    ("FunctionConfig", "python_name"): {"pattern": rf"^({_NAME})?$"},
}
"""What types alone do not say, by dataclass and field."""


def schema(_tool: str = "enzyme-build") -> dict[str, Any]:
    """Keys of `[tool.enzyme-build]` for validate-pyproject."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "https://enzyme-build/pyproject.schema.json",
        **_object(ProjectConfig),
    }


def _object(kind: type) -> dict[str, Any]:
    hints, said = get_type_hints(kind), _docstrings(kind)
    entries = fields(kind)
    found: dict[str, Any] = {
        "type": "object",
        "description": (kind.__doc__ or "").strip(),
        "additionalProperties": False,
        "properties": {_key(one): _field(kind, one, hints[one.name], said.get(one.name, "")) for one in entries},
    }
    required = [_key(one) for one in entries if one.default is MISSING and one.default_factory is MISSING]
    if kind is ModuleConfig:
        required.append("function")  # empty modules are what the reader explains
    if kind is FunctionConfig:
        found["anyOf"] = [{"required": ["name"]}, {"required": ["signature"]}]
    if required:
        found["required"] = required
    return found


def _key(field: Field[Any]) -> str:
    return field.name.replace("_", "-")


def _field(kind: type, field: Field[Any], hint: Any, said: str) -> dict[str, Any]:
    found = _type(hint) | _LIMITS.get((kind.__name__, field.name), {})
    if said:
        found["description"] = said
    if field.default is not MISSING and not is_dataclass(_element(hint)):
        found["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
    return found


def _type(hint: Any) -> dict[str, Any]:
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _type(_element(hint))}
    return _object(hint) if is_dataclass(hint) and isinstance(hint, type) else {"type": _TYPES[hint]}


def _element(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is tuple else hint


def _docstrings(kind: type) -> dict[str, str]:
    """The strings below fields, which Python itself forgets."""
    (definition,) = ast.parse(inspect.getsource(kind)).body
    assert isinstance(definition, ast.ClassDef)
    found: dict[str, str] = {}
    for before, after in zip(definition.body, definition.body[1:], strict=False):
        if (
            isinstance(before, ast.AnnAssign)
            and isinstance(before.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        ):
            found[before.target.id] = " ".join(after.value.value.split())
    return found
