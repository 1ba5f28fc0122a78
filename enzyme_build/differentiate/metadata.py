"""Which metadata and attributes a clone may keep, and which alignment a shadow has.

Types of accesses stay true for primal and shadow (but see `TagsOfSums`). Debug locations belong to the primal's
subprogram, loop hints to the primal's loops, and alias scopes hold within one execution of the primal's code, not
across the sweeps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.punning import is_allocated
from enzyme_build.analysis.writes import type_tag
from enzyme_build.ir.instructions import Load, Store
from enzyme_build.regex import regex

from .memory_scopes import joined

if TYPE_CHECKING:
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.instructions import Instruction
    from enzyme_build.ir.layout import DataLayout
    from enzyme_build.ir.module import Module

    from .context import Context

_KEPT = regex(r"!(?:tbaa(?:\.struct)?|fpmath|enzyme\.member) !\d+")
_TYPES = ("!tbaa", "!enzyme.member")
_ATTRIBUTE = regex(r'"([^"]+)"="([^"]*)"')
_OF_TARGET = frozenset(
    ("target-cpu", "target-features", "tune-cpu", "no-trapping-math", "min-legal-vector-width"),
)


UNTAGGED = "untagged shadows"
"""In the module's cache, where accesses to shadows do not say of which type they are: of memory that is used for
several types LLVM would put what is written later in front of what is read before."""


def kept_metadata(instruction: Instruction) -> str:
    """The attachments that a clone keeps."""
    text = instruction.metadata
    return ", ".join(_KEPT.findall(text)) if text else ""


def untagged(metadata: str) -> str:
    """The attachments of an access without those that say of which type it is."""
    return ", ".join(part for part in metadata.split(", ") if part and not part.startswith(_TYPES))


def kept_attributes(module: Module, primal: Function, more: str = "") -> str:
    """The group of a derived function's attributes: what the primal says of the target, and what is given; nothing
    else that may be true of the primal only."""
    text = module.attributes_of(primal)
    found = [f'"{key}"="{value}"' for key, value in _ATTRIBUTE.findall(text) if key in _OF_TARGET]
    return module.add_attribute_group(" ".join(["nounwind", *more.split(), *found]))


class TagsOfSums:
    """The types of accesses that add to the adjoint of what the primal only read.

    Tags tell names apart that may be of the same memory as long as none of them is written through: members of two
    structs of numbers. What is left of them separates numbers from all else.
    """

    def __init__(self, module: Module) -> None:
        self._module = module
        self._known: dict[str, str] = {}

    def of(self, read: Load) -> str:
        tag = type_tag(read)
        if tag is None or UNTAGGED in self._module.cache:
            return ""
        if tag not in self._known:
            self._known[tag] = self._less_exact(tag)
        return self._known[tag]

    def _less_exact(self, tag: str) -> str:
        base, access, offset = self._module.metadata_node(tag).operands[:3]
        same = access == base and offset == "i64 0"
        return f"!tbaa {tag if same else self._module.add_metadata(f'!{{{access}, {access}, i64 0}}')}"


def shadow_metadata(context: Context, i: Load | Store) -> str:
    """Of the same access to a shadow."""
    untagged = UNTAGGED in context.module.cache or _holds_two_precisions(context, i)
    return joined("" if untagged else kept_metadata(i), shadow_scopes(context, i))


def _holds_two_precisions(context: Context, i: Load | Store) -> bool:
    """Is this allocated memory of numbers of several types? It may be used for one, and then for the other; LLVM would
    put the access to the shadow that comes later first."""
    place = context.memory.place(i.pointer)
    region = place.resolved().region.root if place is not None else None
    if region is None or not is_allocated(region):
        return False
    known = context.module.cache.setdefault("two precisions", {})
    assert isinstance(known, dict)
    if region not in known:
        known[region] = len({type_ for content in region.contents() for type_ in content.claimed_numbers}) > 1
    return bool(known[region])


def shadow_scopes(context: Context, i: Load | Store) -> str:
    """The alias scopes of an access to the numbers in a shadow that certainly is not the primal memory itself."""
    type_ = i.value.type if isinstance(i, Store) else i.type
    return context.scopes.shadow if type_.is_float_like and not context.activity.is_uncertain(i.pointer) else ""


def shadow_alignment(layout: DataLayout, i: Load | Store) -> int:
    """Of the same access to a shadow. Code may have looked at the primal's address before an access that needs more
    alignment than its type has (the middle of a loop by vectors, whose ends are done one by one); the shadow lies
    elsewhere."""
    type_ = i.operands[0].type if isinstance(i, Store) else i.type
    natural = layout.alignment(type_.scalar)
    return min(i.align, natural) if i.align else natural
