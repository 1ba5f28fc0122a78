"""Derivatives in a running Python: `enzyme_build.compile("model.c").function("energy(x[n], n, k)").grad(x, 2.0)`.

Sources are compiled at once, derivatives when they are first used, each mode for itself: what a script does not call is
not made, and what cannot be differentiated in one mode is no obstacle to another. What is made is an extension module
as `enzyme-build module` makes it. It is loaded once for the same contents, whoever asks; links done before, also by
other processes, are found (`cache`).
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import tempfile
import threading
import weakref
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from enzyme_build import settings as settings_of
from enzyme_build.bindings.extension import Export
from enzyme_build.bindings.methods import BATCH, MODES, Kind, methods
from enzyme_build.bindings.project import FunctionConfig, ModuleConfig, read
from enzyme_build.cache import LinkCache, bytes_of, host, maker
from enzyme_build.commands.inputs import CompileOptions, Inputs, prepare
from enzyme_build.commands.module import link_module, module_suffix, python_interface, with_words
from enzyme_build.errors import ConfigError
from enzyme_build.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import ModuleType

    from enzyme_build.bindings.interface import Interface
    from enzyme_build.settings import Settings

_LIBRARY: Final = "module.so"
"""In an entry of the cache."""
_MOST_TEXTS: Final = 500
"""Sources given as text that are kept in the user's folder."""


def compile(  # noqa: A001, PLR0913 - the word of `re`; each is a key of a module in pyproject.toml
    *sources: str | os.PathLike[str],
    text: Mapping[str, str] | None = None,
    include_dirs: Sequence[str | os.PathLike[str]] = (),
    defines: Sequence[str] = (),
    compile_args: Sequence[str] = (),
    libraries: Sequence[str] = (),
    link_args: Sequence[str] = (),
    optimise: int | None = None,
    target_cpu: str | None = None,
    veclib: str | None = None,
    ad_before_opt: bool | None = None,
    loose_types: bool | None = None,
) -> Program:
    """Compile sources in C, C++, Fortran and Rust, or take objects, archives and bitcode, to differentiate.

    `sources` are files, `text` are sources by the names of files that they could be in: {"model.c": "double f(…"}.
    The other arguments are the keys of `[tool.enzyme-build]`.
    """
    files = [_file_name(source) for source in sources]
    settings = settings_of.with_options(
        settings_of.from_environment(),
        optimise=optimise,
        target_cpu=target_cpu,
        veclib=veclib,
        ad_before_opt=ad_before_opt,
        loose_types=loose_types,
    )
    words = {
        "include-dirs": _listed(include_dirs),
        "defines": _listed(defines),
        "compile-args": _listed(compile_args),
        "libraries": _listed(libraries),
        "link-args": _listed(link_args),
    }
    return Program(files, text or {}, words, replace(settings, captured=True))


class Program:
    """Compiled sources, with functions to differentiate."""

    def __init__(
        self, sources: Sequence[str], text: Mapping[str, str], words: Mapping[str, list[str] | str], settings: Settings
    ) -> None:
        self._settings = settings
        self._names = [*sources, *text]
        if not self._names:
            raise ConfigError("nothing to compile", hint='give files: compile("model.c"), or text={"model.c": "…"}')
        # Only for its words; what it has to name of modules and functions comes with them.
        config = read(
            ModuleConfig,
            {"name": "module", "sources": self._names, "function": [{"name": "function"}], **words},
            "compile()",
        )
        self._options = with_words(CompileOptions(), config, Path())
        folder = Path(tempfile.mkdtemp(prefix="enzyme-program-"))
        weakref.finalize(self, _remove, folder, os.getpid())
        paths = [Path(source) for source in sources] + _written(text, folder, settings)
        self._inputs = prepare(paths, self._options, settings, folder)
        self._content = _content(self._inputs, self._options, settings)

    def __repr__(self) -> str:
        return f"<program of {', '.join(self._names)}>"

    def function(self, signature: str, *, wrt: Sequence[str] | None = None, name: str = "") -> Function:
        """The function of a signature, such as `energy(x[n], n, k)`, to be called, and to be differentiated with
        respect to the arguments `wrt` (all that can be).

        `name` is its full name, where the signature leaves out namespaces or the types of an overload.
        """
        if isinstance(wrt, str):
            raise ConfigError(f"wrt is a sequence of names, not '{wrt}'", hint=f"write wrt=[{wrt!r}]")
        config = read(FunctionConfig, {"signature": signature, "name": name, "wrt": list(wrt or ())}, "function()")
        return Function(self, signature, python_interface(config, self._inputs))

    def _module(self, interface: Interface, modes: tuple[str, ...]) -> ModuleType:
        """The module with a function in some modes, made if nobody has made it yet."""
        key = f"{self._content} {modes} {interface}"
        place = _places.setdefault(key, _Place())
        with place.lock:
            if place.module is None:
                place.module = self._made(interface, modes)
            return place.module

    def _made(self, interface: Interface, modes: tuple[str, ...]) -> ModuleType:
        """Linked, or out of the cache; other libraries are not looked into, so what they take part in is linked."""
        settings = self._settings
        kept = LinkCache(settings)
        whole = [maker(), self._content, interface, modes, module_suffix(), host(settings.target_cpu)]
        key = hashlib.blake2b(repr(whole).encode(), digest_size=20).hexdigest()
        keeps = kept.limit > 0 and not self._options.link_words and settings.save_stages is None
        with tempfile.TemporaryDirectory(prefix="enzyme-function-") as name:
            folder = Path(name)
            library = folder / f"{interface.name}{module_suffix()}"
            found = kept.find_parts(key, _LIBRARY) if keeps else None
            if found:
                library.write_bytes(found[_LIBRARY])
            else:
                link_module(
                    interface.name,
                    [Export(interface, modes)],
                    self._inputs,
                    library,
                    folder=folder,
                    options=self._options,
                    settings=settings,
                )
                if keeps:
                    kept.keep_parts(key, {}, {_LIBRARY: library})
            return _load(interface.name, library)  # which stays when its file is gone


