"""Docstrings of the generated Python functions: signature, shapes, what comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .methods import Kind, Method, Parameter, Role, returns_text, signature_text, tuple_text
from .signature import Intent

if TYPE_CHECKING:
    from .interface import Argument


def docstring(method: Method) -> str:
    """The docstring, beginning with the line from which Python makes `__text_signature__`."""
    head = f"{method.name}({signature_text(method, _spell)})\n--\n\n"
    lines = [_summary(method), ""]
    if method.batched:
        lines[1:1] = [
            "For a batch: arguments are one item for all, or have a leading axis with an item for each",
            "(numbers are arrays of them); all results have that axis.",
        ]
    lines += [f"{p.name}: {_describe(p, method)}" for p in method.parameters]
    lines += ["", f"Returns {returns_text(method)}."]
    return head + "\n".join(lines)


def _spell(parameter: Parameter) -> str:
    return parameter.name if parameter.required else f"{parameter.name}=None"


def _summary(method: Method) -> str:
    name, wrt = method.interface.name, " and ".join(method.interface.wrt)
    match method.kind:
        case Kind.PRIMAL:
            return f"The function '{name}' itself."
        case Kind.GRAD:
            return f"Value of '{name}' and its gradient with respect to {wrt}."
        case Kind.VJP:
            return f"Vector-Jacobian product of '{name}': the adjoints of {wrt} for the cotangents of its results."
        case Kind.HVP:
            return f"Hessian of '{name}' with respect to {wrt}, times the tangents (zero where not given)."
        case Kind.JVP:
            return f"Value of '{name}' and its derivative along the tangents of {wrt} (zero where not given)."


def _describe(parameter: Parameter, method: Method) -> str:
    argument = parameter.argument
    match parameter.role:
        case Role.INPUT:
            return _type(argument) + _strides(argument, method) + _changed(argument, method)
        case Role.OUTPUT:
            return f"{_type(argument)}{_strides(argument, method)}, filled and returned; made if not given"
        case Role.LENGTH:
            given = "strides" if argument is not None and argument.name in method.interface.strides else "shapes"
            return f"int, given by the {given}"
        case Role.COTANGENT:
            return f"{_type(argument)}, the cotangent of {argument.name if argument else 'the value'}"
        case Role.TANGENT:
            return f"{_type(argument)}, the tangent of {argument.name if argument else ''}"
        case Role.THREADS:
            return "int, how many threads share the items (1); 0: as many as there are processors"
        case Role.BUFFERS:
            entries = [f"{a.name}_bar" if a.is_array else "None" for a in method.interface.wrt_arguments]
            return f"tuple of arrays to hold the adjoints (overwritten), {tuple_text(entries)}; None: made"


def _type(argument: Argument | None) -> str:
    if argument is None:
        return "float"
    if argument.is_array:
        order = "" if len(argument.shape or ()) < 2 else f", {argument.order.language} order"
        return f"{argument.element} array of shape {argument.shape_text}{order}"
    return argument.element.python


def _strides(argument: Argument | None, method: Method) -> str:
    if argument is None or not argument.strides or method.batched:
        return ""
    axes = [str(axis) for axis, name in enumerate(argument.strides) if name is not None]
    return f", any stride along axis {' and '.join(axes)}"


def _changed(argument: Argument | None, method: Method) -> str:
    if argument is None or argument.intent is not Intent.INOUT or not argument.is_array:
        return ""
    in_place = method.kind is Kind.PRIMAL and not method.batched
    return ", changed in place" if in_place else ", not changed: its new value is returned"
