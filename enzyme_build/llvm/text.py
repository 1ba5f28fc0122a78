"""Edits of LLVM assembly at its top level: linkage, comdats, attribute groups.

llvmlite can neither remove a comdat nor rewrite an attribute group, and a module is printed between two stages anyway.
Every edit looks at whole lines that start an entity (`define`, `@name =`, `attributes #n =`), never into bodies, and
with quoted strings masked, so that no constant's text can be mistaken for syntax.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from collections.abc import Set as AbstractSet

NAME: Final = r'(?:"(?:[^"\\]|\\.)*"|[-\w.$]+)'
_DEFINE: Final = regex(rf"^define [^\n]*?@({NAME})\(", re.MULTILINE)
_HEADER: Final = regex(rf"^define [^\n]*?@({NAME})\([^\n]*", re.MULTILINE)
_INLINE: Final = regex(rf"^define linkonce[^\n]*?@({NAME})\(", re.MULTILINE)
_GLOBAL: Final = regex(rf"^@({NAME}) = ", re.MULTILINE)
_LINKAGE: Final = regex(
    r"^(private|internal|available_externally|linkonce_odr|linkonce|weak_odr|weak|common|appending|extern_weak"
    r"|external) "
)
_PLACEMENT: Final = regex(r"^(?:(?:dso_local|dso_preemptable|default|hidden|protected|dllexport|dllimport) )*")
COMDAT: Final = regex(rf",? comdat(?:\(\${NAME}\))?(?=$|[ ,])")
_WALKED_SECTION: Final = regex(r', section "[A-Za-z_]\w*"')
QUOTED: Final = regex(r'"(?:[^"\\]|\\.)*"')
ATTRIBUTES: Final = regex(r"^attributes #(\d+) = \{ (.*?) ?\}$", re.MULTILINE)

_WITH_AVX512: Final = regex(
    r"x86-64-v4|skylake-avx512|cascadelake|cooperlake|cannonlake|icelake-(?:client|server)|tigerlake|rocketlake"
    r"|(?:sapphire|emerald|granite|diamond)rapids(?:-d)?|kn[lm]|znver[45]"
)
"""Names by which rustc and `--target-cpu` say so; clang lists the features."""

# Compilers call these without a call being written: an internal copy would not be found by generated code.
_RUNTIME_NAMES: Final = """
    memcpy memmove memset memcmp bcmp malloc calloc realloc free aligned_alloc posix_memalign memalign
    __stack_chk_fail __stack_chk_guard
    sqrt sin cos sincos exp exp2 log log2 log10 pow fmod fma floor ceil trunc rint round fmin fmax ldexp
    sqrtf sinf cosf sincosf expf exp2f logf log2f log10f powf fmodf fmaf floorf ceilf truncf rintf roundf
    fminf fmaxf ldexpf puts putchar printf strlen strcpy stpcpy
