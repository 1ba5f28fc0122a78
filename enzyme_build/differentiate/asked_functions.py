"""The function that a request is about, by its first argument."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.known import has_rule
from enzyme_build.errors import driver_for

from .markers import resolve_function, wrapped_function

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.values import Value

    from .request_reader import RequestReader


def asked_function(reader: RequestReader, value: Value) -> Function:
    """The function that a request's first argument means; RequestError where there is none to differentiate."""
    found = resolve_function(reader.module, value) or wrapped_function(reader.module, value)
    if found is None:
        raise reader.error(
            f"{reader.entry}: the function to differentiate is not known at link time",
            "pass the function itself",
            "E0308",
        )
    if not reader.module.is_defined(found.name) and not has_rule(reader.module, found):
        raise reader.error(
            f"{reader.entry}: no definition of '{found.name}' was found in the inputs of this link",
            f"compile its source with {driver_for(found.name)} too and pass the object or archive",
            "E0309",
        )
    return reader.module.function(found.name)
