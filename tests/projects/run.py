"""Build existing projects with our drivers, run their own tests, and take gradients of what was built.

python tests/projects/run.py                    the quick projects, at -O2
python tests/projects/run.py --all --compare    all of them, and the time that the plain compilers take
python tests/projects/run.py -k minpack --flags debian --keep /tmp/minpack
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from building import FLAGS, PLAIN, StepError, build, missing_tools
from fetch import FetchError
from projects import FULL_LAPACK, PROJECTS, Project


def _report(project: Project, options: argparse.Namespace, folder: Path) -> str:
    ours = build(project, folder / "ours", options.flags)
    text = ", ".join(f"{step} {seconds:.1f} s" for step, seconds in ours.seconds.items())
    if options.compare:
        plain = build(project, folder / "plain", options.flags, PLAIN)
        text += f"; plain build {plain.seconds['build']:.1f} s"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="also those that take minutes")
    parser.add_argument("-k", metavar="NAME", default="", help="only projects with this in their name")
    parser.add_argument("--flags", choices=FLAGS, default="O2")
    parser.add_argument("--compare", action="store_true", help="build with the plain compilers, too")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="build there and leave everything")
    options = parser.parse_args()
    candidates = [*PROJECTS, FULL_LAPACK] if options.all or options.k else [p for p in PROJECTS if p.quick]
    chosen = [project for project in candidates if options.k in project.package]
    failed = 0
    for index, project in enumerate(chosen):
        missing = missing_tools(project)
        with tempfile.TemporaryDirectory(prefix="projects-") as temporary:
            folder = (options.keep or Path(temporary)) / str(index)
            for name in ("ours", "plain"):
                (folder / name).mkdir(parents=True, exist_ok=True)
            try:
                outcome = f"needs {', '.join(missing)}" if missing else _report(project, options, folder)
                failed += bool(missing)
            except (FetchError, StepError) as error:
                outcome = f"FAILED: {error}"
                failed += 1
        print(f"{project.package}: {outcome}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