"""
RUNTIME_SYMBOLS: Final = frozenset(_RUNTIME_NAMES.split())
_REPLACEABLE: Final = ("llvm.", "_Znw", "_Zna", "_Zdl", "_Zda")
"""Beginnings of names that are LLVM's own, and of C++'s replaceable operators new and delete."""

_INVARIANT: Final = regex(r"(?m)^(  %[^\n]*? = load (?!ptr\b)[^\n]*?), !invariant\.load !\d+")
_COMPILER_USED: Final = regex(r"(?m)^@llvm\.compiler\.used = appending global \[(\d+) x ptr\] \[([^\n]*)\][^\n]*\n")
_SHIFTED_INDEX: Final = regex(r"(?m)^(  %[^ ]+ = add )nuw (?=nsw i64 %[^ ]+, %)")
_INLINE_ASSEMBLY: Final = regex(r' asm (?:[a-z]+ )*"((?:[^"\\]|\\.)*)"')


def signed_shifts(text: str) -> str:
    """`text` without the promise that sums of two indices are no negative number's, which flang gives also for CSHIFT.

    There, one of them is how far an element moves, and negative for some elements: LLVM may take what reads them for
    never reached.
    """
    return _SHIFTED_INDEX.sub(r"\1", text) if '!"Flang function root' in text else text


def without_linkage(words: str) -> str:
    """What stands behind `define`, without linkage, preemption, visibility and storage class."""
    return _PLACEMENT.sub("", _LINKAGE.sub("", words))


def unquote(name: str) -> str:
    """A symbol name as the linker knows it."""
    if not name.startswith('"'):
        return name
    return re.sub(r"\\([0-9A-Fa-f]{2})", lambda match: chr(int(match[1], 16)), name[1:-1])


def always_emitted(text: str, names: AbstractSet[str]) -> str:
    """`text` with `inline` functions of these names for others to call, which need not have copies of their own."""

    def emitted(match: re.Match[str]) -> str:
        return match[0].replace("define linkonce", "define weak", 1) if unquote(match[1]) in names else match[0]

    return _INLINE.sub(emitted, text)


def internalise(text: str, keep: AbstractSet[str]) -> str:
    """`text` with every definition internal that is not in `keep`, so that the optimiser may change and drop it.

    Comdats of what becomes internal go too: with a second object of the same group they give link errors or worse.
    """
    keep = keep | used_elsewhere(text)
    return _edit_heads(text, lambda line, head, name: _internal(line, head, name, keep))


def hide(text: str, names: AbstractSet[str]) -> str:
    """`text` with the definitions of these names invisible outside of what is linked."""
    return _edit_heads(text, lambda line, head, name: _hidden(line, head) if name in names else line)


def _edit_heads(text: str, edit: Callable[[str, str, str], str]) -> str:
    """`text` with `edit(line, what stands before linkage, name)` for each line that begins a global."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if line.startswith("define "):
            if match := _DEFINE.match(line):
                lines[index] = edit(line, "define ", unquote(match[1]))
        elif line.startswith("@") and (match := _GLOBAL.match(line)):
            lines[index] = edit(line, match[0], unquote(match[1]))
    return "\n".join(lines)


def _hidden(line: str, head: str) -> str:
    rest = line[len(head) :]
    linkage = match[0] if (match := _LINKAGE.match(rest)) else ""
    if linkage.strip() in {"private", "internal", "available_externally", "appending", "extern_weak", "external"}:
        return line
    return f"{head}{linkage}hidden {_PLACEMENT.sub('', rest[len(linkage) :])}"


def used_elsewhere(text: str) -> frozenset[str]:
    """Names that code outside LLVM's sight refers to: `llvm.used`, and every word of assembly, also inline."""
    used = re.search(r"(?m)^@llvm\.used = [^\n]*", text)
    names = {unquote(name) for name in re.findall(rf"@({NAME})", used[0])} if used else set()
    for line in re.findall(r'(?m)^module asm "([^\n]*)"$', text):
        names |= set(re.findall(r"[A-Za-z_.$][\w.$]*", line))
    for template in _INLINE_ASSEMBLY.findall(text):
        names |= set(re.findall(r"[A-Za-z_.][\w.]*", template.replace("\\0A", " ").replace("\\09", " ")))
    return frozenset(names)


def _internal(line: str, head: str, name: str, keep: AbstractSet[str]) -> str:
    """The definition `line` with internal linkage, or as it is when it must stay so."""
    rest = line[len(head) :]
    linkage = match[1] if (match := _LINKAGE.match(rest)) else ""
    if linkage in {"private", "internal", "available_externally", "appending", "extern_weak", "external"}:
        return line
    if name in keep or name in RUNTIME_SYMBOLS or name.startswith(_REPLACEABLE):
        return line
    rest = _PLACEMENT.sub("", rest[match.end() :] if match else rest)
    masked = QUOTED.sub(lambda quoted: "c" * len(quoted[0]), rest)
    if head.startswith("@") and _WALKED_SECTION.search(rest):
        return line  # a table that the linker's __start_ and __stop_ symbols delimit
    if comdat := COMDAT.search(masked):
        rest = rest[: comdat.start()] + rest[comdat.end() :]
    return f"{head}internal {rest}"


