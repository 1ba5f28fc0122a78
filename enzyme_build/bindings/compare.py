"""Compare derivatives of a compiled function: finite differences, forward mode, reverse mode.

For a point u, a direction v that moves one argument, and cotangents w of the results, the three numbers

    ⟨w, (F(u + hv) - F(u - hv)) / 2h⟩        ⟨w, J v⟩ by forward mode        ⟨Jᵀ w, v⟩ by reverse mode

are one. Differences are extrapolated to h → 0 (Ridders), which also estimates their own error. Runs as a process of its
own (`python -m enzyme_build.bindings.compare trials.json rows.json`), because a wrong shape can crash the function, and
writes to a file, because the function may print.
"""

from __future__ import annotations

import ctypes
import json
import math
import random
import sys
from dataclasses import asdict, field
from pathlib import Path
from typing import Any, Final

from enzyme_build.records import dataclass

_CTYPES: Final[dict[str, Any]] = {
    "float64": ctypes.c_double,
    "float32": ctypes.c_float,
    "longdouble": ctypes.c_longdouble,
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint8": ctypes.c_uint8,
    "uint16": ctypes.c_uint16,
    "uint32": ctypes.c_uint32,
    "uint64": ctypes.c_uint64,
    "bool": ctypes.c_bool,
}
CANNOT_LOAD: Final = 3
"""Exit code where the compiled functions cannot be loaded; the loader's reason is on the error output."""
_STEPS: Final = 8
_SHRINK: Final = 1.6


@dataclass(frozen=True)
class TrialArgument:
    """An argument with everything decided but its random numbers."""

    name: str
    dtype: str
    pointer: bool
    count: int
    active: bool
    written: bool
    read: bool
    moved: bool
    """Is it differentiated with respect to?"""
    values: list[float] | None = None
    """Given values instead of random ones; a single one is repeated."""


@dataclass(frozen=True)
class Trial:
    """One point at which derivatives are compared."""

    library: str
    primal: str
    reverse: str
    forward: str
    result: str | None
    result_active: bool
    arguments: list[TrialArgument]
    seed: int
    low: float
    high: float


@dataclass(frozen=True)
class Row:
    """The three numbers for a direction that moves one argument."""

    argument: str
    differences: float
    uncertainty: float
    """Estimated error of `differences`."""
    forward: float
    reverse: float
    scale: float
    """Sum of the sizes of what was added up: differences are relative to this."""


@dataclass
class _Call:
    """The memory of one call: primal values and shadows, by argument."""

    values: dict[str, Any] = field(default_factory=dict)
    shadows: dict[str, Any] = field(default_factory=dict)


