"""Functions of the `printf` family: which argument is the format."""

from __future__ import annotations

from typing import Final

_NAMES: Final = {
    0: "printf vprintf wprintf iprintf __isoc23_printf warn warnx",
    1: """fprintf vfprintf dprintf vdprintf fwprintf sprintf vsprintf siprintf asprintf vasprintf __printf_chk
    __vprintf_chk syslog""",
    2: """snprintf vsnprintf __fprintf_chk __vfprintf_chk __dprintf_chk __vdprintf_chk __asprintf_chk __vasprintf_chk
    error""",
    3: "__sprintf_chk __vsprintf_chk",
    4: "__snprintf_chk __vsnprintf_chk error_at_line",
}
FORMATS: Final = {name: at for at, names in _NAMES.items() for name in names.split()}
"""By name, the number of the argument; those behind it are printed."""

TAKES_LIST: Final = frozenset(name for name in FORMATS if "v" in name)
"""Those that are given a `va_list` of what is printed."""
