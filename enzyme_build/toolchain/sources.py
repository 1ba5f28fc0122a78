"""What a C or C++ source says of rules, looked for in its bytes before it is compiled.

Compilers leave out static variables and functions that nothing uses, and nothing uses what registers a rule: whoever
compiles must know beforehand that there is such a thing, in the source itself or in a header of the project.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build import headers
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_VARIABLE: Final = regex(rb"__enzyme_(?:register_|inactive|function_like|allocation_like|shadow|nofree)")
_ATTRIBUTE: Final = regex(rb'\benzyme\s*\(\s*"|\bannotate\s*\(\s*"enzyme_')
_MAY_BE_LOST: Final = regex(rb'\benzyme_inactive\b|"enzyme_inactive"|\[\[[^\]\n]*\benzyme')
_IN_ASSEMBLY: Final = regex(rb'!enzyme_|"enzyme_|@llvm\.global\.annotations|' + _VARIABLE.pattern)
_KEEPS_VARIABLES: Final = 18


@dataclass(frozen=True, slots=True)
class RulesNamed:
    """`variables` that register, `attributes` that name derivatives, both in LLVM's own `assembly`; attributes that
    compilers drop in some places (`droppable`)."""

    variables: bool = False
    attributes: bool = False
    assembly: bool = False
    droppable: bool = False

    @property
    def may_be_lost(self) -> bool:
        """May compilers drop any attribute?"""
        return self.droppable or self.attributes

    def __or__(self, other: RulesNamed) -> RulesNamed:
        return RulesNamed(
            self.variables or other.variables,
            self.attributes or other.attributes,
            self.assembly or other.assembly,
            self.droppable or other.droppable,
        )


def rules_named(sources: Iterable[Path], flags: Sequence[str]) -> RulesNamed:
    """What the sources and the headers that they include say; system headers are not looked at."""
    found = RulesNamed()
    for path, text in headers.texts([str(source) for source in sources], flags):
        if b"nzyme" in text:
            found |= _named(Path(path), text)
    return found


def _named(path: Path, text: bytes) -> RulesNamed:
    if path.suffix == ".ll":
        return RulesNamed(assembly=_IN_ASSEMBLY.search(text) is not None)
    return RulesNamed(
        _VARIABLE.search(text) is not None,
        _ATTRIBUTE.search(text) is not None,
        droppable=_MAY_BE_LOST.search(text) is not None,
    )


def keep_rules(llvm_major: int, named: RulesNamed) -> list[str]:
    """Flags that keep what rules need until the link: static variables that nothing uses (older compilers have no such
    flag), and in LLVM's assembly everything, as metadata keeps no function alive."""
    if named.assembly:
        return ["-O0"]
    return ["-fkeep-persistent-storage-variables"] if named.variables and llvm_major >= _KEEPS_VARIABLES else []


def include_folders(flags: Sequence[str]) -> list[Path]:
    """The folders that a command line says to search."""
    return [Path(folder) for folder in headers.include_folders(flags)]
