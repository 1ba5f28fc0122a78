"""Operations on whole vectors as arithmetic and shuffles: LLVM's reductions, and x86 instructions that programs name.

What `immintrin.h` leaves as `llvm.x86.…` after clang has turned most of it into ordinary vector code. The scalar forms
(`.ss`, `.sd`) work on lane 0 and hand on the other lanes of their first operand. The processor's minimum and maximum
return the second operand where one is NaN. Forms with a rounding mode are rewritten where it is the default one.

None of these rewritings changes a value, so later passes find the instruction again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir.types import FLOAT, HALF, I32, IntType, VectorType, int_type, vector_type
from enzyme_build.ir.values import ConstantAggregate, ConstantInt, Value, const_int, poison, zero
from enzyme_build.regex import regex
from enzyme_build.rules.names import spelling

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from enzyme_build.ir import instructions as ir
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module

_NAME: Final = regex(r"x86\.(?:sse\d*|avx\d*|fma|avx512)\.(mask\.)?([a-z0-9]+)\.(ps|pd|ss|sd|sf|df)(?:\.(\d+))?")
_DEFAULT_ROUNDING: Final = (4, 8)


def plain_vector(module: Module, builder: Builder, call: ir.Call, name: str) -> Value | None:
    """The value of the intrinsic `llvm.<name>` in plainer instructions; None where there is none."""
    vectors = _Vectors(module, builder, call)
    if name.startswith("vector.reduce.f"):
        return vectors.reduce(name.split(".")[2])
    if name.startswith("fptrunc.round."):
        return builder.cast("fptrunc", call.arguments[0], call.type)
    if not name.startswith("x86."):
        return None
    if name in _SPECIAL:
        return _SPECIAL[name](vectors)
    match = _NAME.fullmatch(name)
    if match is None or match[1]:
        return None
    rewrite = _OPERATIONS.get(match[2])
    return rewrite(vectors, match[3]) if rewrite else None


class _Vectors:
    """The vector code for one call."""

    def __init__(self, module: Module, builder: Builder, call: ir.Call) -> None:
        self.module = module
        self.b = builder
        self.call = call
        self.arguments: Sequence[Value] = call.arguments

    # Reductions ----------------------------------------------------------------------------------------------------

    def reduce(self, operation: str) -> Value | None:
        """Pairs of halves where the order is free, otherwise lane by lane from the start value on."""
        vector = self.arguments[-1]
        assert isinstance(vector.type, VectorType)
        if vector.type.scalable:
            return None
        lanes: list[Value] = [self.b.extract_element(vector, lane) for lane in range(vector.type.count)]
        ordered = operation in ("fadd", "fmul") and "reassoc" not in self.call.flags and "fast" not in self.call.flags
        if ordered:
            total = self.arguments[0]
            for lane in lanes:
                total = self.b.binary(operation, total, lane, self.call.flags)
            return total
        while len(lanes) > 1:
            half = len(lanes) // 2
            pairs = zip(lanes[:half], lanes[half : 2 * half], strict=True)
            lanes = [self._combine(operation, a, b) for a, b in pairs] + lanes[2 * half :]
        if operation in ("fadd", "fmul"):
            return self._combine(operation, self.arguments[0], lanes[0])
        return lanes[0]

    def _combine(self, operation: str, a: Value, b: Value) -> Value:
        if operation in ("fadd", "fmul"):
            return self.b.binary(operation, a, b, self.call.flags)
        names = {"fmaximum": "maximum", "fminimum": "minimum", "fmaximumnum": "maximumnum", "fminimumnum": "minimumnum"}
        return self.function(names.get(operation, operation), a, b)

    def function(self, name: str, *arguments: Value) -> Value:
        """A function of the rule tables."""
        callee = spelling(name, arguments[0].type)
        assert callee is not None
        declared = self.module.declare(callee.name, callee.type, callee.attributes)
        return self.b.call(declared, list(arguments), flags=self.call.flags)

    # Shuffles ------------------------------------------------------------------------------------------------------

    def shuffle(self, a: Value, b: Value, lanes: Sequence[int]) -> Value:
        type_ = vector_type(I32, len(lanes))
        members = [const_int(I32, lane) for lane in lanes]
        mask = ConstantAggregate(type_, f"<{', '.join(f'i32 {lane}' for lane in lanes)}>", members)
        return self.b.shuffle_vector(a, b, mask)

    def lane_zero(self, computed: Value) -> Value:
        """Lane 0 of `computed`, the other lanes of the first operand."""
        count = self._count(computed)
        return self.shuffle(computed, self.arguments[0], [0, *range(count + 1, 2 * count)])

    @staticmethod
    def _count(vector: Value) -> int:
        assert isinstance(vector.type, VectorType)
        return vector.type.count

    def _group(self, vector: Value) -> int:
        """Lanes in 128 bits, in which most x86 instructions stay."""
        return 128 // vector.type.scalar.bits  # type: ignore[attr-defined, no-any-return]

    def number(self, at: int) -> int | None:
        constant = self.arguments[at] if at < len(self.arguments) else None
        return constant.value if isinstance(constant, ConstantInt) else None

    # Arithmetic ----------------------------------------------------------------------------------------------------

    def add_or_subtract(self, _: str) -> Value:
        """Even lanes are subtracted, odd ones added."""
        a, b = self.arguments
        count = self._count(a)
        lanes = [lane + (lane % 2) * count for lane in range(count)]
        return self.shuffle(self.b.fsub(a, b), self.b.fadd(a, b), lanes)

    def multiply_and_alternate(self, _: str) -> Value | None:
        if len(self.arguments) > 3 and self.number(3) not in _DEFAULT_ROUNDING:
            return None
        a, b, c = self.arguments[:3]
        count = self._count(a)
        lanes = [lane + (lane % 2) * count for lane in range(count)]
        return self.shuffle(self.function("fma", a, b, self.b.fneg(c)), self.function("fma", a, b, c), lanes)

    def horizontal(self, operation: str) -> Value:
        """Neighbours of the first, then of the second operand, in each 128 bits."""
        a, b = self.arguments
        count, group = self._count(a), self._group(a)
        even: list[int] = []
        for start in range(0, count, group):
            for side in (0, count):
                even += [side + start + lane for lane in range(0, group, 2)]
        return self.b.binary(operation, self.shuffle(a, b, even), self.shuffle(a, b, [lane + 1 for lane in even]))

    def choose(self, predicate: str, form: str) -> Value | None:
        if len(self.arguments) > 2 and self.number(2) not in _DEFAULT_ROUNDING:
            return None
        a, b = self.arguments[:2]
        chosen = self.b.select(self.b.fcmp(predicate, a, b), a, b)
        return self.lane_zero(chosen) if form in ("ss", "sd") else chosen

    def arithmetic(self, operation: str, form: str) -> Value | None:
        if form not in ("ps", "pd") or self.number(2) not in _DEFAULT_ROUNDING:
            return None
        return self.b.binary(operation, self.arguments[0], self.arguments[1])

    def root(self, form: str) -> Value | None:
        if form not in ("ps", "pd") or self.number(1) not in _DEFAULT_ROUNDING:
            return None
        return self.function("sqrt", self.arguments[0])

    def rounded(self, form: str) -> Value | None:
        mode = self.number(len(self.arguments) - 1)
        if mode is None:
            return None
        functions = ["roundeven", "floor", "ceil", "trunc"]
        name = ("nearbyint" if mode & 8 else "rint") if mode & 4 else functions[mode & 3]
        value = self.function(name, self.arguments[-2])
        return self.lane_zero(value) if form in ("ss", "sd") else value

    def approximate(self, name: str, form: str) -> Value | None:
        """`rcpss` and `rsqrtss` by the instruction for all lanes, which has a row."""
        if form != "ss":
            return None
        vector = self.arguments[0]
        callee = self.module.declare(f"llvm.x86.sse.{name}.ps", self.call.function_type)
        return self.lane_zero(self.b.call(callee, [vector]))

    def dot_product(self) -> Value | None:
        """In each 128 bits: the chosen products' sum, in the chosen lanes."""
        a, b = self.arguments[:2]
        mask = self.number(2)
        if mask is None:
            return None
        count, group = self._count(a), self._group(a)
        products = self.b.fmul(a, b)
        result: Value = zero(a.type)
        for start in range(0, count, group):
            terms = [
                self.b.extract_element(products, start + lane) if mask >> (4 + lane) & 1 else None
                for lane in range(group)
            ]
            total = self._sum([self._sum(terms[at : at + 2]) for at in range(0, group, 2)])
            for lane in range(group):
                if total is not None and mask >> lane & 1:
                    result = self.b.insert_element(result, total, start + lane)
        return result

    def _sum(self, terms: Sequence[Value | None]) -> Value | None:
        total: Value | None = None
        for term in terms:
            if term is not None:
                total = term if total is None else self.b.fadd(total, term)
        return total

    # Conversions ---------------------------------------------------------------------------------------------------

    def narrow(self) -> Value:
        return self.b.cast("fptrunc", self.arguments[0], self.call.type)

    def narrow_low(self) -> Value:
        """Two numbers become half of the result; the other half is zero."""
        narrow = self.b.cast("fptrunc", self.arguments[0], vector_type(FLOAT, 2))
        return self.shuffle(narrow, zero(narrow.type), range(4))

    def narrow_scalar(self) -> Value:
        number = self.b.cast("fptrunc", self.b.extract_element(self.arguments[1], 0), FLOAT)
        return self.b.insert_element(self.arguments[0], number, 0)

    def to_half(self) -> Value | None:
        """The bits of half precision, in integers; four numbers fill half of the result."""
        vector = self.arguments[0]
        if self.number(1) not in (0, 4, 8):
            return None
        halves: Value = self.b.cast("fptrunc", vector, vector_type(HALF, self._count(vector)))
        bits = self.b.cast("bitcast", halves, vector_type(int_type(16), self._count(vector)))
        if bits.type is self.call.type:
            return bits
        return self.shuffle(bits, zero(bits.type), range(2 * self._count(vector)))

    # Permutations by indices that are not constant --------------------------------------------------------------------

    def permute(self, _: str) -> Value | None:
        """Any lane of the first operand, by the second."""
        vector, indices = self.arguments
        return self._gathered(vector, indices, lambda index, _: self._masked(index, self._count(vector) - 1))

    def permute_within(self, _: str) -> Value | None:
        """A lane of the same 128 bits; for doubles it is bit 1 that chooses."""
        vector, indices = self.arguments
        group = self._group(vector)

        def source(index: Value, lane: int) -> Value:
            if group == 2:
                index = self.b.binary("lshr", index, const_int(index.type, 1))
            start = lane - lane % group
            return self.b.binary("or", self._masked(index, group - 1), const_int(index.type, start))

        return self._gathered(vector, indices, source)

    def _masked(self, index: Value, mask: int) -> Value:
        return self.b.binary("and", index, const_int(index.type, mask))

    def _gathered(self, vector: Value, indices: Value, source: Callable[[Value, int], Value]) -> Value | None:
        if not isinstance(indices.type, VectorType) or not isinstance(indices.type.element, IntType):
            return None
        result: Value = poison(self.call.type)
        for lane in range(self._count(vector)):
            at = source(self.b.extract_element(indices, lane), lane)
            result = self.b.insert_element(result, self.b.extract_element(vector, at), lane)
        return result


