"""Object files, archives and bitcode as bytes: what is in a linker input.

An input is ELF (perhaps *fat*: with LLVM bitcode in a section beside the machine code), bare bitcode, an archive of
such members (GNU long names, thin and BSD archives included), or something else that is the real linker's business.
`ld -r` concatenates bitcode streams in one section; they are split again by walking the top-level blocks.
"""

from __future__ import annotations

import re
import struct
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InputError
from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.toolchain.bitcode import is_bitcode, split_streams
from enzyme_build.toolchain.export_section import SECTION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_ELF_MAGIC: Final = b"\x7fELF"
_ARCHIVE_MAGIC: Final = b"!<arch>\n"
_THIN_MAGIC: Final = b"!<thin>\n"

# Fat objects keep bitcode in the first, `-fembed-bitcode` in the second.
BITCODE_SECTION: Final = ".llvm.lto"
_BITCODE_SECTIONS: Final = (BITCODE_SECTION, ".llvmbc")
_GCC_SECTION_PREFIX: Final = ".gnu.lto_"
_GFORTRAN: Final = "_gfortran_"

_SYMTAB, _DYNSYM = 2, 11
_RELOCATABLE, _SHARED = 1, 3
_GLOBAL, _WEAK, _UNIQUE = 1, 2, 10
_COMMON = 0xFFF2


@dataclass(frozen=True)
class Symbols:
    """Global symbol names: `mentioned` is every one, `undefined` those that must come from elsewhere."""

    defined: frozenset[str] = frozenset()
    undefined: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()
    """Undefined ones that may stay so."""
    common: frozenset[str] = frozenset()
    """Defined ones that are only blocks of zeros (Fortran's COMMON), which a real definition replaces."""
    replaceable: frozenset[str] = frozenset()
    """Defined ones that are weak: another object's definition replaces them."""

    @property
    def mentioned(self) -> frozenset[str]:
        return self.defined | self.undefined | self.weak


@dataclass(frozen=True)
class ObjectFile:
    """One object: `bitcode` holds its streams (empty: machine code only), `symbols` what the linker sees."""

    name: str
    bitcode: tuple[bytes, ...] = ()
    symbols: Symbols | None = None
    """None for bare bitcode: only LLVM can tell."""
    is_shared: bool = False
    aside: tuple[bytes, ...] = ()
    """Streams of a library that is linked as machine code, for what derivatives reach of it."""
    compiler: str = ""
    """Who made the machine code, by its own comment: `GCC 12.2.0`."""
    exports: tuple[bytes, ...] = ()
    """Sections that describe exported derivatives."""


def mentions(path: Path, needle: bytes) -> bool:
    """Whether the bytes `needle` occur anywhere in the file: names are stored verbatim in every format."""
    import mmap

    try:
        with path.open("rb") as file:
            if path.stat().st_size == 0:
                return False
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
                if view.find(needle) >= 0:
                    return True
                thin = view[:8] == _THIN_MAGIC
    except (OSError, ValueError):
        return False
    return thin and any(needle in data for _, data in archive_members(path))


def is_thin(path: Path) -> bool:
    """Is it an archive that only names its members' files?"""
    return _head(path) == _THIN_MAGIC


def is_archive(path: Path) -> bool:
    return _head(path) in (_ARCHIVE_MAGIC, _THIN_MAGIC)


def is_linker_input(path: Path) -> bool:
    """Whether the content (never the name) is an object, archive, shared library or bitcode."""
    head = _head(path)
    return head in (_ARCHIVE_MAGIC, _THIN_MAGIC) or head[:4] == _ELF_MAGIC or is_bitcode(head)


def read_object(path: Path) -> ObjectFile | None:
    """The object in a file; None for what only the linker understands (a linker script)."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}") from error
    return parse_object(str(path), data)


def parse_object(name: str, data: bytes) -> ObjectFile | None:
    if is_bitcode(data):
        return ObjectFile(name, tuple(split_streams(data)), None)
    if data[:4] == _ELF_MAGIC:
        return _parse_elf(name, data)
    return None


def archive_members(path: Path) -> Iterator[tuple[str, bytes]]:
    """(name, content) of each member in order; symbol tables and name tables left out."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}") from error
    thin = data[:8] == _THIN_MAGIC
    if not thin and data[:8] != _ARCHIVE_MAGIC:
        raise InputError(f"'{path}' is not an archive")
    names = b""
    position = 8
    while position + 60 <= len(data):
        header = data[position : position + 60]
        raw = header[:16].rstrip()
        try:
            size = int(header[48:58])
        except ValueError as error:
            raise InputError(f"'{path}' is a damaged archive (member at byte {position})") from error
        start = position + 60
        special = raw in (b"/", b"//", b"/SYM64/", b"__.SYMDEF", b"__.SYMDEF SORTED")
        stored = size if special or not thin else 0
        body = data[start : start + stored]
        position = start + stored + (stored & 1)
        if raw == b"//":
            names = body
        if special:
            continue
        if raw.startswith(b"#1/"):  # BSD: the name stands before the content
            length = int(raw[3:])
            name, body = body[:length].rstrip(b"\0").decode(errors="replace"), body[length:]
            if name.startswith("__.SYMDEF"):
                continue
        elif raw.startswith(b"/") and raw[1:].isdigit():
            offset = int(raw[1:])
            name = names[offset : names.find(b"\n", offset)].rstrip(b"/").decode(errors="replace")
        else:
            name = raw.rstrip(b"/").decode(errors="replace")
        if thin:
            member = path.parent / name
            try:
                body = member.read_bytes()
            except OSError as error:
                raise InputError(f"cannot read '{member}', a member of the thin archive '{path}'") from error
        yield name, body


