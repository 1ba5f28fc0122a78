"""Calls behind which the program must return at once (`musttail`) as such that may.

clang makes them of `[[clang::musttail]]`, LLVM of coroutines that resume each other. LLVM's pass that merges the
returns of a function goes on behind them, which is no module any more until they are other calls, and so do
derivatives. LLVM still makes jumps of these calls, so that the stack does not grow. Those that hand on the variable
arguments of their function cannot be other calls; they are in functions (thunks) that do nothing else.
"""

from __future__ import annotations

import re
from typing import Final

from enzyme_build.regex import regex

_MUST: Final = regex(r"^(  (?:%[^ ]+ = )?)musttail (call (?!.*, \.\.\.\))[^\n]*)", re.MULTILINE)


def that_may_return(text: str) -> str:
    """The module without such calls, but for those in thunks."""
    return _MUST.sub(r"\1tail \2", text) if "musttail" in text else text
