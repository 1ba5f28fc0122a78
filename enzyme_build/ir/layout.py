"""Sizes, alignments and offsets of types under a module's data layout string.

Source: LLVM language reference, "Data Layout". Sizes are in bytes: `store_size` is what a store writes,
`alloc_size` the distance between array elements.
"""

from __future__ import annotations

import re

from .types import (
    ArrayType,
    FloatType,
    IntType,
    NamedStructType,
    PointerType,
    StructType,
    Type,
    VectorType,
)

_DEFAULT_INT_ALIGN = {1: 1, 8: 1, 16: 2, 32: 4, 64: 8}
_DEFAULT_FLOAT_ALIGN = {16: 2, 32: 4, 64: 8, 80: 16, 128: 16}


def _round_up(value: int, alignment: int) -> int:
    return (value + alignment - 1) // alignment * alignment


class DataLayout:
    """Answers size and offset questions; one per module."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self._int_align = dict(_DEFAULT_INT_ALIGN)
        self._float_align = dict(_DEFAULT_FLOAT_ALIGN)
        self._pointer: dict[int, tuple[int, int]] = {0: (8, 8)}
        for part in text.split("-"):
            self._read(part)
        self._alloc_sizes: dict[Type, int] = {}
        self._offsets: dict[Type, tuple[tuple[int, ...], int]] = {}

    def _read(self, part: str) -> None:
        if match := re.fullmatch(r"i(\d+):(\d+)(?::\d+)?", part):
            self._int_align[int(match[1])] = int(match[2]) // 8
        elif match := re.fullmatch(r"f(\d+):(\d+)(?::\d+)?", part):
            self._float_align[int(match[1])] = int(match[2]) // 8
        elif match := re.fullmatch(r"p(\d*):(\d+):(\d+)(?::\d+)*", part):
            self._pointer[int(match[1] or 0)] = (int(match[2]) // 8, int(match[3]) // 8)

    def pointer_size(self, address_space: int = 0) -> int:
        return self._pointer.get(address_space, self._pointer[0])[0]

    def store_size(self, type_: Type) -> int:
        match type_:
            case IntType() | FloatType():
                return (type_.bits + 7) // 8
            case VectorType():
                bits = self.bit_size(type_.element) * type_.count
                return (bits + 7) // 8
            case _:
                return self.alloc_size(type_)

    def bit_size(self, type_: Type) -> int:
        if isinstance(type_, IntType | FloatType):
            return type_.bits
        return self.store_size(type_) * 8

    def alignment(self, type_: Type) -> int:
        """ABI alignment."""
        match type_:
            case IntType():
                known = self._int_align.get(type_.bits)
                if known is not None:
                    return known
                larger = [bits for bits in self._int_align if bits >= type_.bits]
                return self._int_align[min(larger) if larger else max(self._int_align)]
            case FloatType():
                return self._float_align.get(type_.bits, 16)
            case PointerType():
                return self._pointer.get(type_.address_space, self._pointer[0])[1]
            case VectorType():
                size = self.store_size(type_)
                return 1 << max(0, (size - 1).bit_length())
            case ArrayType():
                return self.alignment(type_.element)
            case StructType() | NamedStructType():
                if type_.packed or not type_.fields:
                    return 1
                return max(self.alignment(field) for field in type_.fields)
            case _:
                return 1

    def alloc_size(self, type_: Type) -> int:
        known = self._alloc_sizes.get(type_)
        if known is None:
            known = self._alloc_sizes[type_] = self._alloc_size(type_)
        return known

    def _alloc_size(self, type_: Type) -> int:
        match type_:
            case PointerType():
                return self.pointer_size(type_.address_space)
            case ArrayType():
                return self.alloc_size(type_.element) * type_.count
            case StructType() | NamedStructType():
                return self._struct(type_)[1]
            case IntType() | FloatType() | VectorType():
                return _round_up(self.store_size(type_), self.alignment(type_))
            case _:
                return 0

    def _struct(self, type_: StructType | NamedStructType) -> tuple[tuple[int, ...], int]:
        known = self._offsets.get(type_)
        if known is None:
            offsets: list[int] = []
            at = 0
            for field in type_.fields or ():
                if not type_.packed:
                    at = _round_up(at, self.alignment(field))
                offsets.append(at)
                at += self.alloc_size(field)
            known = self._offsets[type_] = (tuple(offsets), _round_up(at, self.alignment(type_)))
        return known

    def field_offset(self, type_: Type, index: int) -> int:
        """Offset in bytes of member `index` of an array, vector or struct."""
        if isinstance(type_, ArrayType):
            return self.alloc_size(type_.element) * index
        if isinstance(type_, VectorType):
            return self.store_size(type_.element) * index
        if isinstance(type_, StructType | NamedStructType):
            return self._struct(type_)[0][index]
        raise ValueError(f"{type_} has no members")