_OPERATIONS: Final[dict[str, Callable[[_Vectors, str], Value | None]]] = {
    "addsub": _Vectors.add_or_subtract,
    "vfmaddsub": _Vectors.multiply_and_alternate,
    "hadd": lambda v, _: v.horizontal("fadd"),
    "hsub": lambda v, _: v.horizontal("fsub"),
    "min": lambda v, form: v.choose("olt", form),
    "max": lambda v, form: v.choose("ogt", form),
    "add": lambda v, form: v.arithmetic("fadd", form),
    "sub": lambda v, form: v.arithmetic("fsub", form),
    "mul": lambda v, form: v.arithmetic("fmul", form),
    "div": lambda v, form: v.arithmetic("fdiv", form),
    "sqrt": _Vectors.root,
    "round": _Vectors.rounded,
    "rcp": lambda v, form: v.approximate("rcp", form),
    "rsqrt": lambda v, form: v.approximate("rsqrt", form),
    "vpermilvar": _Vectors.permute_within,
    "permvar": _Vectors.permute,
}

_SPECIAL: Final[dict[str, Callable[[_Vectors], Value | None]]] = {
    "x86.sse41.dpps": _Vectors.dot_product,
    "x86.sse41.dppd": _Vectors.dot_product,
    "x86.avx.dp.ps.256": _Vectors.dot_product,
    "x86.avx.cvt.pd2.ps.256": _Vectors.narrow,
    "x86.sse2.cvtpd2ps": _Vectors.narrow_low,
    "x86.sse2.cvtsd2ss": _Vectors.narrow_scalar,
    "x86.vcvtps2ph.128": _Vectors.to_half,
    "x86.vcvtps2ph.256": _Vectors.to_half,
    "x86.avx2.permps": lambda v: v.permute("ps"),
}
