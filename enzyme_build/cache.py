"""Links done before: what a link with derivatives made is kept by the content of all that it depends on.

That is the bytes of every input, the options, this package's own files, and the versions of LLVM and of the libraries
that plan derivatives. Paths and times are none of it: a project in another folder, a fresh build environment of pip's,
or another front door gets the same object. Links that fail, and those whose stages are to be saved, are not kept.

An entry is one zip file (its checksums tell a damaged one), written under another name and renamed: builds may run side
by side and be interrupted. Files and `rename` instead of a data base, as caches of users are often on network folders.
The entries used least recently make room for new ones.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import zipfile
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from enzyme_build.errors import InputError
from enzyme_build.jobs import LinkJob, LinkResult, job_to_json, result_from_json, result_to_json
from enzyme_build.records import dataclass
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import cache_folder
from enzyme_build.toolchain.objects import archive_members, is_thin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from enzyme_build.settings import Settings

_FORMAT: Final = 1
_PLANNERS: Final = ("llvmlite", "numpy", "scipy")
_PLACES: Final = ("inputs", "output", "save_stages", "fortran_bodies", "libcxx_bodies", "llvm")
"""Fields of a job that are paths: their content counts."""
_ABANDONED: Final = 3600
"""Seconds after which an unfinished file is that of a build that was killed."""
_FILLED: Final = 0.9
"""Share of the limit that is left full when room is made, so that not every build makes room."""


@dataclass(frozen=True)
class Kept:
    """What is in the cache: `size` in bytes; links found and not found since it was cleared."""

    folder: Path
    limit: int
    entries: int
    size: int
    found: int
    missed: int


class LinkCache:
    """The links that were kept in the folder that `settings` name, or in the user's."""

    def __init__(self, settings: Settings) -> None:
        self.folder = cache_folder(settings.tools.cache) / "links"
        self.texts = self.folder.with_name("texts")
        """Sources that were given as text (`inprocess`), which need the name of a file."""
        self.limit = settings.cache_size

    def key(self, job: LinkJob) -> str | None:
        """What tells `job` from others; None: it is not to be kept."""
        if not self.limit or job.save_stages:
            return None
        content = hashlib.blake2b(digest_size=20)
        said = job_to_json(job)
        options = {name: value for name, value in said.items() if name not in _PLACES}
        paths = list(dict.fromkeys(given.path for given in job.inputs))
        number = {path: at for at, path in enumerate(paths)}
        inputs = [
            [given.path.name, number[given.path], *rest]
            for given, (_, *rest) in zip(job.inputs, said["inputs"], strict=True)
        ]
        facts = [_FORMAT, list(_versions()), _stamp(job.llvm), host(job.target_cpu), job.output.suffix, options, inputs]
        content.update(json.dumps(facts, sort_keys=True).encode())
        try:
            for path in [*paths, *filter(None, (job.fortran_bodies, job.libcxx_bodies))]:
                for part in bytes_of(path):
                    content.update(hashlib.blake2b(part).digest())
            for part in _own_files():
                content.update(part)
        except (OSError, InputError):
            return None  # the link itself says what is wrong
        return content.hexdigest()

    def find(self, key: str, job: LinkJob) -> LinkResult | None:
        """The result of a link that was kept, with its files written as `job` wants them and its warnings repeated."""
        parts = self.find_parts(key, "result.json")
        if parts is None:
            return None
        for tail, part in parts.items():
            if tail.startswith(_MADE):
                with process.completed_file(_beside(job, tail.removeprefix(_MADE))) as temporary:
                    temporary.write_bytes(part)
        sys.stderr.write(parts["stderr"].decode())
        return _placed(json.loads(parts["result.json"]), job)

    def find_parts(self, key: str, wanted: str) -> dict[str, bytes] | None:
        """The parts of an entry, of which `wanted` is one."""
        file = self._file(key)
        try:
            with zipfile.ZipFile(file) as entry:
                parts = {name: entry.read(name) for name in entry.namelist()}
            parts[wanted]  # checked with the rest
        except FileNotFoundError:
            self._count("m")
            return None
        except (OSError, ValueError, KeyError, zipfile.BadZipFile):
            self._count("m")
            _forget(file)
            return None
        self._count("h")
        with contextlib.suppress(OSError):
            os.utime(file)
        return parts

    def keep(self, key: str, job: LinkJob, result: LinkResult, stderr: str) -> None:
        """Keep what a link gave; failing to is no error."""
        answer = _placeless(result, job)
        if answer is not None:
            files = {_MADE + _tail(path, job): path for path in _files(result)}
            self.keep_parts(key, {"result.json": json.dumps(answer).encode(), "stderr": stderr.encode()}, files)

    def keep_parts(self, key: str, parts: Mapping[str, bytes], files: Mapping[str, Path]) -> None:
        """Write an entry of parts in memory and in files; failing to is no error."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.folder, suffix=_UNFINISHED, delete=False) as unfinished:
                try:
                    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as entry:
                        for name, part in parts.items():
                            entry.writestr(name, part)
                        for name, path in files.items():
                            entry.write(path, name)
                    unfinished.flush()
                    Path(unfinished.name).replace(self._file(key))
                except BaseException:
                    Path(unfinished.name).unlink(missing_ok=True)
                    raise
            self.make_room()

    def make_room(self) -> None:
        """Remove what was used least recently, until the limit is kept, and what killed builds left."""
        entries = sorted(self._entries(), key=lambda one: one[1].st_mtime)
        size = sum(stat.st_size for _, stat in entries)
        wanted = size - self.limit * _FILLED if size > self.limit else 0
        for path, stat in entries:
            abandoned = path.suffix == _UNFINISHED and time.time() - stat.st_mtime > _ABANDONED
            if abandoned or (path.suffix == _FINISHED and wanted > 0):
                _forget(path)
                wanted -= stat.st_size

    def clear(self) -> int:
        """Remove all entries; how many there were."""
        entries = [path for path, _ in self._entries()]
        for path in entries:
            _forget(path)
        _forget(self.folder / _USES)
        shutil.rmtree(self.texts, ignore_errors=True)
        return sum(path.suffix == _FINISHED for path in entries)

    def kept(self) -> Kept:
        try:
            uses = (self.folder / _USES).read_bytes()
        except OSError:
            uses = b""
        sizes = [stat.st_size for path, stat in self._entries() if path.suffix == _FINISHED]
        return Kept(self.folder, self.limit, len(sizes), sum(sizes), uses.count(b"h"), uses.count(b"m"))

    def _file(self, key: str) -> Path:
        return self.folder / f"{key}{_FINISHED}"

    def _entries(self) -> Iterator[tuple[Path, os.stat_result]]:
        try:
            found = [Path(one.path) for one in os.scandir(self.folder)]
        except OSError:
            return
        for path in found:
            if path.suffix in {_FINISHED, _UNFINISHED}:
                with contextlib.suppress(OSError):  # another build may have removed it
                    yield path, path.stat()

    def _count(self, letter: str) -> None:
        """One letter more in a file, which is whole whoever else adds one."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / _USES).open("a") as uses:
                uses.write(letter)


