"""Which metadata a clone may keep.

Types of accesses stay true for primal and shadow. Debug locations belong to the primal's subprogram, loop hints to
the primal's loops, and alias scopes hold within one execution of the primal's code, not across the sweeps.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from enzyme_build.ir.instructions import Instruction

_KEPT = re.compile(r"!(?:tbaa|fpmath) !\d+")


def kept_metadata(instruction: Instruction) -> str:
    """The attachments that a clone keeps."""
    text = instruction.metadata
    return ", ".join(_KEPT.findall(text)) if text else ""
