"""Make a failing program small: leave out statements as long as it fails with the same message.

Usage: python tests/support/reduce_program.py FILE [-O0|-O2] [--mode MODE]; writes FILE with `-small` before its ending.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import run_programs as runner


def kind(message: str) -> str:
    """A message without its numbers, names and places: what makes two failures the same."""
    return re.sub(r"'[^']*'|[-+.\deE]+|\S+:\d+:\d+:", "#", message)[:60]


def pieces(lines: list[str]) -> list[range]:
    """Ranges of lines that can go together: whole blocks first, the largest first, then single lines."""
    found, open_lines = [], []
    for number, line in enumerate(lines):
        if line.rstrip().endswith("{"):
            open_lines.append(number)
        if line.strip().startswith("}") and open_lines:
            found.append(range(open_lines.pop(), number + 1))
            if line.rstrip().endswith("{"):
                open_lines.append(number)
    found.sort(key=len, reverse=True)
    return found + [range(n, n + 1) for n in range(len(lines)) if not re.search(r"[{}]|return", lines[n])]


class Reducer:
    def __init__(self, source: Path, level: str, modes: tuple[str, ...], folder: Path) -> None:
        self.source, self.level, self.folder = source, level, folder
        self.bench, self.plain = runner.Bench(folder), runner.Bench(folder / "plain")
        self.bench.modes, self.plain.modes = modes, ()
        (folder / "plain").mkdir()
        self.lines = source.read_text().splitlines()
        self.wanted = self.failure(self.lines)

    def failure(self, lines: list[str]) -> str:
        """The kind of failure; empty when the program passes or is no valid program."""
        path = self.folder / f"candidate{self.source.suffix}"
        path.write_text("\n".join(lines) + "\n")
        program = runner.read_program(path)
        if self.plain.check(program, self.level).verdict != "PASS":
            return ""
        outcome = self.bench.check(program, self.level)
        return "" if outcome.verdict == "PASS" else kind(outcome.first_error)

    def reduce(self) -> list[str]:
        progress = True
        while progress:
            progress = False
            for piece in pieces(self.lines[1:]):
                if piece.stop >= len(self.lines):
                    continue
                shorter = [line for number, line in enumerate(self.lines[1:]) if number not in piece]
                candidate = [self.lines[0], *shorter]
                if self.failure(candidate) == self.wanted:
                    self.lines = candidate
                    progress = True
                    print(f"{len(self.lines)} lines", flush=True)
                    break
        return self.lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("-O0", dest="level", action="store_const", const="-O0", default="-O2")
    parser.add_argument("-O2", dest="level", action="store_const", const="-O2")
    parser.add_argument("--mode", choices=runner.MODES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        modes = (options.mode,) if options.mode else runner.MODES
        reducer = Reducer(options.source, options.level, modes, Path(folder))
        if not reducer.wanted:
            print("it passes")
            return 1
        print(f"reducing: {reducer.wanted}")
        lines = reducer.reduce()
    target = options.source.with_stem(f"{options.source.stem}-small")
    target.write_text("\n".join(lines) + "\n")
    print(f"written to {target}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
