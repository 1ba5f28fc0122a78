"""flang's codes of element types in descriptors (CFI_type_… of ISO_Fortran_binding.h), by kind."""

from __future__ import annotations

from typing import Final

REALS: Final = {2: 25, 3: 26, 4: 27, 8: 28, 10: 29, 16: 31}
COMPLEX: Final = {kind: code + 7 for kind, code in REALS.items()}
INTEGERS: Final = {1: 7, 2: 8, 4: 9, 8: 10, 16: 11}
UNSIGNED: Final = {kind: code + 38 for kind, code in INTEGERS.items()}
LOGICALS: Final = {1: 39, 2: 13, 4: 14, 8: 15}
"""As compiled code has them."""
LIBRARY_LOGICALS: Final = {2: 18, 4: 19, 8: 20}
"""As the runtime library has them. A descriptor may hold either."""
CHARACTERS: Final = {1: 40, 2: 43, 4: 44}
DERIVED: Final = 42