class Function:
    """A compiled function; call it, or its derivatives: `grad`, `vjp`, `jvp`, `hvp`, and with `_batch` for many items.

    Each is what a module built by `enzyme-build module` has, and is made when it is first used.
    """

    def __init__(self, program: Program, signature: str, interface: Interface) -> None:
        self._program = program
        self._signature = signature
        self._interface = interface
        self._made: dict[tuple[str, ...], ModuleType] = {}

    def __repr__(self) -> str:
        return f"<function {self._signature} of {', '.join(self._program._names)}>"  # noqa: SLF001

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """The function itself."""
        return self.primal(*arguments, **keywords)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_ATTRIBUTES})

    def __getattr__(self, name: str) -> Any:
        """Make what is not there yet; from then on it is an attribute like others."""
        if name not in _ATTRIBUTES:
            raise AttributeError(f"a compiled function has no attribute '{name}': it has {', '.join(_ATTRIBUTES)}")
        modes, kind = _ATTRIBUTES[name]
        try:
            every = methods(self._interface, modes)
        except ConfigError as error:
            raise AttributeError(f"'{self._interface.name}' has no {name}: {error.message}") from None
        wanted = [m for m in every if m.kind is kind and m.batched == (BATCH in modes)]
        if not wanted:
            raise AttributeError(f"'{self._interface.name}' has no {name}: it returns no real number, so take its vjp")
        if kind is Kind.PRIMAL and BATCH not in modes and self._made:
            modes = next(iter(self._made))  # every module has the function itself
        module = self._made[modes] = self._program._module(self._interface, modes)  # noqa: SLF001
        made = getattr(module, wanted[0].name)
        setattr(self, name, made)
        return made


_ATTRIBUTES: Final = {
    "primal": ((), Kind.PRIMAL),
    **{kind.value[1:]: ((mode,), kind) for mode, kinds in MODES.items() for kind in kinds},
    f"primal_{BATCH}": ((BATCH,), Kind.PRIMAL),
    **{f"{kind.value[1:]}_{BATCH}": ((mode, BATCH), kind) for mode, kinds in MODES.items() for kind in kinds},
}
"""What a function has, with the modes of the module that has it."""


@dataclass
class _Place:
    """Where one module is, once it is made."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    module: ModuleType | None = None


_places: Final[dict[str, _Place]] = {}


def _remove(folder: Path, owner: int) -> None:
    """Remove a program's objects, but not when a child of its process ends."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _listed(words: Iterable[str | os.PathLike[str]]) -> list[str] | str:
    """Words as `[tool.enzyme-build]` has them; one word alone is a mistake, which its reader explains."""
    return words if isinstance(words, str) else [os.fspath(word) for word in words]


def _file_name(source: str | os.PathLike[str]) -> str:
    name = os.fspath(source)
    if "\n" in name:
        raise ConfigError("a source is the name of a file", hint='give text by such a name: text={"model.c": "…"}')
    return name


def _written(text: Mapping[str, str], folder: Path, settings: Settings) -> list[Path]:
    """Sources that were given as text, as files.

    Their folder depends on what is in them: messages and debug data name it, so that a link is known when it is done
    again. Where nothing is kept, it is `folder`.
    """
    if not text:
        return []
    for name in text:
        if Path(name).name != name:
            raise ConfigError(f"text is for names of files without folders, not '{name}'")
    digest = hashlib.blake2b(repr(sorted(text.items())).encode(), digest_size=16).hexdigest()
    kept = LinkCache(settings).texts
    with contextlib.suppress(OSError):
        if settings.cache_size:
            _make_room(kept)
            _write_all(text, kept / digest)
            return [kept / digest / name for name in text]
    _write_all(text, folder)
    return [folder / name for name in text]


def _write_all(text: Mapping[str, str], folder: Path) -> None:
    """Write what is not there: others may be reading it."""
    if all((folder / name).is_file() and (folder / name).read_text("utf-8") == said for name, said in text.items()):
        with contextlib.suppress(OSError):
            os.utime(folder)
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name, said in text.items():
        with tempfile.NamedTemporaryFile("w", dir=folder, encoding="utf-8", delete=False) as unfinished:
            unfinished.write(said)
        Path(unfinished.name).replace(folder / name)


def _make_room(kept: Path, most: int = _MOST_TEXTS) -> None:
    """Remove the texts that were used least recently."""
    folders = sorted(kept.glob("*/"), key=lambda one: one.stat().st_mtime) if kept.is_dir() else []
    for folder in folders[: max(0, len(folders) - most)]:
        shutil.rmtree(folder, ignore_errors=True)


def _content(inputs: Inputs, options: CompileOptions, settings: Settings) -> str:
    """What tells programs from each other, where they were made of the same."""
    digest = hashlib.blake2b(repr((inputs.texts, options, settings)).encode(), digest_size=16)
    for given in inputs.linkable:
        for part in bytes_of(given.path):
            digest.update(hashlib.blake2b(part).digest())
    return digest.hexdigest()


def _load(name: str, library: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, library)
    if spec is None or spec.loader is None:
        raise AssertionError(library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