def unify_targets(text: str, cpu: str = "", features: str = "") -> str:
    """`text` with one target for all functions: `cpu` when given, otherwise the one most groups name.

    Functions of different targets are not inlined into each other. Without `cpu`, a group that asks for more than the
    common target (a function made for a newer CPU and chosen at run time) stays as it is.
    """
    pairs = Counter(
        (found["target-cpu"], found.get("target-features", ""))
        for match in ATTRIBUTES.finditer(text)
        if "target-cpu" in (found := _target_of(match[2]))
    )
    if not pairs and not cpu:
        return text
    common = (cpu, features) if cpu else max(pairs, key=lambda pair: (pairs[pair], pair))

    def edit(match: re.Match[str]) -> str:
        found = _target_of(match[2])
        own = _feature_set(found.get("target-features", ""))
        richer = own - _feature_set(common[1]) or found.get("target-cpu", "x86-64") not in {
            common[0],
            "x86-64",
            "generic",
        }
        if "target-cpu" not in found or (not cpu and richer):
            return match[0]
        body = re.sub(r' ?"(?:target-cpu|target-features|tune-cpu)"="[^"]*"', "", match[2])
        body += f' "target-cpu"="{common[0]}"' + (f' "target-features"="{common[1]}"' if common[1] else "")
        if cpu:
            body += f' "tune-cpu"="{cpu}"'
        elif tune := re.search(r'"tune-cpu"="[^"]*"', match[2]):
            body += " " + tune[0]
        return f"attributes #{match[1]} = {{ {body.strip()} }}"

    return ATTRIBUTES.sub(edit, text)


def _target_of(attributes: str) -> dict[str, str]:
    return dict(re.findall(r'"(target-cpu|target-features)"="([^"]*)"', attributes))


def _feature_set(features: str) -> set[str]:
    return {feature for feature in features.split(",") if feature.startswith("+")}


def without_scatters(text: str) -> str:
    """`text` with functions for processors that have AVX-512 told that scattered stores are dear.

    The adjoint of reading every k-th number is to add to every k-th, which loops make of one store after the other to
    places that they load from soon after. LLVM 22 makes gathers and scatters of that, whose loads wait for whole stores
    to be done: loops that took a third of the time without.
    """

    def edit(match: re.Match[str]) -> str:
        found = _target_of(match[2])
        features = found.get("target-features", "")
        if "prefer-no-scatter" in features or not (
            "+avx512f" in features or _WITH_AVX512.fullmatch(found.get("target-cpu", ""))
        ):
            return match[0]
        body = match[2].replace(f' "target-features"="{features}"', "") if features else match[2]
        told = ",".join([*([features] if features else []), "+prefer-no-scatter"])
        return f'attributes #{match[1]} = {{ {body} "target-features"="{told}" }}'

    return ATTRIBUTES.sub(edit, text)


def common_target(text: str) -> tuple[str, str]:
    """The (cpu, features) that most attribute groups name; empty when none does."""
    pairs = Counter(re.findall(r'"target-cpu"="([^"]*)"(?: "target-features"="([^"]*)")?', text))
    return max(pairs, key=lambda pair: (pairs[pair], pair)) if pairs else ("", "")


def drop_unused_personalities(text: str) -> str:
    """Remove `personality` where no landing pad needs it: two languages' personalities block inlining.

    What resumes an exception is out of reach there (rustc leaves it in what is built to abort).
    """
    parts = re.split(r"(?m)^(?=define )", text)
    for index, part in enumerate(parts):
        end = part.find("\n}\n")
        head_end = part.find("\n")
        if part.startswith("define ") and " personality " in part[:head_end]:
            body = part[head_end:end]
            if "landingpad" not in body and "cleanuppad" not in body and "catchswitch" not in body:
                head = re.sub(rf" personality ptr @{NAME}", "", part[:head_end])
                body = re.sub(r"(?m)^  resume \{[^\n]*", "  unreachable", body)
                parts[index] = head + body + part[end:]
    return "".join(parts)


def next_metadata(text: str) -> int:
    """The first number that no metadata node of a module has yet."""
    return 1 + max((int(number) for number in re.findall(r"(?m)^!(\d+) = ", text)), default=-1)


def inline_growth(text: str) -> str:
    """Inline what stands between Rust's vectors and their allocator: one function grows those of all types.

    It moves bytes, of which only its callers know the type; LLVM takes it for cold and leaves it a call.
    """
    groups: dict[str, str] = dict(ATTRIBUTES.findall(text))
    growing = {number for number, body in groups.items() if 'allockind("realloc' in body and '"__rust_alloc"' in body}
    called = {match[1] for match in _DECLARED.finditer(text) if match[2] in growing}
    for _ in range(_WRAPPERS):
        found = {}
        for match in _INTERNAL.finditer(text) if called else ():
            head, name, group, body = match.groups()
            words = groups.get(group, "").split(" ")
            if "noinline" not in words and any(f"{callee}(" in body for callee in called):
                found[name] = head
        for head in found.values():
            text = text.replace(head, head.replace(" unnamed_addr", " unnamed_addr alwaysinline", 1), 1)
        called = set(found)
    return text


