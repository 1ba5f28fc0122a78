"""Functions of libc++ without derivative: streams, clocks, locks, what text is read as.

What it has of strings, sorts and shared pointers is differentiated by bodies (`cxx.bodies`). Its streams are templates
of which headers have a part, so that compiled code calls virtual functions of the library's buffers and locales itself:
those are known by their class and their place in its table (Itanium C++ ABI, 2.5: in the order of declaration, which
the standard gives for `basic_streambuf`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.regex import regex

from .inactive import GCOUNT
from .inactive_rows import Fill, Inactive, Why

if TYPE_CHECKING:
    import re

_STREAM: Final = Inactive(Why.IO, writes_from=0)
_CLASSES: Final = "ostream|istream|iostream|ifstream|ofstream|fstream|streambuf|filebuf|stringbuf|ios"
_OF: Final = rf"_ZNK?St3__1\d+basic_(?:{_CLASSES}|i?o?stringstream)I\w+?E"
_PATTERNS: Final[tuple[tuple[re.Pattern[str], Inactive], ...]] = tuple(
    (regex(pattern), row)
    for pattern, row in (
        # Bytes from a stream, which may be those of numbers: `read`, `xsgetn`, `readsome`
        (rf"{_OF}E4readEPcl$", Inactive(Why.IO, writes_from=0, fills=(Fill(1, counter=GCOUNT),))),
        (rf"{_OF}E(?:6xsgetn|8readsome)EPcl$", Inactive(Why.IO, writes_from=0, fills=(Fill(1, counted=True),))),
        # All others but `setbuf`, which keeps memory of the program
        (rf"(?!\w+E6setbufE){_OF}", _STREAM),
        (r"_ZNK?St3__1(?:8ios_base|6locale|5ctypeI)", _STREAM),
        (r"_ZNSt3__16chrono\d+\w+_clock3nowEv$", Inactive(Why.TIME)),
        (r"_ZNSt3__113random_device", Inactive(Why.RANDOM, writes_from=0)),
        # std::stoi(std::string const&, unsigned long*, int), std::stod …
        (r"_ZNSt3__1[45]sto(?:i|l|ul|ll|ull|f|d|ld)ERK", Inactive(Why.TEXT, frozenset([1]))),
        (r"_ZNK?St3__1(?:5mutex|15recursive_mutex|18condition_variable)", Inactive(Why.SYNC, writes_from=0)),
        (r"_ZNSt3__1(?:12__next_primeEm|13__hash_memoryEPKvm)$", Inactive(Why.RUNTIME)),
    )
)

_METHODS: Final = (
    # Characters to and from a buffer one by one, and its state; not what ends it, nor what takes or fills other memory
    (regex(r"_ZTSNSt3__115basic_streambufI"), frozenset(8 * slot for slot in (2, 6, 7, 9, 10, 11, 12, 13))),
    (regex(r"_ZTSNSt3__15ctypeI"), None),
)
"""Classes, and the offsets of functions in their tables (None: all)."""


def libcxx_function(name: str) -> Inactive | None:
    """The row of a function of libc++ without derivative."""
    if not name.startswith(("_ZNSt3__1", "_ZNKSt3__1")):
        return None
    return next((row for pattern, row in _PATTERNS if pattern.match(name)), None)


def libcxx_method(class_: str, offset: int) -> Inactive | None:
    """The row of the virtual function at `offset` in the tables of a class, where the library has it."""
    found = any(pattern.match(class_) and (places is None or offset in places) for pattern, places in _METHODS)
    return _STREAM if found else None