def objects_in(archive: Path) -> Iterator[tuple[str, bytes, ObjectFile | None]]:
    """(name, content, what it is) of each member. Of the code of Rust's standard library, which has bitcode beside it,
    the machine code is linked, and the bitcode kept aside: it would be most of every program."""
    for name, data in archive_members(archive):
        found = parse_object(f"{archive}({name})", data)
        if found is not None and found.symbols is not None and _RUST_RUNTIME.match(name):
            found = replace(found, bitcode=(), aside=found.bitcode)
        yield name, data, found


def has_rust_runtime(archive: Path) -> bool:
    """Is it a static library of rustc's, with all of Rust's standard library?"""
    return any(_RUST_RUNTIME.match(name) for name, _ in archive_members(archive))


_RUST_RUNTIME: Final = regex(
    r"(std|core|alloc|compiler_builtins|panic_abort|panic_unwind|unwind|std_detect|proc_macro|test|object|memchr|addr2line"
    r"|gimli|cfg_if|rustc_demangle|rustc_literal_escaper|hashbrown|libc|miniz_oxide|adler2|getopts|rustc_std_workspace_\w+)"
    r"-[0-9a-f]{16}\."
)


def definer(name: str, objects: Iterable[ObjectFile]) -> ObjectFile | None:
    """Whose definition counts for a linker, of objects in link order: a strong one, then the first weak one, then that
    of the first shared library."""

    def rank(item: ObjectFile) -> int:
        assert item.symbols is not None
        return 2 if item.is_shared else int(name in item.symbols.replaceable)

    return min((item for item in objects if item.symbols and name in item.symbols.defined), key=rank, default=None)


def origins(names: Iterable[str], objects: Iterable[ObjectFile]) -> list[str]:
    """For each name that one of the objects defines as machine code: where, and by whom it was compiled."""
    notes = []
    found = [item for item in objects if item.symbols and not item.bitcode]
    for name in dict.fromkeys(names):
        owner = definer(name, found)
        if owner is not None:
            by = f", compiled by {owner.compiler}" if owner.compiler else ""
            what = "a shared library" if owner.is_shared else "machine code without bitcode"
            notes.append(f"'{name}' is in '{owner.name}', which is {what}{by}")
    return notes


_MEMBER_HEAD: Final = 60


def write_archive(path: Path, members: Sequence[tuple[str, bytes]]) -> None:
    """A plain archive with a table of the symbols of its machine code, by which linkers search it."""
    names = b"".join(name.encode() + b"/\n" for name, _ in members)
    found = [parse_object(name, data) for name, data in members]
    defined = [sorted(item.symbols.defined) if item is not None and item.symbols else [] for item in found]
    symbols = [(symbol, at) for at, own in enumerate(defined) for symbol in own]
    spelled = b"".join(symbol.encode() + b"\0" for symbol, _ in symbols)
    table = 4 + 4 * len(symbols) + len(spelled)
    offset = len(_ARCHIVE_MAGIC) + 2 * _MEMBER_HEAD + table + (table & 1) + len(names) + (len(names) & 1)
    places = []
    for _, data in members:
        places.append(offset)
        offset += _MEMBER_HEAD + len(data) + (len(data) & 1)
    parts = [_ARCHIVE_MAGIC]

    def add(field_name: bytes, body: bytes) -> None:
        parts.append(b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (field_name, 0, 0, 0, b"100644", len(body)))
        parts.append(body + b"\n" * (len(body) & 1))

    add(b"/", struct.pack(f">{1 + len(symbols)}I", len(symbols), *(places[at] for _, at in symbols)) + spelled)
    add(b"//", names)
    start = 0
    for name, body in members:
        add(b"/%d" % start, body)
        start += len(name.encode()) + 2
    path.write_bytes(b"".join(parts))


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(8)
    except OSError:
        return b""


