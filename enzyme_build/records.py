"""Data classes whose methods are made when they are first used.

The standard library's decorator writes and compiles the text of up to six methods for each class, 0.3 ms a class: with
more than two hundred of them a third of the time that loading the package took. Here a class gets its fields at once,
and `__init__`, `__eq__` and `__hash__` when the first object is made, compared or looked up. That a class is `frozen`
is for the type checker, which knows this decorator as the standard one, and decides whether objects are hashed; while
the program runs nothing stands between a constructor and its object, which takes an eighth of the time.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from dataclasses import dataclass as standard
from reprlib import recursive_repr

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import Field, dataclass
    from typing import Any

    Method = Callable[..., Any]

__all__ = ["dataclass"]

_GIVEN_NOTHING = object()
"""Default of a parameter whose value a factory makes."""


def _decorator(
    cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, order: bool = False, slots: bool = False
) -> Any:
    """What `dataclasses.dataclass` does."""
    if cls is None:
        return lambda cls: _decorator(cls, frozen=frozen, eq=eq, order=order, slots=slots)
    if order:
        return standard(frozen=frozen, order=True, slots=slots)(cls)
    own = set(vars(cls))
    if not cls.__doc__:
        cls.__doc__ = cls.__name__  # or the signature is made for it
    made: Any = standard(init=False, repr=False, eq=False, slots=slots)(cls)
    _add_late(made, "__init__", _init_of, own)
    if "__repr__" not in own:
        made.__repr__ = _repr
    if eq:
        _add_late(made, "__eq__", _eq_of, own)
        if frozen:
            _add_late(made, "__hash__", _hash_of, own)
        elif "__hash__" not in own:
            made.__hash__ = None
    return made


if not TYPE_CHECKING:
    dataclass = _decorator


def _add_late(cls: type, name: str, make: Callable[[type], Method], own: set[str]) -> None:
    """Let `make` make the method of this name when it is called first, unless the class has its own."""
    if name in own:
        return

    def late(*arguments: Any, **keywords: Any) -> Any:
        method = make(cls)
        method.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, method)
        return method(*arguments, **keywords)

    setattr(cls, name, late)


def _init_of(cls: type) -> Method:
    """The constructor that assigns the fields in their order."""
    known: dict[str, Any] = {"_given_nothing": _GIVEN_NOTHING}
    parameters, lines = [], []
    for one in fields(cls):
        if one.default_factory is not MISSING:
            known[f"_make_{one.name}"] = one.default_factory
            parameters.append(f"{one.name}=_given_nothing")
            lines.append(f"self.{one.name} = _make_{one.name}() if {one.name} is _given_nothing else {one.name}")
            continue
        if one.default is not MISSING:
            known[f"_default_{one.name}"] = one.default
            parameters.append(f"{one.name}=_default_{one.name}")
        else:
            parameters.append(one.name)
        lines.append(f"self.{one.name} = {one.name}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    return _compiled("__init__", ["self", *parameters], lines or ["pass"], known)


def _eq_of(cls: type) -> Method:
    ours, theirs = (_values(cls, owner, _is_compared) for owner in ("self", "other"))
    lines = ["if other.__class__ is not self.__class__:", "    return NotImplemented", f"return {ours} == {theirs}"]
    return _compiled("__eq__", ["self", "other"], lines, {})


def _hash_of(cls: type) -> Method:
    return _compiled("__hash__", ["self"], [f"return hash({_values(cls, 'self', _is_hashed)})"], {})


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _is_compared(field: Field[Any]) -> bool:
    return field.compare


def _is_hashed(field: Field[Any]) -> bool:
    return field.compare if field.hash is None else field.hash


def _values(cls: type, owner: str, used: Callable[[Field[Any]], bool]) -> str:
    """The tuple of the fields' values, as an expression."""
    return f"({''.join(f'{owner}.{one.name}, ' for one in fields(cls) if used(one))})"


def _compiled(name: str, parameters: list[str], lines: list[str], known: dict[str, Any]) -> Method:
    body = "\n".join(f"    {line}" for line in lines)
    exec(f"def {name}({', '.join(parameters)}):\n{body}", known)  # noqa: S102 - names of fields, from our own classes
    method: Method = known[name]
    return method