def inlined(text: str, names: AbstractSet[str]) -> str:
    """`text` with definitions (names as they are written there) that are inlined wherever they are called."""
    groups: dict[str, str] = dict(ATTRIBUTES.findall(text))
    added: dict[str, int] = {}
    first = max(map(int, groups), default=-1) + 1

    def edit(match: re.Match[str]) -> str:
        if match[1] not in names:
            return match[0]
        group = re.search(r" #(\d+)", match[0])
        words = [word for word in groups.get(group[1], "").split(" ") if word not in _AGAINST] if group else []
        number = added.setdefault(" ".join(["alwaysinline", *words]), first + len(added))
        return re.sub(r" #\d+|(?= \{$|$)", f" #{number}", match[0], count=1)

    edited = _HEADER.sub(edit, text)
    return edited + "".join(f"\nattributes #{number} = {{ {words} }}\n" for words, number in added.items())


_AGAINST: Final = frozenset(["", "noinline", "optnone", "cold", "alwaysinline"])
_WRAPPERS: Final = 2
_DECLARED: Final = regex(rf"^declare [^\n]*?(@{NAME})\([^\n]*#(\d+)$", re.MULTILINE)
_INTERNAL: Final = regex(
    rf"^(define internal [^\n]*?(@{NAME})\([^\n]*? unnamed_addr #(\d+)[^\n]*\n)(.*?)^\}}", re.MULTILINE | re.DOTALL
)
EMPTY_GROUP: Final = '"enzyme-empty"'  # LLVM prints an empty group, and cannot read it


def allow_unrolling(text: str) -> str:
    """Turn the front end's `-fno-unroll-loops` marks into a property without meaning."""
    return text.replace('!{!"llvm.loop.unroll.disable"}', '!{!"enzyme.loop"}')


_TOP_LEVEL: Final = regex(rf"^(?:(define|declare) ([^\n]*?)@({NAME})\(|@({NAME}) = ([^\n]*))", re.MULTILINE)
_NOT_EXPORTED: Final = regex(r"^(?:[a-z_]+ )*?(?:private|internal) ")
_HIDDEN: Final = regex(r"^(?:[a-z_]+ )*?hidden ")


def symbols(text: str) -> tuple[set[str], set[str], set[str]]:
    """(defined, undefined, exported) global symbols: exported are the defined ones of default visibility."""
    defined: set[str] = set()
    undefined: set[str] = set()
    exported: set[str] = set()
    for match in _TOP_LEVEL.finditer(text):
        keyword, prefix, function, variable, properties = match.groups()
        name = unquote(function or variable)
        words = prefix if function else properties
        if name.startswith("llvm.") or _NOT_EXPORTED.match(words):
            continue
        linkage = found[1] if (found := _LINKAGE.match(words)) else ""
        if keyword == "declare" or linkage in {"external", "extern_weak", "available_externally"}:
            if linkage != "extern_weak" and "extern_weak" not in words.split("@")[0].split():
                undefined.add(name)
        else:
            defined.add(name)
            if not _HIDDEN.match(words.split("(")[0].split('"')[0]):
                exported.add(name)
    return defined, undefined - defined, exported


def with_linkage(text: str, linkage: str) -> set[str]:
    """The global symbols of that linkage."""
    found: set[str] = set()
    for match in _TOP_LEVEL.finditer(text):
        _, prefix, function, variable, properties = match.groups()
        own = _LINKAGE.match(prefix if function else properties)
        if own is not None and own[1] == linkage:
            found.add(unquote(function or variable))
    return found


def changing_inputs(text: str) -> str:
    """`text` without the promise that numbers in memory are always the same, which compilers of kernels (XLA, Dr.Jit)
    give for as long as the kernel runs: in one module with its callers it is said of their memory, which they change.
    (Of addresses it is left: those in virtual tables do not change.)"""
    return _INVARIANT.sub(r"\1", text) if "!invariant.load" in text else text


def used_internally(text: str, names: Collection[str]) -> str:
    """`text` with these variables internal, and listed as used by what LLVM does not see."""
    if not names:
        return text

    def edit(line: str, head: str, name: str) -> str:
        return f"{head}internal {_PLACEMENT.sub('', line[len(head) :])}" if name in names else line

    return listed_as_used(_edit_heads(text, edit), names)