def _parse_elf(name: str, data: bytes) -> ObjectFile:
    """Sections and symbols of an ELF object of either word size and byte order."""
    try:
        return _parse_elf_sections(name, data)
    except (struct.error, IndexError) as error:
        raise InputError(
            f"'{name}' is a damaged object file", hint="make it again: it may have been cut off"
        ) from error


def _parse_elf_sections(name: str, data: bytes) -> ObjectFile:
    wide = data[4] == 2
    order = "<" if data[5] == 1 else ">"
    kind = struct.unpack_from(order + "H", data, 16)[0]
    (table,) = struct.unpack_from(order + ("Q" if wide else "I"), data, 40 if wide else 32)
    entry, count, names_index = struct.unpack_from(order + "3H", data, 58 if wide else 46)
    header = struct.Struct(order + ("2I4Q2I2Q" if wide else "10I"))
    if not table:
        return ObjectFile(name, (), Symbols(), kind == _SHARED)
    first = header.unpack_from(data, table)
    count = count or first[5]  # more than 65,279 sections: the numbers stand in the first header
    names_index = first[6] if names_index == 0xFFFF else names_index
    sections = [header.unpack_from(data, table + entry * index) for index in range(count)]
    names_start = sections[names_index][4]

    bitcode: dict[str, list[bytes]] = {}
    exports: list[bytes] = []
    gcc = compiler = ""
    symbols = Symbols()
    for section in sections:
        label = _string(data, names_start + section[0])
        if label in _BITCODE_SECTIONS and kind == _RELOCATABLE:
            body = data[section[4] : section[4] + section[5]]
            bitcode.setdefault(label, []).extend(stream for stream in split_streams(body) if len(stream) > 4)
        elif label.startswith(_GCC_SECTION_PREFIX):
            gcc = label
        elif label == SECTION:
            exports.append(data[section[4] : section[4] + section[5]])
        elif label == ".comment" and kind == _RELOCATABLE:
            compiler = _compiler(data[section[4] : section[4] + section[5]])
        if section[1] == (_DYNSYM if kind == _SHARED else _SYMTAB):
            symbols = _symbols(data, order, section, sections[section[6]], wide=wide)
    if any(label.startswith(_GFORTRAN) for label in symbols.undefined):
        compiler = compiler.replace("GCC", "gfortran (GCC)")
    if gcc and "__gnu_lto_slim" in symbols.mentioned:
        raise InputError(
            f"'{name}' was compiled by {compiler or 'GCC'} with -flto: it holds GCC's own intermediate code only",
            hint="compile it without -flto, or with enzyme-cc (Fortran: enzyme-fc) to differentiate it",
        )
    streams = next((bitcode[label] for label in _BITCODE_SECTIONS if bitcode.get(label)), [])
    if exports:
        streams = []  # what `ld -r` put together with it, as Rust's standard library: its machine code is whole
    return ObjectFile(name, tuple(streams), symbols, kind == _SHARED, compiler=compiler, exports=tuple(exports))


def _compiler(comment: bytes) -> str:
    """The first compiler that a comment section names; `GCC: (Debian 12.2.0-14) 12.2.0` is `GCC 12.2.0`."""
    first = comment.strip(b"\0").partition(b"\0")[0].decode(errors="replace")
    gcc = re.match(r"GCC: .*?([\d.]+)$", first)
    return f"GCC {gcc[1]}" if gcc else first


def _symbols(data: bytes, order: str, section: tuple[int, ...], strings: tuple[int, ...], *, wide: bool) -> Symbols:
    layout = struct.Struct(order + ("IBBHQQ" if wide else "IIIBBH"))
    info_at, index_at = (1, 3) if wide else (3, 5)
    defined: set[str] = set()
    undefined: set[str] = set()
    weak: set[str] = set()
    common: set[str] = set()
    replaceable: set[str] = set()
    body = data[section[4] : section[4] + section[5]]
    for symbol in layout.iter_unpack(body[: len(body) // layout.size * layout.size]):
        binding = symbol[info_at] >> 4
        if binding in (_GLOBAL, _WEAK, _UNIQUE):
            label = _string(data, strings[4] + symbol[0])
            if symbol[index_at]:
                defined.add(label)
                if symbol[index_at] == _COMMON:
                    common.add(label)
                if binding == _WEAK:
                    replaceable.add(label)
            else:
                (weak if binding == _WEAK else undefined).add(label)
    return Symbols(
        *(frozenset(defined), frozenset(undefined) - defined, frozenset(weak) - defined),
        *(frozenset(common), frozenset(replaceable)),
    )


def _string(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode(errors="replace")
