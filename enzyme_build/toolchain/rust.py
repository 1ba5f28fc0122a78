"""rustc and cargo: from sources and crates to static libraries whose own members are bitcode.

A static library holds the user's crate, what it depends on and the choice of the allocator as bitcode, and Rust's
standard library as machine code. An `.rlib` holds the crate alone.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError, ToolError
from enzyme_build.regex import regex
from enzyme_build.toolchain import process
from enzyme_build.toolchain.find import find_compiler, which
from enzyme_build.toolchain.languages import CRATE_MANIFEST, Language

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from enzyme_build.toolchain.find import Compiler, ToolSettings

_EDITION: Final = "2021"
_SEPARATOR: Final = "\x1f"
_LIBRARY: Final = ".rlib"
_STANDARD: Final = ("libstd-", "libcore-")
_STANDARD_FLAGS: Final = ("--crate-name=nothing", "-Copt-level=2")
_ALLOCATOR: Final = regex(r"(_RNv\w*7___rustc\d+_)?__rust_\w+")


def is_allocator(symbol: str) -> bool:
    """Is it a function of what rustc makes beside each program and static library, to choose the allocator?"""
    return _ALLOCATOR.fullmatch(symbol) is not None


def source_command(rustc: Compiler, source: Path, output: Path, words: Sequence[str]) -> list[str]:
    """Compile a crate of one file; what it read is listed beside the output."""
    edition = [] if any(word.startswith("--edition") for word in words) else [f"--edition={_EDITION}"]
    emitted = f"--emit=link={output},dep-info={output.with_suffix('.d')}"
    return [*rustc.command, *edition, "--crate-type=staticlib", *words, emitted, str(source)]


class Crate:
    """A package with a library, by its manifest; `target` is where cargo keeps what it makes."""

    def __init__(self, manifest: Path, tools: ToolSettings) -> None:
        self.manifest = manifest.absolute()
        # A folder of our own: a build script must not wait for the cargo that runs it.
        self.target = (tools.cargo_target or self.manifest.parent / "target").absolute() / "enzyme-build"
        self.name = _library_name(manifest)

    def command(self, rustc: Compiler, words: Sequence[str], tools: ToolSettings) -> list[str]:
        """Build the library. Naming the target keeps our flags from programs that run while it is built."""
        cargo = which("cargo", tools.path) or which("cargo", str(Path(rustc.command[0]).parent))
        if cargo is None:
            raise ToolError(f"'{self.manifest}' needs cargo, which was not found", hint="https://rustup.rs")
        profile = ['panic="abort"', "codegen-units=1", 'lto="off"', "debug=2"]
        words = [f"--remap-path-prefix={self.manifest.parent}=.", *words]
        return [
            *("env", f"CARGO_ENCODED_RUSTFLAGS={_SEPARATOR.join(words)}", f"RUSTC={rustc.command[0]}"),
            *(cargo, "rustc", "--lib", "--release", "--crate-type=staticlib", "--manifest-path", str(self.manifest)),
            *("--target-dir", str(self.target), "--target", host(rustc)),
            *(word for setting in profile for word in ("--config", f"profile.release.{setting}")),
        ]

    def collect(self, rustc: Compiler, output: Path) -> None:
        """Copy what was built, and the list of what was read, to `output` and beside it."""
        made = self.target / host(rustc) / "release" / f"lib{self.name}.a"
        try:
            shutil.copyfile(made, output)
            shutil.copyfile(made.with_suffix(".d"), output.with_suffix(".d"))
        except OSError as error:
            raise ToolError(f"cargo built '{self.manifest}', but not '{made}': {error.strerror}") from error


def manifests(sources: Iterable[Path]) -> list[Path]:
    """The manifests that say how sources of crates are built: of their packages, and of the workspaces around them."""
    folders = dict.fromkeys(parent for source in sources for parent in source.absolute().parents)
    return [found for folder in folders if (found := folder / CRATE_MANIFEST).exists()]


def host(rustc: Compiler) -> str:
    """The target that rustc compiles for by itself."""
    lines = _version(rustc).splitlines()
    return next(line.removeprefix("host: ") for line in lines if line.startswith("host: "))


def _version(rustc: Compiler) -> str:
    command = [*rustc.command, "-vV"]
    return process.check(process.run(command), command, "asking rustc for its version and target").stdout


def standard_library(files: Iterable[Path], tools: ToolSettings, folder: Path) -> Path | None:
    """What libraries of Rust's own kind leave to whoever links them, unless the line has it: the standard library and
    the choice of the allocator. rustc makes it for programs of other languages; it is kept in `folder`."""
    names = [file.name for file in files]
    if not any(name.endswith(_LIBRARY) for name in names) or any(name.startswith(_STANDARD) for name in names):
        return None
    rustc = find_compiler(Language.RUST, tools)
    from hashlib import sha256  # takes longer to load than all of this module

    made = folder / f"rust-std-{sha256(_version(rustc).encode()).hexdigest()[:16]}.a"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="enzyme-rust-") as place:
            source, output = Path(place, "nothing.rs"), Path(place, "nothing.a")
            source.write_text("")
            command = [*rustc.command, "--crate-type=staticlib", *_STANDARD_FLAGS, "-o", str(output), str(source)]
            process.check(process.run(command), command, "making Rust's standard library")
            with process.completed_file(made) as unfinished:
                shutil.copyfile(output, unfinished)
    return made


def _library_name(manifest: Path) -> str:
    import tomllib

    try:
        data = tomllib.loads(manifest.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot read '{manifest}': {error}") from error
    name = data.get("lib", {}).get("name") or data.get("package", {}).get("name")
    if not isinstance(name, str):
        raise InputError(
            f"'{manifest}' describes no package", hint="name the Cargo.toml of the package that has the function"
        )
    return name.replace("-", "_")
