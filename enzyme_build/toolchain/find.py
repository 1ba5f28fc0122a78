"""Compilers: which are there, and which of them work.

A compiler *works* when one line compiled with our real flags gives an object with machine code and bitcode of an LLVM
that we can read. Candidates in order: the explicit setting (must work), `CC`/`CXX`/`FC` (passed over unless they work;
our own drivers never count), versioned names, plain names, LLVM's installation folders, PyPI's ziglang. Results are
cached by path, time and size, so that a driver starts without running anything.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import ConfigError, InputError, ToolError
from enzyme_build.records import dataclass
from enzyme_build.toolchain import process
from enzyme_build.toolchain.bitcode import NEWEST_LLVM, producer
from enzyme_build.toolchain.clang import BitcodeStyle, FrontEnd, bitcode_flags, styles
from enzyme_build.toolchain.languages import LANGUAGES, Language
from enzyme_build.toolchain.objects import parse_object

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SHARED_LLVM: Final = f"libLLVM.so.{NEWEST_LLVM}.1"
_LIBRARIES: Final = (*(f"/usr/lib/{kind}-linux-gnu" for kind in ("x86_64", "aarch64")), "/usr/lib64", "/usr/lib")
OLDEST_LLVM: Final = 14
_CACHE_FORMAT: Final = 6
HEADERS: Final = Path(__file__).parents[1] / "include"
"""Our own: `<enzyme/enzyme>`."""
_HEADER_FLAGS: Final = ("-Xclang", "-internal-isystem", "-Xclang", str(HEADERS))


@dataclass(frozen=True)
class ToolSettings:
    """Which tools to use; empty means: find one."""

    cc: str = ""
    """C compiler (`ENZYME_CC`); one that does not work is an error."""
    cxx: str = ""
    """C++ compiler (`ENZYME_CXX`)."""
    fc: str = ""
    """Fortran compiler (`ENZYME_FC`)."""
    rustc: str = ""
    """Rust compiler (`ENZYME_RUSTC`)."""
    ld: str = ""
    """Linker (`ENZYME_LD`)."""
    llvm: str = ""
    """LLVM's shared library, or `llvmlite` for the one inside that (`ENZYME_LLVM`)."""
    preferred: tuple[str, ...] = ()
    """C, C++, Fortran and Rust compiler and linker tried first (`CC`, `CXX`, `FC`, `RUSTC`, `LD`); one that does not
    work is passed over."""
    path: str = os.defpath
    """Folders to search, as in `PATH`."""
    cargo_target: Path | None = None
    """Where cargo builds crates, in a folder of ours (`CARGO_TARGET_DIR`); None: `target` beside the manifest."""
    cache: Path | None = None
    """Where results of probes are kept; None: the user's cache folder (`ENZYME_CACHE_DIR`)."""


@dataclass(frozen=True)
class Compiler:
    """A working compiler: `command` starts it, `style` says where it puts bitcode."""

    command: tuple[str, ...]
    language: Language
    version: str
    llvm_major: int
    style: BitcodeStyle

    def flags(self, user: Sequence[str], *, unoptimised: bool = False) -> list[str]:
        """What to add behind the user's own flags so that the object carries bitcode, of the code as written if
        `unoptimised`."""
        level = ["-O0"] if unoptimised and self.language is not Language.RUST else []
        front = front_end(self.command, self.language)
        flags = [*level, *bitcode_flags(self.style, [*user, *level], front, self.llvm_major)]
        # Behind the user's folders: theirs come first.
        return [*flags, *_HEADER_FLAGS] if self.language in {Language.C, Language.CXX} else flags


@dataclass(frozen=True)
class Candidate:
    command: tuple[str, ...]
    origin: str
    """Where the name comes from: `ENZYME_CC`, `PATH` …"""
    required: bool = False


@dataclass(frozen=True)
class Probe:
    """What probing a candidate found; `problem` is empty when it works."""

    version: str = ""
    llvm_major: int = 0
    style: str = ""
    problem: str = ""


_INSTALL_FOLDERS: Final[tuple[str, ...]] = ("/usr/lib/llvm-{}/bin", "/usr/local/opt/llvm@{}/bin")


def find_compiler(language: Language, tools: ToolSettings) -> Compiler:
    """The first candidate that works; ToolError with what was tried and what to install when there is none."""
    cache = ProbeCache(tools.cache)
    tried: list[str] = []
    for candidate in candidates(language, tools):
        found = probe(candidate, language, cache)
        if not found.problem:
            return Compiler(candidate.command, language, found.version, found.llvm_major, BitcodeStyle(found.style))
        tried.append(f"{shlex.join(candidate.command)} ({candidate.origin}): {found.problem}")
        if candidate.required:
            break
    row = LANGUAGES[language]
    detail = "".join(f"\n  tried {line}" for line in tried)
    raise ToolError(f"no usable {row.title} compiler found{detail}", hint=row.remedy, returncode=1)


