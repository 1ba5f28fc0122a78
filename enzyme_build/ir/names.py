"""Names as LLVM's text writes them: after a sigil, in quotes where a plain word would not do.

Inside quotes `\\HH` is a byte in hexadecimal; names are kept as `str` (undecodable bytes as surrogates), without
quotes, so that a key is the name of the symbol.
"""

from __future__ import annotations

from enzyme_build.regex import regex

_PLAIN = regex(r"[-a-zA-Z._][-a-zA-Z._0-9]*")
_ESCAPE = regex(r"\\([0-9A-Fa-f]{2})")


def quote(name: str) -> str:
    """`name` as it stands after a sigil."""
    if _PLAIN.fullmatch(name):
        return name
    return '"' + "".join(map(_escaped, name.encode("utf-8", "surrogateescape"))) + '"'


def _escaped(byte: int) -> str:
    if 0x20 <= byte < 0x7F and byte not in (0x22, 0x5C):
        return chr(byte)
    return f"\\{byte:02X}"


def unquote(text: str) -> str:
    """The name that `text` (without sigil) stands for."""
    if not text.startswith('"'):
        return text
    return unescape(text[1:-1])


def unescape(text: str) -> str:
    """Text between quotes with its `\\HH` resolved."""
    if "\\" not in text:
        return text
    raw = text.replace("\\\\", "\\5C").encode("utf-8", "surrogateescape").decode("latin-1")
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)), raw).encode("latin-1").decode("utf-8", "surrogateescape")


def global_text(name: str) -> str:
    """`@name`, quoted where needed."""
    return "@" + quote(name)


def local_text(name: str) -> str:
    """`%name`, quoted where needed."""
    return "%" + quote(name)
