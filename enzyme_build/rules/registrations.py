"""How users' own rules are recognised from outside: parts of names, before anything is parsed."""

from __future__ import annotations

from typing import Final

LISTED: Final = "llvm.global.annotations"
"""LLVM's variable that lists the attributes `annotate`, which clang makes of our attributes."""
MARKS: Final = ("__enzyme_register_", "__enzyme_inactivefn", "__enzyme_function_like", "__enzyme_allocation_like")
"""Parts of the names of variables that tell of functions which therefore must stay as they are."""
