"""Optimise: LLVM's pipelines before and after differentiation.

Before: everything that makes less to differentiate (inlining, mem2reg, GVN, LICM), nothing that hides types or
structure (vectorisation, unrolling), then canonical shapes in this order: one exit block per function (it may add
blocks), loops simplified (preheader, one latch, own exits: needs the final blocks), LCSSA last (it only adds phis, and
every other pass may break it).
After: everything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import llvmlite.binding as ll  # noqa: TID251

from enzyme_build.llvm.context import Module, initialize

_ordered_sums = False
_small_copies = False
_plain_matrices = False


@dataclass(frozen=True)
class Target:
    cpu: str = ""
    features: str = ""
    level: int = 2


def target_machine(module: Module, target: Target) -> Any:
    """Always position-independent and of the small code model: llvmlite's defaults are for JITs."""
    initialize()
    triple = module.triple or ll.get_default_triple()
    return ll.Target.from_triple(triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=max(target.level, 1), reloc="pic", codemodel="default"
    )


def host_target(cpu: str) -> tuple[str, str]:
    """`native` as a CPU name with its features; any other name as it is."""
    initialize()
    if cpu != "native":
        return cpu, ""
    return ll.get_host_cpu_name(), ll.get_host_cpu_features().flatten()


def before_differentiation(module: Module, target: Target) -> None:
    if any(function.name.startswith("llvm.matrix.") for function in module.functions):
        _lower_matrices()
    _run_pipeline(module, target, level=2, final=False)
    _canonicalise(module, target)


def baseline_before_differentiation(module: Module, target: Target) -> None:
    """The least that differentiation can start from: values in registers and canonical loops. What has to be inlined is
    (templates around requests), and nothing else."""
    with _manager(module, target) as manager:
        manager.add_always_inliner_pass()
    with _manager(module, target) as manager:
        manager.add_sroa_pass()
        manager.add_simplify_cfg_pass()
    _canonicalise(module, target)


def after_differentiation(module: Module, target: Target) -> None:
    """At -O2 and above O3 with vectorisers; -O0 still optimises, or a derivative would be all stack traffic."""
    _keep_copies_in_loops()
    _run_pipeline(module, target, level=3 if target.level >= 2 else 1, final=True)


def allow_ordered_sums() -> None:
    """From now on in this process, loops that add up numbers in order may become vector loops; the sums stay scalar.
    It pays where the numbers come from vector functions."""
    global _ordered_sums  # noqa: PLW0603 - LLVM's options are per process, and may be set once
    if not _ordered_sums:
        ll.set_option("", "-force-ordered-reductions")
        _ordered_sums = True


def _keep_copies_in_loops() -> None:
    """From now on in this process, loops that copy memory stay loops.

    Where a loop reads numbers and keeps them, LLVM would make a call of memcpy in front of it, for a few elements
    mostly: a call each time, wide loads of what narrow stores have just written, and a second pass. Copies of the
    program itself are calls already, from the pipeline before.
    """
    global _small_copies  # noqa: PLW0603 - LLVM's options are per process, and may be set once
    if not _small_copies:
        ll.set_option("", "-disable-loop-idiom-memcpy")
        _small_copies = True


def _lower_matrices() -> None:
    """From now on in this process, pipelines make arithmetic on columns of clang's operations on whole matrices
    (`-fenable-matrix`)."""
    global _plain_matrices  # noqa: PLW0603 - LLVM's options are per process, and may be set once
    if not _plain_matrices:
        ll.set_option("", "-enable-matrix")
        _plain_matrices = True


def _canonicalise(module: Module, target: Target) -> None:
    with _manager(module, target) as manager:
        manager.add_unify_function_exit_nodes_pass()
        manager.add_loop_simplify_pass()
        manager.add_lcssa_pass()


def _run_pipeline(module: Module, target: Target, *, level: int, final: bool) -> None:
    options = ll.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = final and level > 1
    options.slp_vectorization = final and level > 1
    options.loop_interleaving = final and level > 1
    options.loop_unrolling = final and level > 1
    builder = ll.create_pass_builder(target_machine(module, target), options)
    builder.getModulePassManager().run(module, builder)


class _manager:  # noqa: N801 - used as a statement
    """A fresh manager that runs when the block ends: running one twice aborts inside LLVM."""

    def __init__(self, module: Module, target: Target) -> None:
        self.module = module
        options = ll.create_pipeline_tuning_options(speed_level=0)
        self.builder = ll.create_pass_builder(target_machine(module, target), options)
        self.manager = ll.create_new_module_pass_manager()

    def __enter__(self) -> Any:
        return self.manager

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.manager.run(self.module, self.builder)
