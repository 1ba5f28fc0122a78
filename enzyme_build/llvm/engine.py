"""Engine: the LLVM that parses, verifies, optimises and emits.

There are two, with the same functions: llvmlite's own, which is always there (`wheel`), and the shared library of a
compiler on the machine (`shared`). llvmlite's is built with assertions and without much inlining: it takes two to three
times as long for the same result. A link says which one it wants; who does not say gets llvmlite's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from enzyme_build.errors import InputError
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Target:
    cpu: str = ""
    features: str = ""
    level: int = 2


class Value(Protocol):
    """A function or a variable of a module."""

    name: str

    @property
    def is_declaration(self) -> bool: ...

    @property
    def is_local(self) -> bool:
        """Does nothing outside of its module see it?"""

    @property
    def is_strong(self) -> bool:
        """Is it a symbol of which only one definition may be there?"""

    def set_linkage(self, linkage: str) -> None:
        """`internal` or `external`."""


class Module(Protocol):
    """A module in one of LLVM's contexts. What fails raises RuntimeError with LLVM's words."""

    triple: str
    data_layout: str
    """How large and aligned types are in memory; empty where nothing says so."""

    @property
    def functions(self) -> Sequence[Value]: ...

    @property
    def global_variables(self) -> Sequence[Value]: ...

    def get_function(self, name: str) -> Value:
        """Raises NameError when there is none."""

    def get_global_variable(self, name: str) -> Value:
        """Raises NameError when there is none."""

    def verify(self) -> None: ...

    def link_in(self, other: Any) -> None:
        """Take over another module of the same context, which is gone then."""

    def as_bitcode(self) -> bytes: ...

    def close(self) -> None:
        """Give its memory back; it is not to be used any more."""


class Engine(Protocol):
    """LLVM's functions. What fails raises RuntimeError with LLVM's words."""

    def version(self) -> str: ...

    def host(self) -> tuple[str, str]:
        """This machine's processor and its features, as LLVM names them."""

    def new_context(self) -> Any: ...

    def parse(self, data: bytes, context: Any = None) -> Module:
        """The module of a text or of bitcode, not verified; in a context of its own where none is given."""

    def set_option(self, option: str) -> None:
        """One of LLVM's command-line options, from now on in this process; it may be told again."""

    def run_pipeline(self, module: Any, target: Target, *, level: int, vectorise: bool) -> None:
        """LLVM's default pipeline of a level."""

    def run_passes(self, module: Any, target: Target, passes: Sequence[str]) -> None:
        """Single passes, by LLVM's names for them."""

    def has_pass(self, name: str) -> bool: ...

    def emit_object(self, module: Any, target: Target) -> bytes:
        """Machine code, position-independent and of the small code model."""


def is_bitcode(data: bytes) -> bool:
    """Bare bitcode, or with the header that wraps it."""
    return data[:4] in (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


_engines: dict[Path | None, Engine] = {}
_chosen: Engine | None = None


def use(library: Path | None, *, asked: bool = True) -> None:
    """From now on LLVM is that shared library, or llvmlite's where none is given.

    One that cannot be loaded, or is of another version, raises InputError if it was `asked` for; else it is
    llvmlite's.
    """
    global _chosen  # noqa: PLW0603 - LLVM's own state is per process
    if library not in _engines:
        try:
            _engines[library] = _loaded(library)
        except InputError:
            if asked:
                raise
            return use(None)
    _chosen = _engines[library]
    return None


def _loaded(library: Path | None) -> Engine:
    if library is None:
        from enzyme_build.llvm.wheel import Wheel

        return Wheel()
    from enzyme_build.llvm.shared import Shared

    return Shared(library)


def engine() -> Engine:
    if _chosen is None:
        use(None)
    assert _chosen
    return _chosen
