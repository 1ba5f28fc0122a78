"""Optimise: LLVM's pipelines before and after differentiation.

Before: everything that makes less to differentiate (inlining, mem2reg, GVN, LICM), nothing that hides types or
structure (vectorisation, unrolling), then canonical shapes in this order: one exit block per function (it may add
blocks), loops simplified (preheader, one latch, own exits: needs the final blocks), LCSSA last (it only adds phis, and
every other pass may break it).
After: everything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from enzyme_build.llvm.engine import Target, engine

if TYPE_CHECKING:
    from enzyme_build.llvm.context import Module


def of_machine(target: Target) -> Target:
    """As the code generator wants it, which would not even allocate registers well at level 0."""
    return replace(target, level=max(target.level, 1))


def host_target(cpu: str) -> tuple[str, str]:
    """`native` as a CPU name with its features; any other name as it is."""
    return engine().host() if cpu == "native" else (cpu, "")


def before_differentiation(module: Module, target: Target) -> None:
    if any(function.name.startswith("llvm.matrix.") for function in module.functions):
        _lower_matrices()
    engine().run_pipeline(module, of_machine(target), level=2, vectorise=False)
    _canonicalise(module, target)


def baseline_before_differentiation(module: Module, target: Target) -> None:
    """The least that differentiation can start from: values in registers and canonical loops. What has to be inlined is
    (templates around requests), and nothing else."""
    engine().run_passes(module, of_machine(target), ("always-inline",))
    engine().run_passes(module, of_machine(target), ("sroa", "simplifycfg"))
    _canonicalise(module, target)


def after_differentiation(module: Module, target: Target) -> None:
    """At -O2 and above O2 with vectorisers; -O0 still optimises, or a derivative would be all stack traffic.

    O3 adds nothing to derivatives: the benchmarks take the same time within a few per cent, and compiling them a tenth
    more.
    """
    _keep_copies_in_loops()
    level = 2 if target.level >= 2 else 1
    engine().run_pipeline(module, of_machine(target), level=level, vectorise=level > 1)


def instrument(module: Module, target: Target, text: str) -> None:
    """Do what sanitizers do to functions of the program, which its `text` says are to be watched, as far as the LLVM in
    use can: llvmlite's has no such passes."""
    passes = [name for word, names in _SANITIZERS.items() if word in text for name in names]
    if passes and all(map(engine().has_pass, passes)):
        engine().run_passes(module, of_machine(target), passes)


_SANITIZERS: Final = {
    " sanitize_address": ("asan",),
    " sanitize_hwaddress": ("hwasan",),
    " sanitize_memory": ("msan",),
    " sanitize_thread": ("tsan-module", "function(tsan)"),
}


def allow_ordered_sums() -> None:
    """From now on in this process, loops that add up numbers in order may become vector loops; the sums stay scalar.
    It pays where the numbers come from vector functions."""
    engine().set_option("-force-ordered-reductions")


def follow_no_variables() -> None:
    """From now on in this process, the code generator looks for variables of the source by an older method, which is
    done at once where there are none; the other solves where all registers' values go, in every function with lines.
    The machine code is the same."""
    engine().set_option("-experimental-debug-variable-locations=false")


def _keep_copies_in_loops() -> None:
    """From now on in this process, loops that copy memory stay loops.

    Where a loop reads numbers and keeps them, LLVM would make a call of memcpy in front of it, for a few elements
    mostly: a call each time, wide loads of what narrow stores have just written, and a second pass. Copies of the
    program itself are calls already, from the pipeline before.
    """
    engine().set_option("-disable-loop-idiom-memcpy")


def _lower_matrices() -> None:
    """From now on in this process, pipelines make arithmetic on columns of clang's operations on whole matrices
    (`-fenable-matrix`)."""
    engine().set_option("-enable-matrix")


def _canonicalise(module: Module, target: Target) -> None:
    engine().run_passes(module, of_machine(target), ("mergereturn", "loop-simplify", "lcssa"))
