"""Makes the link worker answer every derivative request with 42: the drivers are tested without the mathematics.

`ENZYME_TEST_WORKER=abort` kills the worker as a failed assertion of LLVM would; `hang` makes it wait to be interrupted,
`stop` ends it as somebody's `kill` would.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType


def answer(_derivatives: object, text: str, _job: object) -> tuple[str, bool]:
    match os.environ.get("ENZYME_TEST_WORKER"):  # noqa: TID251
        case "abort":
            sys.stderr.write("python: LoopInfo.cpp:1: Assertion `broken' failed.\n")
            sys.stderr.flush()
            os.abort()
        case "hang":
            time.sleep(60)
        case "stop":
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(60)
        case "bug":
            raise RuntimeError("a bug")
    declaration = r"(?m)^declare (?:!dbg \S+ )?double @(\w*__enzyme_autodiff\w*)\([^\n]*$"
    return re.sub(declaration, r"define internal double @\1(ptr %0, ...) { ret double 4.200000e+01 }", text), False


class _Patched:
    """Finds what makes derivatives, once, and puts the answer in; the worker may be a copy of its driver's process."""

    @classmethod
    def find_spec(cls, name: str, *_: object) -> ModuleSpec | None:
        if name != "enzyme_build.rounds":
            return None
        sys.meta_path.remove(cls)
        spec = find_spec(name)
        execute = spec.loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            module.Derivatives.make = answer

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _Patched)
