"""The words of LLVM's assembly that the reader, the builder and the checker know."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FLOAT_BINARY: Final = _words("fadd fsub fmul fdiv frem")
INTEGER_BINARY: Final = _words("add sub mul udiv sdiv urem srem shl lshr ashr and or xor")
CASTS: Final = _words(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint ptrtoaddr inttoptr bitcast addrspacecast"
)
INTEGER_PREDICATES: Final = _words("eq ne ugt uge ult ule sgt sge slt sle")
FLOAT_PREDICATES: Final = _words("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true")
FAST_MATH: Final = _words("fast nnan ninf nsz arcp contract afn reassoc")
FLAGS: Final = FAST_MATH | _words("nuw nsw exact disjoint samesign nneg")
CONVENTIONS: Final = _words(
    "ccc fastcc coldcc ghccc hhvmcc tailcc swiftcc swifttailcc preserve_mostcc preserve_allcc preserve_nonecc "
    "cxx_fast_tlscc anyregcc cfguard_checkcc win64cc x86_64_sysvcc x86_stdcallcc x86_fastcallcc x86_thiscallcc "
    "x86_vectorcallcc x86_regcallcc intel_ocl_bicc aarch64_vector_pcs spir_kernel spir_func ptx_kernel "
    "ptx_device amdgpu_kernel"
)
CONSTANT_WORDS: Final = _words(
    "null undef poison true false zeroinitializer none splat asm blockaddress dso_local_equivalent no_cfi ptrauth"
)
"""Words that begin a constant, and so end a list of attributes."""
CONSTANT_EXPRESSIONS: Final = (
    CASTS
    | FLOAT_BINARY
    | INTEGER_BINARY
    | _words("getelementptr icmp fcmp select extractelement insertelement shufflevector extractvalue insertvalue fneg")
)
