"""Is a generated derivative as good as a hand-written one? Both as machine code, side by side.

Usage: python compare.py
"""

from __future__ import annotations

import re
import shutil
import subprocess  # noqa: TID251
import tempfile
from itertools import zip_longest
from pathlib import Path

HERE = Path(__file__).parent


def instructions(library: Path, function: str) -> list[str]:
    """The disassembled instructions of one function."""
    objdump = next(tool for tool in ("llvm-objdump-22", "llvm-objdump", "objdump") if shutil.which(tool))
    command = [objdump, "-d", "--no-show-raw-insn", "--no-leading-addr", str(library)]
    if objdump == "objdump":
        command[3:4] = []
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    body = re.search(rf"<{function}>:\n(.*?)(?:\n\s*\n|\Z)", text, re.DOTALL)
    if body is None:
        raise SystemExit(f"{function} is not in {library}")
    lines = [re.sub(r"^\s*[0-9a-f]+:\s*|\s*#.*", "", line).strip() for line in body[1].splitlines()]
    lines = [re.sub(r"\s+", " ", line) for line in lines if line]
    end = max(i for i, line in enumerate(lines) if re.match(r"ret|jmp", line))  # behind it is only padding
    return lines[: end + 1]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "relu3.so"
        sources = [str(HERE / name) for name in ("relu3.c", "by_hand.c", "gradient.c")]
        subprocess.run(["enzyme-cc", "-O2", "-fPIC", "-shared", *sources, "-lm", "-o", str(library)], check=True)
        hand, generated = (instructions(library, f"relu3_by_{author}") for author in ("hand", "compiler"))
    print(f"{'by hand':42}generated from relu3.c")
    for left, right in zip_longest(hand, generated, fillvalue=""):
        print(f"{left:42}{right}")
    print(f"{len(hand)} instructions by hand, {len(generated)} generated")
    return 0 if len(generated) <= len(hand) else 1


if __name__ == "__main__":
    raise SystemExit(main())
