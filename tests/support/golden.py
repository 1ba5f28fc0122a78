"""Golden tests: one file of LLVM text states a function, the derivative asked for, values, and lines of the result.

    ; DIFFERENTIATE: reverse @area(active, dup)        or: forward; const, active, dup, dupnoneed for each argument
    ; VALUE: (3.0, [1.0, 2.0], [0.0, 0.0]) -> (4.0, [3.0, 0.0])
    ; CHECK: fmul double %y, {{.*}}                    in this order, each in a line of its own
    ; CHECK-NEXT: …   ; CHECK-NOT: …   ; CHECK-COUNT 2: …
    ; LISTING: …                                       the whole text of the derivatives, written by --update

`VALUE` gives what a request passes: each dup argument (in forward mode each active one, too) is followed by its
shadow. Then come, in the order of the arguments, what the derivative returns or leaves behind: in reverse mode the
adjoint of an active argument and the shadow of a dup argument; in forward mode the tangent of the result, then the
shadows of memory. Lists are memory: of doubles, of i64 if whole numbers, of pointers if lists; `f32([…])` and
`i32([…])` for others. Values may be Python expressions with the functions of `math`.

The functions must be as the optimiser leaves them before differentiation: one return, loops with a preheader, values
used behind a loop through phis of its exit (LCSSA). The texts that are checked are those of the functions that the
pass added, with unnamed values written `%_` and numbers in decimal.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import struct
import subprocess  # noqa: TID251
import sys
from dataclasses import dataclass, field
from pathlib import Path

from enzyme_build.differentiate.engine import differentiate
from enzyme_build.ir.check import check_function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.printer import print_function, print_module
from enzyme_build.ir.types import VOID
from enzyme_build.llvm.context import parse_text
from enzyme_build.llvm.emit import emit_object
from enzyme_build.llvm.optimise import Target, after_differentiation, before_differentiation

CHILD = Path(__file__).with_name("golden_child.py")
_REQUEST = re.compile(r"(forward|reverse) @([\w.]+)\((.*)\)")
_DIRECTIVE = re.compile(r"; (DIFFERENTIATE|VALUE|CHECK|CHECK-NEXT|CHECK-NOT|CHECK-COUNT \d+|LISTING): ?(.*)")
_MARKERS = {"active": "enzyme_out", "dup": "enzyme_dup", "dupnoneed": "enzyme_dupnoneed", "const": "enzyme_const"}
_ENTRIES = {"reverse": "__enzyme_autodiff", "forward": "__enzyme_fwddiff"}


@dataclass
class Case:
    """One file, read."""

    path: Path
    text: str
    mode: str = ""
    function: str = ""
    activities: list[str] = field(default_factory=list)
    values: list[tuple[str, str]] = field(default_factory=list)
    checks: list[tuple[str, str]] = field(default_factory=list)
    listing: list[str] | None = None


def read_case(path: Path) -> Case:
    case = Case(path, path.read_text())
    for line in case.text.splitlines():
        match = _DIRECTIVE.match(line)
        if match is None:
            continue
        kind, rest = match[1], match[2]
        if kind == "DIFFERENTIATE":
            request = _REQUEST.fullmatch(rest.strip())
            assert request, f"{path}: cannot read {line!r}"
            case.mode, case.function = request[1], request[2]
            case.activities = [part.strip() for part in request[3].split(",") if part.strip()]
        elif kind == "VALUE":
            inputs, outputs = rest.split("->")
            case.values.append((inputs, outputs))
        elif kind == "LISTING":
            case.listing = [*(case.listing or []), rest]
        else:
            case.checks.append((kind, rest.strip()))
    assert case.function, f"{path}: no DIFFERENTIATE line"
    return case


# The request ---------------------------------------------------------------------------------------------------------


def request_text(case: Case) -> tuple[str, list[str], list[str]]:
    """A function `@golden(inputs, outputs)` that asks for the derivative; types of its inputs and results."""
    module = parse_module(case.text)
    primal = module.function(case.function)
    forward = case.mode == "forward"
    inputs: list[str] = []
    passed: list[str] = ["ptr @" + case.function]
    results: list[str] = []
    for argument, activity in zip(primal.arguments, case.activities, strict=True):
        passed.append(f"ptr @{_MARKERS['dup' if forward and activity == 'active' else activity]}")
        shadowed = activity.startswith("dup") or (forward and activity == "active")
        for _ in range(2 if shadowed else 1):
            passed.append(f"{argument.type} %in{len(inputs)}")
            inputs.append(str(argument.type))
        if activity == "active" and not forward:
            results.append(str(argument.type))
    if forward and primal.function_type.result is not VOID:
        results = [str(primal.function_type.result)]
    result = {0: "void", 1: results[0] if results else ""}.get(len(results), f"{{ {', '.join(results)} }}")
    lines = [f"@{marker} = external global i32" for marker in _MARKERS.values() if f"@{marker} =" not in case.text]
    entry = _ENTRIES[case.mode]
    if f"@{entry}(...)" not in case.text:
        lines.append(f"declare {result} @{entry}(...)")
    lines.append("define void @golden(ptr %inputs, ptr %outputs) {")
    for number, type_ in enumerate(inputs):
        lines.append(f"  %p{number} = getelementptr i8, ptr %inputs, i64 {16 * number}")
        lines.append(f"  %in{number} = load {type_}, ptr %p{number}, align 8")
    left = "" if result == "void" else "%r = "
    lines.append(f"  {left}call {result} (...) @{entry}({', '.join(passed)})")
    for number, type_ in enumerate(results):
        value = "%r"
        if len(results) > 1:
            value = f"%r{number}"
            lines.append(f"  {value} = extractvalue {result} %r, {number}")
        lines.append(f"  %o{number} = getelementptr i8, ptr %outputs, i64 {16 * number}")
        lines.append(f"  store {type_} {value}, ptr %o{number}, align 8")
    lines += ["  ret void", "}", ""]
    return "\n".join(lines), inputs, results


def derivative(case: Case) -> tuple[str, str, list[str], list[str]]:
    """The module with the derivative, the text of what the pass added, and the types of inputs and results."""
    request, inputs, results = request_text(case)
    text = case.text + "\n" + request
    parse_text(text, f"{case.path.name} with its request")
    module = parse_module(text)
    before = {function.name for function in module.functions}
    while differentiate(module):
        # Requests that differentiate derivatives: optimised in between, as everything is.
        optimised = parse_text(print_module(module), "the derivatives so far")
        before_differentiation(optimised, Target())
        module = parse_module(str(optimised))
    added = [f for f in module.functions if f.name not in before and not f.is_declaration]
    for function in added:
        assert check_function(module, function) == []
    listing = "\n".join(print_function(f) for f in added if not _is_runtime(f.name))
    return print_module(module), normalised(listing), inputs, results


def _is_runtime(name: str) -> bool:
    return re.match(r"enzyme_build\.(forward|reverse|augmented)", name) is None


def normalised(text: str) -> str:
    """Unnamed values as `%_`, names without needless quotes, hexadecimal doubles in decimal."""
    text = re.sub(r"%\d+\b", "%_", re.sub(r'@"([\w.]+)"', r"@\1", text))
    return re.sub(r"\b0x([0-9A-F]{16})\b", lambda match: repr(struct.unpack(">d", bytes.fromhex(match[1]))[0]), text)


# Lines ---------------------------------------------------------------------------------------------------------------


def check_lines(checks: list[tuple[str, str]], text: str) -> None:
    """As LLVM's FileCheck: each CHECK in some later line, CHECK-NOT in none between its neighbours."""
    lines = [line.strip() for line in text.splitlines()]
    at = 0
    forbidden: list[re.Pattern[str]] = []
    for kind, wanted in checks:
        pattern = _pattern(wanted)
        if kind == "CHECK-NOT":
            forbidden.append(pattern)
            continue
        if kind.startswith("CHECK-COUNT"):
            found = sum(1 for line in lines if pattern.search(line))
            assert found == int(kind.split()[1]), f"{found} lines with {wanted!r} in\n{text}"
            continue
        reach = [at] if kind == "CHECK-NEXT" else range(at, len(lines))
        position = next((n for n in reach if n < len(lines) and pattern.search(lines[n])), None)
        assert position is not None, f"{kind}: {wanted!r} not found from line {at + 1} of\n{text}"
        _refuse(forbidden, lines[at:position], text)
        forbidden = []
        at = position + 1
    _refuse(forbidden, lines[at:], text)


