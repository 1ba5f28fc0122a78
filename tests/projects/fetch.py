"""Sources of Debian packages, through apt with lists of our own: the system's are neither used nor changed."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess  # noqa: TID251
import tempfile
from pathlib import Path

_SYSTEM = Path("/etc/apt")


class FetchError(Exception):
    """A source could not be had; the message says what was tried."""


def fetch(package: str, folder: Path) -> Path:
    """Unpack a source package of this system's Debian below `folder`; what was downloaded once is used again."""
    downloads = cache() / package
    downloads.mkdir(parents=True, exist_ok=True)
    with (cache() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not list(downloads.glob("*.dsc")):
            _download(package, downloads)
    description = max(downloads.glob("*.dsc"), key=lambda file: file.stat().st_mtime)
    target = folder / package
    _run(["dpkg-source", "--no-check", "-x", str(description), str(target)], folder)
    return target


def cache() -> Path:
    """Where downloads are kept from run to run."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"  # noqa: TID251
    return Path(base) / "enzyme-build-projects"


def _download(package: str, target: Path) -> None:
    """A whole source package in `target`, or nothing; lists that are there may be out of date."""
    apt = cache() / "apt"
    lists = apt / "lists"
    options = {
        "Dir::Etc::sourcelist": _source_list(apt),
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": lists,
        "Dir::Cache": apt / "cache",
        "APT::Sandbox::User": "root",
    }
    command = ["apt-get", "-q", *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]
    for place in (lists, apt / "cache/archives"):
        (place / "partial").mkdir(parents=True, exist_ok=True)
    is_new = not list(lists.glob("*_Sources*"))
    if is_new:
        _run([*command, "update"], apt)
    with tempfile.TemporaryDirectory(dir=target.parent) as unfinished:
        source = [*command, "source", "--download-only", "--only-source", package]
        try:
            _run(source, Path(unfinished))
        except FetchError:
            if is_new:
                raise
            _run([*command, "update"], apt)
            _run(source, Path(unfinished))
        for file in Path(unfinished).iterdir():
            file.replace(target / file.name)


def _source_list(folder: Path) -> Path:
    """The system's own places of Debian packages, for sources."""
    folder.mkdir(parents=True, exist_ok=True)
    stanzas = [file.read_text() for file in sorted(_SYSTEM.glob("sources.list.d/*.sources"))]
    lines = [
        file.read_text() for file in [_SYSTEM / "sources.list", *_SYSTEM.glob("sources.list.d/*.list")] if file.exists()
    ]
    found = [
        re.sub(r"(?m)^Types:.*", "Types: deb-src", stanza)
        for text in stanzas
        for stanza in re.split(r"\n\s*\n", text)
        if "debian-archive-keyring" in stanza
    ]
    if found:
        file = folder / "debian.sources"
        file.write_text("\n\n".join(found) + "\n")
        return file
    one_line = re.findall(r"(?m)^deb (.*[/.]debian.*)$", "\n".join(lines))
    if not one_line:
        raise FetchError("no place of Debian packages is named in /etc/apt")
    file = folder / "debian.list"
    file.write_text("".join(f"deb-src {line}\n" for line in one_line))
    return file


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    except FileNotFoundError as error:
        raise FetchError(f"{command[0]} is missing: apt-get install dpkg-dev") from error
    except subprocess.TimeoutExpired as error:
        raise FetchError(f"no answer within 5 minutes: {' '.join(command)}") from error
    if done.returncode:
        raise FetchError(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