class Comparison:
    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        library = _loaded(trial.library)
        result = _CTYPES[trial.result] if trial.result else None
        self.primal, self.reverse, self.forward = (
            getattr(library, name) for name in (trial.primal, trial.reverse, trial.forward)
        )
        for function in (self.primal, self.reverse, self.forward):
            function.restype = result
        numbers = random.Random(trial.seed)  # noqa: S311 (test points, no secrets)
        self.point = {a.name: self._start(a, numbers) for a in trial.arguments}
        self.directions = {a.name: [numbers.gauss(0, 1) for _ in range(a.count)] for a in trial.arguments}
        self.cotangents = {a.name: [numbers.gauss(0, 1) for _ in range(a.count)] for a in trial.arguments}
        self.result_cotangent = numbers.gauss(0, 1)

    def rows(self) -> list[Row]:
        adjoints = self._run_reverse()
        return [self._row(a, adjoints[a.name]) for a in self.trial.arguments if a.moved]

    def _row(self, argument: TrialArgument, adjoint: list[float]) -> Row:
        direction = self.directions[argument.name]
        terms = [w * t for w, t in zip(self._weights(), self._run_forward(argument), strict=True)]
        products = [a * v for a, v in zip(adjoint, direction, strict=True)]
        differences, uncertainty = self._differences(argument)
        return Row(
            argument=argument.name,
            differences=differences,
            uncertainty=uncertainty,
            forward=math.fsum(terms),
            reverse=math.fsum(products),
            scale=max(math.fsum(map(abs, terms)), math.fsum(map(abs, products))),
        )

    def _start(self, argument: TrialArgument, numbers: random.Random) -> list[float]:
        if argument.values is not None:
            return (argument.values * argument.count)[: argument.count] if argument.count else []
        if not argument.dtype.startswith(("float", "long")):
            # An index or a count: 1 is both the least count that does something and a place in every array.
            return [0 if argument.pointer else 1] * argument.count
        return [numbers.uniform(self.trial.low, self.trial.high) if argument.read else 0 for _ in range(argument.count)]

    def _weights(self) -> list[float]:
        """Cotangents of all results, in the order of `_results`."""
        weights = [self.result_cotangent] if self.trial.result_active else []
        for argument in self.trial.arguments:
            if argument.written and argument.active:
                weights += self.cotangents[argument.name]
        return weights

    def _results(self, value: float, memory: dict[str, Any]) -> list[float]:
        results = [float(value)] if self.trial.result_active else []
        for argument in self.trial.arguments:
            if argument.written and argument.active:
                results += map(float, memory[argument.name][: argument.count])
        return results

    def _memory(self, argument: TrialArgument, values: list[float]) -> Any:
        kind = _CTYPES[argument.dtype]
        whole = not argument.dtype.startswith(("float", "long"))
        converted = [int(v) if whole else v for v in values]
        return (kind * max(argument.count, 1))(*converted) if argument.pointer else kind(converted[0])

    def _arguments(self, point: dict[str, list[float]]) -> _Call:
        return _Call({a.name: self._memory(a, point[a.name]) for a in self.trial.arguments})

    def _evaluate(self, argument: TrialArgument, step: float) -> float:
        moved = [x + step * v for x, v in zip(self.point[argument.name], self.directions[argument.name], strict=True)]
        call = self._arguments({**self.point, argument.name: moved})
        value = self.primal(*(call.values[a.name] for a in self.trial.arguments))
        return math.fsum(w * r for w, r in zip(self._weights(), self._results(value, call.values), strict=True))

    def _differences(self, argument: TrialArgument) -> tuple[float, float]:
        """Central differences extrapolated to step 0, and their estimated error (Ridders' method)."""
        # Single precision has no digits left at small steps.
        step = 0.1 if argument.dtype == "float32" else 0.02
        table: list[list[float]] = []
        best, error = math.nan, math.inf
        for index in range(_STEPS):
            row = [(self._evaluate(argument, step) - self._evaluate(argument, -step)) / (2 * step)]
            factor = _SHRINK**2
            for order in range(1, index + 1):
                row.append((row[order - 1] * factor - table[-1][order - 1]) / (factor - 1))
                factor *= _SHRINK**2
                estimate = max(abs(row[order] - row[order - 1]), abs(row[order] - table[-1][order - 1]))
                if estimate <= error:
                    best, error = row[order], estimate
            table.append(row)
            step /= _SHRINK
        return best, error

    def _run_forward(self, argument: TrialArgument) -> list[float]:
        call, passed = self._arguments(self.point), []
        for a in self.trial.arguments:
            passed.append(call.values[a.name])
            if a.active:
                direction = self.directions[a.name] if a is argument else [0.0] * a.count
                call.shadows[a.name] = self._memory(a, direction)
                passed.append(call.shadows[a.name])
        tangent = _CTYPES[self.trial.result or "float64"](0)
        if self.trial.result_active:
            passed.append(ctypes.byref(tangent))
        self.forward(*passed)
        return self._results(tangent.value, call.shadows)

    def _run_reverse(self) -> dict[str, list[float]]:
        call, passed = self._arguments(self.point), []
        for a in self.trial.arguments:
            passed.append(call.values[a.name])
            if a.active:
                bar = self.cotangents[a.name] if a.written else [0.0] * a.count
                call.shadows[a.name] = (_CTYPES[a.dtype] * max(a.count, 1))(*bar)
                passed.append(call.shadows[a.name])
        if self.trial.result_active:
            passed.append(_CTYPES[self.trial.result or "float64"](self.result_cotangent))
        self.reverse(*passed)
        return {a.name: [float(v) for v in call.shadows[a.name][: a.count]] for a in self.trial.arguments if a.active}


def _loaded(library: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(library)
    except OSError as error:
        sys.stderr.write(str(error))
        raise SystemExit(CANNOT_LOAD) from None


def run(trials: list[Trial]) -> list[list[Row]]:
    return [Comparison(trial).rows() for trial in trials]


def to_json(trials: list[Trial]) -> str:
    return json.dumps([asdict(trial) for trial in trials])


def main(path: Path, output: Path) -> None:
    """Write the rows of all trials."""
    given = json.loads(path.read_text())
    trials = [Trial(**{**t, "arguments": [TrialArgument(**a) for a in t["arguments"]]}) for t in given]
    output.write_text(json.dumps([[asdict(row) for row in rows] for rows in run(trials)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
