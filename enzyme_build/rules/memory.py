"""Memory functions as data: what allocates, what frees, what copies and fills, and with which arguments.

For shadows: an allocation gets a shadow allocation by the same function with the same arguments, zeroed unless the
function does so; a deallocation frees the shadow by the same function; a copy copies the shadow; filling clears it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal

from enzyme_build.records import dataclass
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Allocation:
    """A function that returns fresh memory.

    The size in bytes is the product of the arguments `sizes`. `alignment` is the argument that gives it (None: fit
    for any type). With `reallocated` set, that argument's memory is given back and its content moved, of which the
    argument `old_size` tells the size, if there is one.
    With `stored` set, the pointer is not returned but stored behind that argument (`posix_memalign`).
    """

    sizes: tuple[int, ...]
    deallocator: str
    zeroed: bool = False
    alignment: int | None = None
    reallocated: int | None = None
    old_size: int | None = None
    stored: int | None = None
    may_be_null: bool = True
    freed_with: tuple[int, ...] = (-1,)
    """What the deallocator gets: arguments of the allocation by number, -1 for the memory itself."""


@dataclass(frozen=True, slots=True)
class Deallocation:
    """A function that gives memory back: `pointer` is the argument, the others (size, alignment) are plain numbers."""

    pointer: int = 0


@dataclass(frozen=True, slots=True)
class Transfer:
    """A copy (`source` set) or a fill with the byte `value`.

    `overlapping` tells memmove from memcpy. `returns`: what the call's result is, the destination, its end or nothing.
    `length` counts bytes.
    """

    destination: int
    length: int
    source: int | None = None
    value: int | None = None
    overlapping: bool = False
    returns: Literal["destination", "end", "nothing"] = "destination"


def _operator_new(size: str) -> dict[str, Allocation]:
    found: dict[str, Allocation] = {}
    for operator, delete in (("_Znw", "_ZdlPv"), ("_Zna", "_ZdaPv")):
        aligned = f"{delete}St11align_val_t"
        found[f"{operator}{size}"] = Allocation((0,), delete, may_be_null=False)
        found[f"{operator}{size}RKSt9nothrow_t"] = Allocation((0,), delete)
        found[f"{operator}{size}St11align_val_t"] = Allocation((0,), aligned, alignment=1, may_be_null=False)
        found[f"{operator}{size}St11align_val_tRKSt9nothrow_t"] = Allocation((0,), aligned, alignment=1)
    return found


_DELETE_ARGUMENTS: Final = (
    *("", "m", "j", "St11align_val_t", "mSt11align_val_t", "jSt11align_val_t"),
    *("RKSt9nothrow_t", "St11align_val_tRKSt9nothrow_t"),
)


def _malloc_family(prefix: str) -> dict[str, Allocation]:
    """Allocators that can stand beside the C library's, under names of their own."""
    free = f"{prefix}free"
    return {
        f"{prefix}malloc": Allocation((0,), free),
        f"{prefix}calloc": Allocation((0, 1), free, zeroed=True),
        f"{prefix}realloc": Allocation((1,), free, reallocated=0),
    }


_OTHER_ALLOCATORS: Final = ("je_", "tc_", "mi_", "scalable_")

ALLOCATIONS: Final[Mapping[str, Allocation]] = {
    "malloc": Allocation((0,), "free"),
    "__libc_malloc": Allocation((0,), "free"),
    "valloc": Allocation((0,), "free"),
    "pvalloc": Allocation((0,), "free"),
    "calloc": Allocation((0, 1), "free", zeroed=True),
    "__libc_calloc": Allocation((0, 1), "free", zeroed=True),
    "realloc": Allocation((1,), "free", reallocated=0),
    "__libc_realloc": Allocation((1,), "free", reallocated=0),
    "reallocarray": Allocation((1, 2), "free", reallocated=0),
    "aligned_alloc": Allocation((1,), "free", alignment=0),
    "memalign": Allocation((1,), "free", alignment=0),
    "posix_memalign": Allocation((2,), "free", alignment=1, stored=0),
    "_mm_malloc": Allocation((0,), "_mm_free", alignment=1),
    "mkl_malloc": Allocation((0,), "mkl_free", alignment=1),
    "fftw_malloc": Allocation((0,), "fftw_free"),
    **{name: row for prefix in _OTHER_ALLOCATORS for name, row in _malloc_family(prefix).items()},
    "g_malloc": Allocation((0,), "g_free", may_be_null=False),
    "g_malloc0": Allocation((0,), "g_free", zeroed=True, may_be_null=False),
    "g_malloc_n": Allocation((0, 1), "g_free", may_be_null=False),
    "g_malloc0_n": Allocation((0, 1), "g_free", zeroed=True, may_be_null=False),
    "g_realloc": Allocation((1,), "g_free", reallocated=0),
    **_operator_new("m"),
    **_operator_new("j"),
    "__rust_alloc": Allocation((0,), "__rust_dealloc", alignment=1),
    "__rust_alloc_zeroed": Allocation((0,), "__rust_dealloc", zeroed=True, alignment=1),
    "__rust_realloc": Allocation((3,), "__rust_dealloc", alignment=2, reallocated=0, old_size=1),
    # Our own derivatives, when they are differentiated again
    "enzyme_build.reserve": Allocation((1,), "free", may_be_null=False),
    "enzyme_build.arena_take": Allocation((1,), "enzyme_build.release", may_be_null=False),
    "enzyme_build.arena_grow": Allocation((3,), "enzyme_build.release", reallocated=1, old_size=2, may_be_null=False),
}