def _refuse(forbidden: list[re.Pattern[str]], lines: list[str], text: str) -> None:
    for pattern in forbidden:
        assert not any(pattern.search(line) for line in lines), f"CHECK-NOT: {pattern.pattern!r} found in\n{text}"


def _pattern(wanted: str) -> re.Pattern[str]:
    parts = re.split(r"\{\{(.*?)\}\}", wanted)
    return re.compile("".join(f"(?:{part})" if number % 2 else re.escape(part) for number, part in enumerate(parts)))


def write_listing(case: Case, listing: str) -> None:
    """Put the present text of the derivatives into the file."""
    kept = [line for line in case.text.splitlines() if not line.startswith("; LISTING:")]
    while kept and not kept[-1].strip():
        kept.pop()
    new = [f"; LISTING: {line}".rstrip() for line in listing.splitlines() if line.strip()]
    case.path.write_text("\n".join([*kept, "", *new]) + "\n")


# Values --------------------------------------------------------------------------------------------------------------


class Typed(list):
    """A list with the type of its elements."""

    def __init__(self, type_: str, values: list[float]) -> None:
        super().__init__(values)
        self.type = type_


NAMES = {name: getattr(math, name) for name in dir(math) if not name.startswith("_")} | {
    "f32": lambda values: Typed("float", values),
    "i32": lambda values: Typed("i32", values),
    "abs": abs,
    "f64": lambda bits: struct.unpack("d", struct.pack("q", bits))[0],
}


