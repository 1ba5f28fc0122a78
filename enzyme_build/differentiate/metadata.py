"""Which metadata a clone may keep, and which alignment a shadow has.

Types of accesses stay true for primal and shadow. Debug locations belong to the primal's subprogram, loop hints to
the primal's loops, and alias scopes hold within one execution of the primal's code, not across the sweeps.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from enzyme_build.ir.instructions import Load, Store

if TYPE_CHECKING:
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.layout import DataLayout

_KEPT = re.compile(r"!(?:tbaa|fpmath) !\d+")


def kept_metadata(instruction: Instruction) -> str:
    """The attachments that a clone keeps."""
    text = instruction.metadata
    return ", ".join(_KEPT.findall(text)) if text else ""


def shadow_alignment(layout: DataLayout, i: Load | Store) -> int:
    """Of the same access to a shadow. Code may have looked at the primal's address before an access that needs more
    alignment than its type has (the middle of a loop by vectors, whose ends are done one by one); the shadow lies
    elsewhere."""
    type_ = i.operands[0].type if isinstance(i, Store) else i.type
    natural = layout.alignment(type_.scalar)
    return min(i.align, natural) if i.align else natural