_MADE: Final = "made"
"""In an entry: before what the name of a file has behind that of the output without its ending."""
_USES: Final = "uses"
_FINISHED: Final = ".zip"
_UNFINISHED: Final = ".unfinished"


def _forget(path: Path) -> None:
    """Remove a file that another build may have removed."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def bytes_of(path: Path) -> Iterable[bytes]:
    """The content of an input, with that of the files that a thin archive only names."""
    yield path.read_bytes()
    if is_thin(path):
        yield from (body for _, body in archive_members(path))


@cache
def maker() -> str:
    """What tells this package, with what it works with, from others; of a process that does not see itself replaced."""
    digest = hashlib.blake2b(json.dumps([_FORMAT, list(_versions())]).encode(), digest_size=20)
    for part in _own_files():
        digest.update(part)
    return digest.hexdigest()


def _own_files() -> Iterator[bytes]:
    own = Path(__file__).parent
    for folder, folders, files in os.walk(own):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            yield name.encode()
            yield Path(folder, name).read_bytes()


def _versions() -> Iterator[str]:
    yield sys.version
    for name in _PLANNERS:
        with contextlib.suppress(PackageNotFoundError):
            yield version(name)


def _stamp(library: Path | None) -> list[int]:
    """What changes with each version of a library; it is too large to be read each time."""
    if library is None or not library.exists():
        return []
    found = library.stat()
    return [found.st_size, found.st_mtime_ns]


def host(target_cpu: str) -> list[str]:
    """The CPU, where the link is for the one that it runs on."""
    if target_cpu != "native":
        return []
    from enzyme_build.llvm.optimise import host_target

    return list(host_target(target_cpu))


def _files(result: LinkResult) -> list[Path]:
    return [*([result.output] if result.output else []), *(Path(path) for path in result.replaced.values() if path)]


def _tail(path: Path, job: LinkJob) -> str:
    return path.name.removeprefix(job.output.stem)


def _beside(job: LinkJob, tail: str) -> Path:
    return job.output.with_name(job.output.stem + tail)


def _placeless(result: LinkResult, job: LinkJob) -> dict[str, Any] | None:
    """`result` as JSON with numbers of inputs and endings of names for paths; None where something else is in it."""
    number = {str(given.path): index for index, given in reversed(list(enumerate(job.inputs)))}
    files = _files(result)
    if any(path.parent != job.output.parent or not path.name.startswith(job.output.stem) for path in files):
        return None
    if not {*map(str, result.consumed), *result.replaced} <= number.keys():
        return None
    return result_to_json(result) | {
        "output": _tail(result.output, job) if result.output else None,
        "consumed": [number[str(path)] for path in result.consumed],
        "replaced": {str(number[name]): path and _tail(Path(path), job) for name, path in result.replaced.items()},
    }


def _placed(answer: dict[str, Any], job: LinkJob) -> LinkResult:
    result = result_from_json(answer | {"output": None, "consumed": [], "replaced": {}})
    paths = [given.path for given in job.inputs]
    return replace(
        result,
        output=_beside(job, answer["output"]) if answer["output"] else None,
        consumed=tuple(paths[index] for index in answer["consumed"]),
        replaced={
            str(paths[int(index)]): tail and str(_beside(job, tail)) for index, tail in answer["replaced"].items()
        },
    )
