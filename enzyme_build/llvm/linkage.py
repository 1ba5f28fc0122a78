"""Edits of LLVM assembly that do what a linker would have done between its inputs, had they not been merged.

Like those of `text.py` they look at whole lines and at names, with quoted strings left alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.llvm.text import NAME, symbols, unquote
from enzyme_build.regex import regex
from enzyme_build.rules.scalar import PARTIALS

if TYPE_CHECKING:
    from collections.abc import Collection

_SYMBOL_OR_STRING: Final = regex(rf'@({NAME})|"(?:[^"\\]|\\.)*"')
_STRUCTORS: Final = regex(r"(?m)^@llvm\.global_(c|d)tors = appending global \[\d+ x [^\n]*?\}\] \[([^\n]*)\][^\n]*\n")
_STRUCTOR: Final = regex(rf"\{{ i32, ptr, ptr \}} \{{ i32 (\d+), ptr @({NAME}), ptr (?:null|@({NAME})) \}}")
_STATIC: Final = regex(r"(?m)^(?:define (?:internal|private) [^\n]*?|(?=@\w+ = (?:internal|private) ))@(\w+)(?: =|\()")
_CALLED: Final = frozenset(
    [
        "abort",
        "aligned_alloc",
        "bsearch",
        "calloc",
        "free",
        "lfind",
        "madvise",
        "malloc",
        "malloc_usable_size",
        "memcpy",
        "memmove",
        "memset",
        "mincore",
        "mmap",
        "munmap",
        "nextafter",
        "nextafterf",
        "qsort",
        "qsort_r",
        "realloc",
        "sbrk",
        "write",
    ]
)
_DEFAULT_PRIORITY: Final = 65535


def with_init_arrays(text: str) -> str:
    """`text` with its constructors and destructors in sections of their own, which every linker knows.

    LLVM's default are the older `.ctors`, which LLVM's own linker leaves out.
    """
    comdats = {
        match[1]: match[2] or match[1]
        for match in re.finditer(rf"(?m)^@({NAME}) = [^\n]*, comdat(?:\(\$({NAME})\))?(?=[, \n])", text)
    }
    lines: list[str] = []
    for kind, entries in _STRUCTORS.findall(text):
        section = ".init_array" if kind == "c" else ".fini_array"
        found = sorted(_STRUCTOR.findall(entries), key=lambda entry: int(entry[0]))
        for priority, function, key in found:
            place = section if int(priority) == _DEFAULT_PRIORITY else f"{section}.{int(priority):05}"
            group = f", comdat(${comdats[key]})" if key in comdats else ""
            name = f"enzyme_build{section}.{len(lines)}"
            lines.append(f'@{name} = private global ptr @{function}, section "{place}"{group}, align 8')
    if not lines:
        return text
    rest = _STRUCTORS.sub("", text)
    first = re.search(r"(?m)^(?:@|define |declare |attributes )", rest)
    at = first.start() if first else len(rest)
    return rest[:at] + "\n".join(lines) + "\n\n" + rest[at:]


def set_apart(text: str) -> str:
    """`text` with other names for static functions and variables that have those of the C library's functions which
    derivatives call: a program may have a `static void write(…)` of its own."""
    found = {name for name in _STATIC.findall(text) if name in _CALLED or name.removesuffix("f") in PARTIALS}
    if not found:
        return text

    def rename(match: re.Match[str]) -> str:
        return f"@{match[1]}.own" if match[1] in found else match[0]

    return _SYMBOL_OR_STRING.sub(rename, text)


def wrapped(text: str, names: Collection[str]) -> str:
    """One unit of a link with `--wrap=f`: what it does not define itself and calls `f` is `__wrap_f`, and its
    `__real_f` is `f`."""
    defined, undefined, _ = symbols(text)
    renamed = {f"__real_{name}": name for name in names if f"__real_{name}" in undefined}
    renamed |= {name: f"__wrap_{name}" for name in names if name in undefined}
    if not renamed:
        return text

    def rename(match: re.Match[str]) -> str:
        name = unquote(match[1]) if match[1] else ""
        return f"@{renamed[name]}" if name in renamed else match[0]

    known = {*defined}
    lines = []
    for line in _SYMBOL_OR_STRING.sub(rename, text).split("\n"):
        head = re.match(rf"declare [^\n]*?@({NAME})\(|@({NAME}) = external ", line)
        name = unquote(head[1] or head[2]) if head else ""
        if name and name in known and name in {*renamed.values()}:
            continue
        if name:
            known.add(name)
        lines.append(line)
    return "\n".join(lines)


def without_folder(text: str, folder: str) -> str:
    """`text` with the paths of Fortran sources relative to `folder`: flang, which has no option for that, puts them
    into debug data and, for messages of its runtime, into constants named after them."""
    sources = rf'(= (?:distinct )?!DIFile\(filename: "[^"]*\.[fF]\w*", directory: "){re.escape(folder)}"'
    text = re.sub(sources, r'\1."', text)
    begin = f"{folder}/".encode().hex().upper()
    if f"_QQclX{begin}" not in text:
        return text

    def shorter(found: re.Match[str]) -> str:
        size = int(found[2]) - len(folder.encode()) - 1
        return f'{found[1]}[{size} x i8] c"{found[3]}"'

    constant = rf'(@_QQclX{begin}[0-9A-F]+ = [^\n]*?)\[(\d+) x i8\] c"{re.escape(folder)}/([^"\n]*)"'
    changed, count = re.subn(constant, shorter, text)
    named = {*re.findall(rf"(?m)^@_QQclX{begin}([0-9A-F]+) = ", text)}
    taken = any(f"@_QQclX{name} = " in text for name in named)
    return re.sub(rf"_QQclX{begin}(?=[0-9A-F])", "_QQclX", changed) if count == len(named) and not taken else text