DEALLOCATIONS: Final[Mapping[str, Deallocation]] = dict.fromkeys(
    [
        *("free", "cfree", "__libc_free", "_mm_free", "mkl_free", "fftw_free", "g_free", "__rust_dealloc"),
        *("free_sized", "free_aligned_sized", *(f"{prefix}free" for prefix in _OTHER_ALLOCATORS)),
        "enzyme_build.release",
        *(f"{operator}{arguments}" for operator in ("_ZdlPv", "_ZdaPv") for arguments in _DELETE_ARGUMENTS),
    ],
    Deallocation(),
)

TRANSFERS: Final[Mapping[str, Transfer]] = {
    "memcpy": Transfer(0, 2, source=1),
    "__memcpy_chk": Transfer(0, 2, source=1),
    "memmove": Transfer(0, 2, source=1, overlapping=True),
    "__memmove_chk": Transfer(0, 2, source=1, overlapping=True),
    "mempcpy": Transfer(0, 2, source=1, returns="end"),
    "__mempcpy": Transfer(0, 2, source=1, returns="end"),
    "__mempcpy_chk": Transfer(0, 2, source=1, returns="end"),
    "bcopy": Transfer(1, 2, source=0, overlapping=True, returns="nothing"),
    "memset": Transfer(0, 2, value=1),
    "__memset_chk": Transfer(0, 2, value=1),
    "bzero": Transfer(0, 1, returns="nothing"),
    "explicit_bzero": Transfer(0, 1, returns="nothing"),
    # Put behind calls that read numbers from outside into memory
    "enzyme_build.overwritten": Transfer(0, 1, returns="nothing"),
    "llvm.memcpy": Transfer(0, 2, source=1, returns="nothing"),
    "llvm.memcpy.inline": Transfer(0, 2, source=1, returns="nothing"),
    "llvm.memcpy.element.unordered.atomic": Transfer(0, 2, source=1, returns="nothing"),
    "llvm.memmove": Transfer(0, 2, source=1, overlapping=True, returns="nothing"),
    "llvm.memmove.element.unordered.atomic": Transfer(0, 2, source=1, overlapping=True, returns="nothing"),
    "llvm.memset": Transfer(0, 2, value=1, returns="nothing"),
    "llvm.memset.inline": Transfer(0, 2, value=1, returns="nothing"),
    "llvm.memset.element.unordered.atomic": Transfer(0, 2, value=1, returns="nothing"),
}

# rustc's hashed names end in the plain one: _RNvCs…_7___rustc12___rust_alloc
RUST_BUFFER: Final = regex(r"_ZN5alloc7raw_vec19RawVec\$LT\$T\$C\$A\$GT\$|_R\w*5alloc7raw_vecI\w*?_6RawVec")
"""Methods of the buffer of a `Vec<T>`, in both ways of rustc to write names."""
_RUST: Final = regex(r"(_RNv\w*7___rustc)\d+_(__rust_(?:alloc_zeroed|alloc|dealloc|realloc))")
_OVERLOADS: Final = regex(r"(?:\.(?:p\d+|i\d+))+$")

Memory = Allocation | Deallocation | Transfer


def memory_function(name: str) -> Memory | None:
    """What the symbol does to memory as a whole; None for any other function."""
    if name.startswith("llvm."):
        return TRANSFERS.get(_OVERLOADS.sub("", name)) if name.startswith("llvm.mem") else None
    if name.startswith("_R") and (match := _RUST.fullmatch(name)):
        known = ALLOCATIONS.get(match[2])
        return replace(known, deallocator=f"{match[1]}14___rust_dealloc") if known else Deallocation()
    return ALLOCATIONS.get(name) or DEALLOCATIONS.get(name) or TRANSFERS.get(name)


_ALLOCKIND: Final = regex(r'allockind\("([^"]*)"\)')
_ALLOCSIZE: Final = regex(r"allocsize\((\d+)(?:,\s*(\d+))?\)")
_WORDS: Final = regex(r"[\w-]+")


def memory_function_by_attributes(
    attributes: str, parameters: Sequence[str], deallocator: str = ""
) -> Allocation | Deallocation | None:
    """The same from LLVM's attributes `allockind`, `allocsize`, `allocptr`, `allocalign`, whatever the name.

    `attributes` is the function's attribute text with groups expanded, `parameters` that of each parameter,
    `deallocator` the symbol that frees the family, if the caller found one.
    """
    kind = _ALLOCKIND.search(attributes)
    if kind is None:
        return None
    kinds = kind[1].split(",")
    marked = [set(_WORDS.findall(text)) for text in parameters]
    pointer = next((at for at, words in enumerate(marked) if "allocptr" in words), None)
    if "free" in kinds:
        return Deallocation(pointer or 0)
    size = _ALLOCSIZE.search(attributes)
    if size is None or not {"alloc", "realloc"} & set(kinds):
        return None
    return Allocation(
        sizes=tuple(int(argument) for argument in size.groups() if argument is not None),
        deallocator=deallocator,
        zeroed="zeroed" in kinds,
        alignment=next((at for at, words in enumerate(marked) if "allocalign" in words), None),
        reallocated=pointer if "realloc" in kinds else None,
    )
