"""Runs `golden(inputs, outputs)` of a shared library on values given as JSON; a crash ends only this process."""

from __future__ import annotations

import ctypes
import json
import struct
import sys

FORMATS = {"double": "d", "float": "f", "i64": "q", "i32": "i", "i8": "b", "i1": "?", "ptr": "Q"}


def memory(value, keep):
    """(buffer, description) of a list; buffers of nested lists are kept alive in `keep`."""
    type_ = value["type"]
    inner = [memory(v, keep) if type_ == "ptr" else None for v in value["values"]]
    plain = [ctypes.addressof(m[0]) for m in inner] if type_ == "ptr" else value["values"]
    data = b"".join(struct.pack(FORMATS[type_], v) for v in plain)
    buffer = ctypes.create_string_buffer(data, max(len(data), 1))
    keep.append(buffer)
    return buffer, type_, len(plain), inner


def contents(described):
    buffer, type_, count, inner = described
    if type_ == "ptr":
        return [contents(m) for m in inner]
    size = struct.calcsize(FORMATS[type_])
    return [struct.unpack_from(FORMATS[type_], buffer.raw, n * size)[0] for n in range(count)]


def main():
    job = json.load(sys.stdin)
    golden = ctypes.CDLL(job["library"]).golden
    golden.restype = None
    answers = []
    for call in job["calls"]:
        keep = []
        inputs = ctypes.create_string_buffer(16 * (len(call) + 1))
        described = [memory(v, keep) if isinstance(v, dict) else v for v in call]
        for number, (type_, value) in enumerate(zip(job["inputs"], described, strict=True)):
            scalar = ctypes.addressof(value[0]) if isinstance(value, tuple) else value
            struct.pack_into(FORMATS[type_], inputs, 16 * number, scalar)
        outputs = ctypes.create_string_buffer(16 * (len(job["results"]) + 1))
        golden(inputs, outputs)
        returned = [
            struct.unpack_from(FORMATS[type_], outputs.raw, 16 * n)[0] for n, type_ in enumerate(job["results"])
        ]
        answers.append([returned, [contents(v) if isinstance(v, tuple) else v for v in described]])
    print(json.dumps(answers))


main()