def library_folders(compiler: Compiler) -> list[Path]:
    """Where the compiler has the linker look for libraries that no `-L` finds."""
    done = process.run([*compiler.command, "-print-search-dirs"])
    found = re.search(r"(?m)^libraries: =(.*)$", done.stdout)
    return [Path(folder) for folder in found[1].split(os.pathsep)] if found else []


def find_linker(tools: ToolSettings, *, relocatable: bool = False) -> tuple[str, ...]:
    """The linker's own command; for `relocatable` output GNU's where it is there, as LLVM's leaves bitcode out."""
    if tools.ld:
        return _command(tools.ld, tools.path) or tuple(shlex.split(tools.ld))
    preferred = _command("".join(tools.preferred[len(Language) :]), tools.path)
    if preferred and not _is_ours(preferred):
        return preferred
    names = LINKERS if not relocatable else (*_KEEP_BITCODE, *LINKERS)
    found = next((path for name in names if (path := which(name, tools.path))), None)
    if found is None:
        raise ToolError("no linker found", hint=LINKER_HINT)
    return (found,)


LINKERS: Final = (f"ld.lld-{NEWEST_LLVM}", "ld.lld", "ld")
_KEEP_BITCODE: Final = ("ld.bfd",)
LINKER_HINT: Final = f"apt-get install lld-{NEWEST_LLVM}, or binutils"


def candidates(language: Language, tools: ToolSettings) -> Iterator[Candidate]:
    """Every compiler that might work, best first, each once."""
    variable = LANGUAGES[language].variable
    index = list(Language).index(language)
    explicit = (tools.cc, tools.cxx, tools.fc, tools.rustc)[index]
    seen: set[tuple[str, ...]] = set()
    if explicit:
        if _is_ours(tuple(shlex.split(explicit))):
            raise ConfigError(
                f"ENZYME_{variable} names our own driver: '{explicit}'",
                hint=f"name the {LANGUAGES[language].program} that it shall run",
            )
        yield Candidate(
            _command(explicit, tools.path) or tuple(shlex.split(explicit)), f"ENZYME_{variable}", required=True
        )
        return
    preferred = _command("".join(tools.preferred[index : index + 1]), tools.path)
    if preferred and not _is_ours(preferred):
        seen.add(preferred)
        yield Candidate(preferred, variable)
    for command in _installed(language, tools.path):
        real = (os.path.realpath(command[0]),)
        if real not in seen and command not in seen:
            seen |= {real, command}
            yield Candidate(command, "found")
    zig = _zig() if language in {Language.C, Language.CXX} else None
    if zig:
        yield Candidate((zig, "cc" if language is Language.C else "c++"), "ziglang")


def which(name: str, path: str) -> str | None:
    """Absolute path of an executable, as the shell would find it."""
    folders = [""] if os.sep in name else path.split(os.pathsep)
    for folder in folders:
        candidate = os.path.join(folder, name)  # noqa: PTH118 - strings: this runs at each start of a driver
        if os.access(candidate, os.X_OK) and not os.path.isdir(candidate):  # noqa: PTH112
            return os.path.abspath(candidate)  # noqa: PTH100
    return None


def probe(candidate: Candidate, language: Language, cache: ProbeCache) -> Probe:
    """Compile one line with the real flags and look at the object; from the cache when the compiler is unchanged."""
    key = cache.key(candidate.command, language)
    known = cache.get(key)
    if known is not None:
        return known
    found = _probe_now(candidate.command, language)
    cache.put(key, found)
    return found


def shared_llvm(tools: ToolSettings) -> Path | None:
    """The shared library of LLVM that does a link's work; None: llvmlite's own, which is slower.

    It comes with the packages of clang, so that it lies beside that or in one of the system's folders.
    """
    if tools.llvm:
        return None if tools.llvm == "llvmlite" else Path(tools.llvm).absolute()
    compilers = (which(name, tools.path) for name in (f"clang-{NEWEST_LLVM}", "clang"))
    folders = [str(Path(found).resolve().parents[1] / "lib") for found in compilers if found]
    files = (Path(folder, _SHARED_LLVM) for folder in (*folders, *_LIBRARIES))
    return next((file for file in files if file.is_file()), None)


def cache_folder(given: Path | None) -> Path:
    """Where results are kept from run to run: the folder that settings name, or the user's."""
    if given is not None:
        return given
    import platformdirs

    return platformdirs.user_cache_path("enzyme-build")