def evaluate(text: str) -> list[object]:
    value = eval(text, {"__builtins__": {}}, NAMES)
    return list(value) if isinstance(value, tuple) else [value]


def as_json(value: object) -> object:
    """Memory as {type, values} for the child."""
    if isinstance(value, list):
        if isinstance(value, Typed):
            type_ = value.type
        elif any(isinstance(v, list) for v in value):
            type_ = "ptr"
        else:
            type_ = "double" if any(isinstance(v, float) for v in value) else "i64"
        return {"type": type_, "values": [as_json(v) for v in value]}
    return value


def run_values(case: Case, derived: str, inputs: list[str], results: list[str], folder: Path) -> None:
    """Compile and run every VALUE line, each in the same process of its own."""
    module = parse_text(derived, "the derivative")
    target = Target()
    after_differentiation(module, target)
    (folder / "golden.o").write_bytes(emit_object(module, target))
    compiler = shutil.which("clang-22") or shutil.which("clang") or shutil.which("cc")
    assert compiler
    library = folder / "golden.so"
    subprocess.run([compiler, "-shared", "-o", library, folder / "golden.o", "-lm"], check=True)
    calls = [[as_json(v) for v in evaluate(given)] for given, _ in case.values]
    for given, (text, _) in zip(calls, case.values, strict=True):
        assert len(given) == len(inputs), f"{case.path.name}: {text} has {len(given)} values, not {len(inputs)}"
    job = {"library": str(library), "inputs": inputs, "results": results, "calls": calls}
    done = subprocess.run(
        [sys.executable, CHILD], input=json.dumps(job), capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stderr}"
    for (given, wanted), (returned, after) in zip(case.values, json.loads(done.stdout), strict=True):
        found = _in_order(case, returned, after)
        assert_close(found, [_plain(v) for v in evaluate(wanted)], f"{given} -> {found}")


def _in_order(case: Case, returned: list[object], after: list[object]) -> list[object]:
    """Returned adjoints and shadow memory in the order of the arguments."""
    forward = case.mode == "forward"
    rest, found = list(returned), []
    if forward and rest:
        found.append(rest.pop(0))
    at = 0
    for activity in case.activities:
        shadowed = activity.startswith("dup") or (forward and activity == "active")
        if activity == "active" and not forward:
            found.append(rest.pop(0))
        if shadowed and activity.startswith("dup") and isinstance(after[at + 1], list):
            found.append(after[at + 1])
        at += 2 if shadowed else 1
    return found


def _plain(value: object) -> object:
    return [_plain(v) for v in value] if isinstance(value, list) else value


def assert_close(found: object, wanted: object, what: str) -> None:
    if isinstance(wanted, list):
        assert isinstance(found, list), what
        assert len(found) == len(wanted), what
        for a, b in zip(found, wanted, strict=True):
            assert_close(a, b, what)
    else:
        assert not isinstance(found, list), what
        assert math.isclose(found, wanted, rel_tol=1e-6 if _single(found) else 1e-12, abs_tol=1e-12), what


def _single(value: float) -> bool:
    """Was it computed in single precision? Then its last 29 bits are zero."""
    return value != 0 and value == _rounded(value)


def _rounded(value: float) -> float:
    return struct.unpack("f", struct.pack("f", value))[0] if abs(value) < 1e38 else value
