"""Every exception of the package, and the place in a user's source that an error names.

`EnzymeBuildError` and its children are what a user may see: message, location, hint and a stable code. They are
printed the way compilers print (`loss.c:14:5: error: …`) and are caught only at the edges (command line, build
hooks). Anything else that escapes is a bug and stays a traceback.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


_PLACES = 8
"""Places of other findings about the same thing that one names."""


def driver_for(symbol: str) -> str:
    """The driver that compiles the source of a function, by its symbol: Fortran compilers append an underscore, or name
    the module, and C++ has names of its own."""
    if symbol.startswith("_Z"):
        return "enzyme-c++"
    return "enzyme-fc" if symbol.endswith("_") or "_MOD_" in symbol or symbol.startswith("_QM") else "enzyme-cc"


@dataclass(frozen=True, order=True)
class SourceLocation:
    """A place in a user's source; line and column count from 1, 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


class EnzymeBuildError(Exception):
    """An error with a message for the user, where it is, and what to do about it."""

    def __init__(  # noqa: PLR0913 - what a message consists of
        self,
        message: str,
        *,
        location: SourceLocation | None = None,
        hint: str | None = None,
        code: str | None = None,
        notes: Sequence[str] = (),
        about: object = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.hint = hint
        self.code = code
        self.notes = tuple(notes)
        self.inside: SourceLocation | None = None
        """The place itself, where `location` is that of a call which leads into a library."""
        self.about = about
        """What it is about, such as a variable: of findings with one code about the same thing one is shown, with the
        places of the others."""

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        code = f" [{self.code}]" if self.code else ""
        lines = [f"{place}error: {self.message}{code}"]
        lines += [f"  note: {note}" for note in self.notes]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class ConfigError(EnzymeBuildError):
    """The user's settings or command line are wrong."""


class ToolError(EnzymeBuildError):
    """A tool is missing, too old or failed; `command` and `stderr` say which and how."""

    def __init__(  # noqa: PLR0913 - the facts of one failure
        self,
        message: str,
        *,
        command: Sequence[str] = (),
        stderr: str = "",
        returncode: int = 1,
        hint: str | None = None,
        location: SourceLocation | None = None,
    ) -> None:
        super().__init__(message, hint=hint, location=location)
        self.command = tuple(command)
        self.stderr = stderr
        self.returncode = returncode

    def __str__(self) -> str:
        said = self.stderr.rstrip()
        return f"{super().__str__()}\n{said}" if said else super().__str__()


class InputError(EnzymeBuildError):
    """An input file (object, archive, bitcode, IR text) cannot be used."""


class UnsupportedError(EnzymeBuildError):
    """A legal program that we cannot differentiate, or cannot prove right."""


class IntegerOverNumberError(UnsupportedError):
    """A short integer is written where others may keep a number."""


class MissingRuleError(UnsupportedError):
    """A call on active data to a function without body and without rule."""


class RequestError(EnzymeBuildError):
    """A derivative request that uses the interface wrongly (too few shadows, unknown marker …)."""


class DoubtError(EnzymeBuildError):
    """Something legal that is probably not meant: a warning, whose class is the code, unless made an error."""

    @property
    def warning(self) -> str:
        return str(self).replace("error: ", "warning: ", 1)


class InternalError(EnzymeBuildError):
    """A bug of ours; the message shows what was being built."""

    def __init__(self, message: str, *, location: SourceLocation | None = None) -> None:
        super().__init__(
            f"internal error: {message}",
            location=location,
            hint="this is a bug in enzyme_build; please report it with the saved reproducer",
        )


class FindingsError(EnzymeBuildError):
    """Several findings reported at once, in source order and without repetition."""

    def __init__(self, findings: Iterable[EnzymeBuildError]) -> None:
        self.every = tuple(findings)
        """All of them, with repetitions."""
        unique: dict[tuple[str, str, str | None], EnzymeBuildError] = {}
        for finding in self.every:  # one way to a place is enough
            unique.setdefault((str(finding.location), finding.message, finding.hint), finding)
        self.findings = tuple(_joined(sorted(unique.values(), key=_place)))
        super().__init__(f"{len(self.findings)} finding(s)")

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings)


class NotNotedError(FindingsError):
    """Types of adjoints cannot be noted while the derivative runs, which would do without some of the findings."""

    def __init__(self, why: str) -> None:
        super().__init__([])
        self.why = why


def _place(error: EnzymeBuildError) -> tuple[bool, SourceLocation]:
    return (error.location is None, error.location or SourceLocation(""))


def _joined(findings: Iterable[EnzymeBuildError]) -> Iterator[EnzymeBuildError]:
    """One finding for what has several about the same thing, with the places of the others."""
    groups: dict[object, list[EnzymeBuildError]] = {}
    for finding in findings:
        groups.setdefault((finding.code, finding.about) if finding.about is not None else finding, []).append(finding)
    for first, *others in groups.values():
        places = [place for place in dict.fromkeys(str(one.location) for one in others) if place != str(first.location)]
        if places:
            more = f" and {len(places) - _PLACES} more places" if len(places) > _PLACES else ""
            first.notes = (f"the same memory at {', '.join(places[:_PLACES])}{more}", *first.notes)
        yield first
