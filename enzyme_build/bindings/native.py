"""What the compiled function says of itself: symbol, parameters and result, from IR and debug information.

This is one of the two sources of an interface; the other is the user's signature. Nothing here reads IR:
`discover.py` fills these values in.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from .dtypes import DType


class Passing(Enum):
    VALUE = "value"
    POINTER = "pointer"


@dataclass(frozen=True)
class NativeParameter:
    """A parameter of the function in IR."""

    ir_type: str
    """`double`, `ptr`, `i32` …"""
    attributes: str = ""
    """ABI attributes that a caller has to repeat: `signext`, `zeroext`."""
    name: str | None = None
    dtype: DType | None = None
    """Type of the value, or of what the pointer points to; None where nothing says it."""
    constant: bool = False
    """Is the pointee `const`, or known never to be written?"""
    only_written: bool = False
    """Is the pointee known never to be read?"""
    is_scalar: bool = False
    """Is it one number in the source, which the language passes by its address (Fortran)?"""
    pieces: tuple[str, ...] = ()
    """Of a complex number by value: the IR's types of what it is passed as, which may be several of its parameters."""
    extents: tuple[int | str | None, ...] | None = None
    """Of an array of Fortran: its dimensions, as far as they are numbers or `%` and the number of an argument."""

    @property
    def passing(self) -> Passing:
        return Passing.POINTER if self.ir_type.startswith("ptr") else Passing.VALUE


@dataclass(frozen=True)
class NativeFunction:
    """A function with a body, as the merged module has it."""

    symbol: str
    source_name: str
    """The name as written in the source, with namespaces."""
    parameters: tuple[NativeParameter, ...]
    result_type: str = "void"
    result_attributes: str = ""
    result: DType | None = None
    attribute_text: str = ""
    """`target-cpu`, `target-features` of the primal: callers with others would not inline it."""
    is_fortran: bool = False
    """Is it a procedure of Fortran, which others of Fortran find in its own module?"""
