"""Modules that run in this process."""

from __future__ import annotations

import ctypes

import llvmlite.binding as ll  # noqa: TID251


class Compiled:
    """The functions of a module in LLVM's text, by name."""

    def __init__(self, text: str, *, opt: int = 2) -> None:
        ll.initialize_native_target()
        ll.initialize_native_asmprinter()
        parsed = ll.parse_assembly(text)
        parsed.verify()
        machine = ll.Target.from_default_triple().create_target_machine(opt=opt)
        self._engine = ll.create_mcjit_compiler(parsed, machine)
        self._engine.finalize_object()

    def __call__(self, symbol: str, result: object, *types: object):
        """A function that takes and returns values of types of `ctypes`; what is compiled stays as long as it does."""
        found = ctypes.CFUNCTYPE(result, *types)(self._engine.get_function_address(symbol))
        found.engine = self._engine
        return found

    def address(self, symbol: str) -> int:
        """Where a global variable is."""
        return self._engine.get_global_value_address(symbol)