def listed_as_used(text: str, names: Collection[str]) -> str:
    """`text` with these symbols among those that LLVM keeps, whoever uses them."""
    if not names:
        return text
    listed = _COMPILER_USED.search(text)
    entries = [*([listed[2]] if listed else []), *(f"ptr @{name}" for name in names)]
    count = len(names) + (int(listed[1]) if listed else 0)
    line = f'@llvm.compiler.used = appending global [{count} x ptr] [{", ".join(entries)}], section "llvm.metadata"\n'
    if listed:
        return text[: listed.start()] + line + text[listed.end() :]
    first = re.search(r"(?m)^@", text)
    at = first.start() if first else len(text)
    return text[:at] + line + text[at:]


def without_kept_variables(text: str, needle: str) -> str:
    """`text` where the compiler keeps of static variables only those with `needle` in their names.

    `-fkeep-persistent-storage-variables` kept them all, and what is kept cannot be optimised.
    """
    listed = re.search(r"(?m)^(@llvm\.compiler\.used = appending global )\[\d+ x ptr\] \[([^\n]*)\]([^\n\]]*)$", text)
    if listed is None:
        return text
    static = {match[1] for match in re.finditer(rf"(?m)^@({NAME}) = internal [^=\n]*?(?:global|constant) ", text)}
    entries = re.findall(rf"ptr @{NAME}|ptr [^@,]*\([^\n]*?\)", listed[2])
    kept = [entry for entry in entries if needle in entry or entry.removeprefix("ptr @") not in static]
    line = f"{listed[1]}[{len(kept)} x ptr] [{', '.join(kept)}]{listed[3]}\n" if kept else ""
    return text[: listed.start()] + line + text[listed.end() + 1 :]


def without_attribute(text: str, groups: AbstractSet[str], word: str) -> str:
    """`text` without the attribute `word` in the groups (`#5`)."""

    def edit(match: re.Match[str]) -> str:
        if f"#{match[1]}" not in groups:
            return match[0]
        body = " ".join(other for other in match[2].split(" ") if other != word)
        return f"attributes #{match[1]} = {{ {body or EMPTY_GROUP} }}"

    return ATTRIBUTES.sub(edit, text)


def with_attributes(text: str, words: Mapping[str, str]) -> str:
    """`text` with an attribute more for the definitions of these names."""

    def edit(match: re.Match[str]) -> str:
        word = words.get(unquote(match[1]))
        return match[0] if word is None else re.sub(r"(?= #\d+| \{$|$)", f" {word}", match[0], count=1)

    return _HEADER.sub(edit, text) if words else text


def apart_from_memory(text: str, word: str) -> str:
    """`text` in which functions without body whose names contain `word` touch no memory of the program: what was read
    in front of a call need not be read again."""
    words = "nocallback nounwind willreturn memory(inaccessiblemem: readwrite)"
    lines = re.compile(rf"^declare [^\n]*?@({NAME})\([^\n]*", re.MULTILINE)
    return lines.sub(lambda m: f"{m[0]} {words}" if word in m[1] else m[0], text) if word in text else text


def inline_definitions(text: str) -> frozenset[str]:
    """Names of functions that may be defined in several files."""
    return frozenset(unquote(name) for name in _INLINE.findall(text))


def opaque(text: str, names: AbstractSet[str]) -> tuple[str, dict[str, str]]:
    """`text` with the definitions of `names` replaceable, as it were: the optimiser knows nothing of them but how they
    are called, and inlines, specialises and drops none. Also what `transparent` needs to undo it."""
    changed: dict[str, str] = {}

    def edit(match: re.Match[str]) -> str:
        name = unquote(match[1])
        if name not in names:
            return match[0]
        rest = match[0][len("define ") :]
        linkage = _LINKAGE.match(rest)
        if linkage is not None and linkage[1] in {"weak", "available_externally"}:
            return match[0]
        changed[name] = linkage[0] if linkage is not None else ""
        return f"define weak {rest[len(changed[name]) :]}"

    return _DEFINE.sub(edit, text), changed


def transparent(text: str, linkages: Mapping[str, str]) -> str:
    """Give the definitions their linkage back."""

    def edit(match: re.Match[str]) -> str:
        name = unquote(match[1])
        if name not in linkages or not match[0].startswith("define weak "):
            return match[0]
        return f"define {linkages[name]}{match[0][len('define weak ') :]}"

    return _DEFINE.sub(edit, text)
