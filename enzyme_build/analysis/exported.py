"""Derivatives made ahead of time, as objects and libraries describe them beside their machine code.

An *exported function* is one that can be differentiated without its body: for each pattern of activities there are
compiled derivatives. Their parameters follow the signatures of `differentiate.signature`; tape and results go through
memory. What is said here must hold for the compiled code, so everything that a caller relies upon is part of `stamp`,
which is part of the derivatives' names.
"""

from __future__ import annotations

import json
from dataclasses import asdict, field
from typing import Any, Final

from enzyme_build.errors import InputError
from enzyme_build.records import dataclass

from .exported_memory import ToldMemory, read_memory
from .request import Activity, Mode

PREFIX: Final = "ad_export"
"""Begins the names of all exported derivatives: version scripts can say `ad_export.*`."""


@dataclass(frozen=True, slots=True)
class ExportedDerivative:
    """Compiled derivatives of a function for one pattern of activities."""

    mode: Mode
    """FORWARD or SPLIT."""
    arguments: tuple[Activity, ...]
    result: Activity
    lasting: bool = False
    """Must the arguments' memory be the same in both passes? The tape is smaller then."""
    symbols: tuple[str, ...] = ()
    """The tangent function, or the augmented and the reverse pass."""
    tape_words: int = 0
    """The tape's size in words of eight bytes."""
    shadows_used: tuple[bool, ...] = ()
    """Per argument: does any pass look at its shadow?"""
    reverse_reads: tuple[bool, ...] = ()
    """Per parameter of the reverse pass: does it look at it?"""

    @property
    def words(self) -> str:
        """The activities as the user writes them."""
        return ", ".join(activity.value for activity in self.arguments)

    @property
    def mode_name(self) -> str:
        return "forward" if self.mode is Mode.FORWARD else "reverse"


@dataclass(frozen=True, slots=True)
class ExportedFunction:
    """A function with its compiled derivatives."""

    name: str
    type: str
    """In LLVM's words: `double (ptr, i32)`."""
    producer: str
    """The LLVM and the conventions that the derivatives were made with; others may differ in anything."""
    source: str
    """Digest of the code that was differentiated."""
    facts: tuple[str, ...]
    """What LLVM knows of its body, as attributes: of the function, then of each argument."""
    derivatives: tuple[ExportedDerivative, ...]
    memory: ToldMemory = field(default_factory=ToldMemory)
    """What lies where behind the pointers that it takes and returns."""

    def to_json(self) -> bytes:
        data = {**asdict(self), "memory": self.memory._asdict()}
        for one in data["derivatives"]:
            one["mode"], one["result"] = one["mode"].value, one["result"].value
            one["arguments"] = [activity.value for activity in one["arguments"]]
        return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


def from_json(text: bytes) -> ExportedFunction:
    """The function that `to_json` described; InputError for anything else."""
    try:
        data: dict[str, Any] = json.loads(text)
        derivatives = tuple(_derivative(one) for one in data["derivatives"])
        words = {name: str(data[name]) for name in ("name", "type", "producer", "source")}
        # Older descriptions say nothing of it. They are read so far that their producer is known, who is another.
        memory = read_memory(data["memory"]) if "memory" in data else ToldMemory()
        return ExportedFunction(**words, facts=tuple(map(str, data["facts"])), derivatives=derivatives, memory=memory)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"a description of exported derivatives cannot be understood ({error!r})") from error


def _derivative(data: dict[str, Any]) -> ExportedDerivative:
    return ExportedDerivative(
        Mode(data["mode"]),
        tuple(map(Activity, data["arguments"])),
        Activity(data["result"]),
        lasting=bool(data["lasting"]),
        symbols=tuple(map(str, data["symbols"])),
        tape_words=int(data["tape_words"]),
        shadows_used=tuple(map(bool, data["shadows_used"])),
        reverse_reads=tuple(map(bool, data["reverse_reads"])),
    )


def stamp(function: ExportedFunction, derivative: ExportedDerivative) -> str:
    """A short digest of all that callers rely upon: where it changes, the derivatives have other names, so that a
    program does not start with a library that is not the one it was linked with."""
    parts: list[object] = [function.type, function.producer, function.facts, derivative.mode.value, derivative.words]
    parts += [derivative.result.value, derivative.lasting, derivative.tape_words]
    parts += [derivative.shadows_used, derivative.reverse_reads, function.memory]
    import hashlib

    return hashlib.blake2b(repr(parts).encode(), digest_size=4).hexdigest()
