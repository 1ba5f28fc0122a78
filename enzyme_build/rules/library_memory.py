"""Memory that the library of C keeps, and writes in calls that are not given it: what was read may have changed.

It is not known which call writes what: most write `errno`, all that write to a stream may write its buffer.
"""

from __future__ import annotations

from typing import Final

from enzyme_build.regex import regex

from .inactive import LIBRARY_VARIABLES

_GIVEN: Final = {
    0: "fmemopen putenv setstate strtok strtok_r __strtok_r open_memstream open_wmemstream",
    1: """setvbuf setbuf setbuffer initstate initstate_r getopt getopt_long getopt_long_only
    open_memstream open_wmemstream""",
}
_KEPT: Final[dict[str, tuple[int, ...]]] = {
    name: tuple(at for at, names in _GIVEN.items() if name in names.split())
    for name in dict.fromkeys(" ".join(_GIVEN.values()).split())
}
_KEPT_BY_STREAMS: Final = (
    # basic_ios::init and rdbuf, setbuf and what it calls
    (regex(r"_ZNSt(9basic_ios|3__1(8ios_base|9basic_ios))\w*(4init|5rdbuf)EP"), (1,)),
    (regex(r"_ZNSt\w+6setbufEP[cw]l$"), (1,)),
    (regex(r"_ZNSt(?:3__1)?15basic_streambuf\w+4set[gp]EP"), (1, 2, 3)),
    # Constructors: what is no whole object gets its bases' tables, too
    (regex(r"_ZN(?:S[oid]|St\d*(?:3__1)?\d+basic_io?stream\w+)C1EP"), (1,)),
    (regex(r"_ZN(?:S[oid]|St\d*(?:3__1)?\d+basic_io?stream\w+)C2EP"), (2,)),
)


def kept_arguments(name: str) -> tuple[int, ...]:
    """The numbers of the arguments whose memory a function keeps for later calls."""
    if name.startswith("_ZNS"):
        return next((found for pattern, found in _KEPT_BY_STREAMS if pattern.match(name)), ())
    return _KEPT.get(name, ())


ERRNO: Final = ("__errno_location", "__error", "_errno", "__errno")
"""Functions of C libraries that give the address of the thread's errno."""
OWN: Final = frozenset(ERRNO) | frozenset(
    """__h_errno_location asctime ctime gmtime localtime strerror strsignal strtok
    getenv secure_getenv setlocale localeconv nl_langinfo dlerror readdir readdir64 gethostbyname gethostbyaddr
    getpwnam getpwuid getpwent getgrnam getgrgid getgrent getservbyname getservbyport getprotobyname inet_ntoa ttyname
    ctermid tmpnam getlogin ptsname l64a crypt ecvt fcvt qecvt qfcvt seed48 initstate setstate basename
    __xpg_basename dirname getdate""".split()  # noqa: SIM905
)
"""Functions that return memory of the library."""

_STREAMS: Final = ("std", "_Z")
WRITTEN_VARIABLES: Final = frozenset(name for name in LIBRARY_VARIABLES if not name.startswith(_STREAMS))
"""Variables of the library; those that hold a stream stay as they are."""

SIGN: Final = "signgam"
"""Where functions note the sign of the gamma function, whose logarithm they return."""

_INTO: Final = {
    0: """strchr strrchr strstr strcasestr strpbrk strchrnul index rindex memchr memrchr rawmemchr memmem wcschr strcpy
    strncpy strcat strncat stpcpy stpncpy __strcpy_chk __strncpy_chk __strcat_chk __strncat_chk __stpcpy_chk wcscpy
    wcsncpy wcscat fgets gets fgetws fgets_unlocked __fgets_chk __gets_chk strtok strtok_r getcwd""",
    1: "realpath localtime_r gmtime_r ctime_r asctime_r strerror_r",
}
RETURNED: Final = {name: at for at, names in _INTO.items() for name in names.split()}
"""Functions that return a pointer into what an argument leads to, and its number."""
