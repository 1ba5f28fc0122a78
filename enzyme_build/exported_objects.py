"""Objects that a driver compiled, with the derivatives of their functions put into them (`-fenzyme-export`)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from enzyme_build import pipeline
from enzyme_build.jobs import Product
from enzyme_build.toolchain import process

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.settings import Settings


def export_all(outputs: Sequence[Path], functions: Sequence[str], settings: Settings) -> None:
    """Put the derivatives into objects. Where that fails, none is left without: build tools would take it for made."""
    left = [*outputs]
    try:
        while left:
            _export(left[0], functions, settings)
            del left[0]
    finally:
        for output in left:
            output.unlink(missing_ok=True)


def _export(output: Path, functions: Sequence[str], settings: Settings) -> None:
    """Put an object's derivatives into it; its bitcode has done its work then. Nothing is done to objects without any
    of the functions: build tools give all sources the same options."""
    with tempfile.TemporaryDirectory(prefix="enzyme-cc-") as folder:
        job = pipeline.LinkJob(
            inputs=(pipeline.LinkInput(output),),
            output=Path(folder, "enzyme.o"),
            product=Product.RELOCATABLE,
            ahead=tuple(functions),
            ahead_if_there=True,
            **pipeline.job_options(settings),
        )
        made = pipeline.link(job, settings).output
        if made is not None:
            with process.completed_file(output.absolute()) as unfinished:
                unfinished.write_bytes(made.read_bytes())
