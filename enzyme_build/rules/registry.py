"""One entry point to everything known about functions by name.

`lookup` answers for declarations only: a function with a body is what its body says, whatever its name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_build.ir.types import X86_FP80
from enzyme_build.records import dataclass

from . import complex_calls, special
from .fortran import fortran_function
from .inactive import inactive_function
from .inactive_rows import Inactive
from .libcxx import libcxx_function
from .memory import Memory, memory_function
from .mirrored import Mirrored, mirrored_function
from .names import SEVERAL_RESULTS, canonical, has_signature
from .rust import rust_function
from .scalar import PARTIALS

if TYPE_CHECKING:
    from enzyme_build.ir.types import FunctionType, Type

    from .expr import Expr
    from .multiple import MultipleRule
    from .special import Helper


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """A function with a row of partials; it touches no memory but errno."""

    name: str
    type: Type
    partials: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class MultipleFunction:
    """A function with several results; it writes behind the arguments its rule names, and errno."""

    name: str
    type: Type
    rule: MultipleRule


Known = ScalarFunction | MultipleFunction | Memory | Inactive | Mirrored


def lookup(name: str, signature: FunctionType | None = None, long_double: Type = X86_FP80) -> Known | None:
    """What is known about the symbol.

    With its `signature`, a program's own external function that happens to be called `gamma` or `y1` is not taken for
    libm's. `long_double` is the type of the names that end in l.
    """
    known: Known | None = mathematical(name, signature, long_double)
    # Mathematics first: llvm.ssa.copy of a float is a row there, of a pointer it is mirrored.
    known = known or memory_function(name) or inactive_function(name) or mirrored_function(name)
    return known or libcxx_function(name) or fortran_function(name) or rust_function(name)


def like(name: str, signature: FunctionType) -> Known | None:
    """What is known of the function `name`, for another one of this type that its user says is like it."""
    found = mathematical(name)
    if found is None:
        return lookup(name)
    numbers = [t for t in (signature.result, *signature.parameters) if t.is_float_like]
    if not numbers or not has_signature(found.name, numbers[0], signature):
        return None
    return replace(found, type=numbers[0])


def mathematical(
    name: str, signature: FunctionType | None = None, long_double: Type = X86_FP80
) -> ScalarFunction | MultipleFunction | None:
    """The row of a function of the mathematical tables."""
    found = canonical(name, long_double)
    if found is None:
        return None
    function, type_ = found
    if signature is not None and not has_signature(function, type_, signature):
        return None
    if function in PARTIALS:
        return ScalarFunction(function, type_, PARTIALS[function])
    return MultipleFunction(function, type_, SEVERAL_RESULTS[function]) if function in SEVERAL_RESULTS else None


def helper(symbol: str) -> Helper | None:
    """The definition of a function of ours that formulas or rewritten calls refer to."""
    return special.HELPERS.get(symbol) or complex_calls.HELPERS.get(symbol)
