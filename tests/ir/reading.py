"""Text through the model and back, and modules for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_module
from enzyme_build.llvm.context import parse_text

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module


def llvm_text(text: str) -> str:
    """`text` as LLVM prints it, verified."""
    printed = str(parse_text(text, "a test"))
    # The first line names the module, which is not part of the program.
    return printed.split("\n", 1)[1]


def read(text: str) -> Module:
    """A module from text as a person writes it."""
    return parse_module(llvm_text(text))


def reprinted(text: str) -> str:
    """What our model makes of LLVM's text when every function is printed from it."""
    module = parse_module(text)
    for name in list(module.bodies):
        module.replace_function(name)
    return print_module(module)