class ProbeCache:
    """Probe results in one JSON file; unreadable content counts as empty, and failing to write is no error."""

    def __init__(self, folder: Path | None) -> None:
        self.file = cache_folder(folder) / "compilers.json"

    def key(self, command: tuple[str, ...], language: Language) -> str:
        try:
            stat = os.stat(command[0])  # noqa: PTH116
        except OSError:
            return ""
        return f"{_CACHE_FORMAT} {language.value} {shlex.join(command)} {stat.st_mtime_ns} {stat.st_size}"

    def get(self, key: str) -> Probe | None:
        entry = self._entries().get(key)
        try:
            return Probe(**entry) if isinstance(entry, dict) else None
        except TypeError:
            return None

    def put(self, key: str, found: Probe) -> None:
        if not key:
            return
        entries = self._entries() | {key: asdict(found)}
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with process.completed_file(self.file) as temporary:
                temporary.write_text(json.dumps(entries, indent=1))
        except (OSError, ToolError):
            return

    def _entries(self) -> dict[str, object]:
        try:
            entries = json.loads(self.file.read_text())
        except (OSError, ValueError):
            return {}
        return entries if isinstance(entries, dict) else {}


_FRONT_ENDS: Final = {Language.FORTRAN: FrontEnd.FLANG, Language.RUST: FrontEnd.RUSTC}


def front_end(command: Sequence[str], language: Language) -> FrontEnd:
    if language in _FRONT_ENDS:
        return _FRONT_ENDS[language]
    is_zig = any(Path(word).name in {"zig", "zig.exe", "ziglang"} for word in command)
    return FrontEnd.ZIG if is_zig else FrontEnd.CLANG


def _probe_now(command: tuple[str, ...], language: Language) -> Probe:
    import tempfile

    suffix, text = LANGUAGES[language].probe
    problem = ""
    with tempfile.TemporaryDirectory(prefix="enzyme-probe-") as folder:
        source, output = Path(folder, "probe" + suffix), Path(folder, "probe.o")
        source.write_text(text)
        for style in styles(front_end(command, language)):
            flags = bitcode_flags(style, ["-O2"], front_end(command, language))
            level = ["-O2", "-c"] if style is not BitcodeStyle.BARE else ["-O", "--emit=obj", "--crate-type=lib"]
            line = [*command, *flags, *level, str(source), "-o", str(output)]
            try:
                done = process.run(line)
            except ToolError as error:
                return Probe(problem=error.message)
            if done.returncode:
                lines = (done.stderr or done.stdout).strip().splitlines()
                problem = problem or next((x for x in lines if "error" in x), lines[-1] if lines else "it fails")
                continue
            try:
                found = parse_object(str(output), output.read_bytes()) if output.exists() else None
            except InputError as error:
                return Probe(problem=error.message)
            if found is None or not found.bitcode:
                problem = "its objects hold no LLVM bitcode"
                continue
            version, major = producer(found.bitcode[0])
            if major > NEWEST_LLVM:
                return Probe(version, major, problem=f"{version} is newer than LLVM {NEWEST_LLVM} of llvmlite")
            if 0 < major < OLDEST_LLVM:
                return Probe(version, major, problem=f"{version} is older than LLVM {OLDEST_LLVM}")
            return Probe(version, major, style.value)
    return Probe(problem=problem)


def _installed(language: Language, path: str) -> Iterator[tuple[str, ...]]:
    base = LANGUAGES[language].program
    if not LANGUAGES[language].versioned:
        folders = (path, os.path.expanduser("~/.cargo/bin"))  # noqa: PTH111 - strings, as everywhere here
        yield from ((found,) for folder in folders if (found := which(base, folder)))
        return
    for major in range(NEWEST_LLVM, OLDEST_LLVM - 1, -1):
        names = [f"{base}-{major}"] if major < NEWEST_LLVM else [f"{base}-{major}", base]
        for name in names:
            found = which(name, path)
            if found:
                yield (found,)
    for major in range(NEWEST_LLVM, OLDEST_LLVM - 1, -1):
        for folder in _INSTALL_FOLDERS:
            found = which(base, folder.format(major))
            if found:
                yield (found,)


def _zig() -> str | None:
    """The zig program inside the ziglang package, found without importing it."""
    from importlib.util import find_spec

    spec = find_spec("ziglang")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        found = which("zig.exe" if sys.platform == "win32" else "zig", folder)
        if found:
            return found
    return None


def _command(text: str, path: str) -> tuple[str, ...]:
    words = shlex.split(text)
    found = which(words[0], path) if words else None
    return (found, *words[1:]) if found else ()


def _is_ours(command: tuple[str, ...]) -> bool:
    return any(Path(word).name.startswith(("enzyme-", "enzyme_")) for word in command)
