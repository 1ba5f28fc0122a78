"""The LLVM inside llvmlite, as an `engine`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import llvmlite.binding as ll  # noqa: TID251

from enzyme_build.llvm.engine import is_bitcode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.llvm.engine import Target

_PASSES: Final = {
    "always-inline": "add_always_inliner_pass",
    "globaldce": "add_global_dead_code_eliminate_pass",
    "lcssa": "add_lcssa_pass",
    "loop-simplify": "add_loop_simplify_pass",
    "mergereturn": "add_unify_function_exit_nodes_pass",
    "simplifycfg": "add_simplify_cfg_pass",
    "sroa": "add_sroa_pass",
}
_LOCAL: Final = (ll.Linkage.internal, ll.Linkage.private)


class _Value:
    def __init__(self, value: ll.ValueRef) -> None:
        self._value = value

    def __str__(self) -> str:
        return str(self._value)

    @property
    def name(self) -> str:
        return str(self._value.name)

    @name.setter
    def name(self, name: str) -> None:
        self._value.name = name

    @property
    def is_declaration(self) -> bool:
        return bool(self._value.is_declaration)

    @property
    def is_local(self) -> bool:
        return self._value.linkage in _LOCAL

    @property
    def is_strong(self) -> bool:
        return bool(self._value.linkage == ll.Linkage.external)

    def set_linkage(self, linkage: str) -> None:
        self._value.linkage = linkage


class _Module:
    def __init__(self, module: ll.ModuleRef) -> None:
        self.of_llvm = module

    def __str__(self) -> str:
        return str(self.of_llvm)

    @property
    def triple(self) -> str:
        return str(self.of_llvm.triple)

    @triple.setter
    def triple(self, triple: str) -> None:
        self.of_llvm.triple = triple

    @property
    def data_layout(self) -> str:
        return str(self.of_llvm.data_layout)

    @data_layout.setter
    def data_layout(self, layout: str) -> None:
        self.of_llvm.data_layout = layout

    @property
    def functions(self) -> list[_Value]:
        return [_Value(value) for value in self.of_llvm.functions]

    @property
    def global_variables(self) -> list[_Value]:
        return [_Value(value) for value in self.of_llvm.global_variables]

    def get_function(self, name: str) -> _Value:
        return _Value(self.of_llvm.get_function(name))

    def get_global_variable(self, name: str) -> _Value:
        return _Value(self.of_llvm.get_global_variable(name))

    def verify(self) -> None:
        self.of_llvm.verify()

    def link_in(self, other: _Module) -> None:
        self.of_llvm.link_in(other.of_llvm)

    def as_bitcode(self) -> bytes:
        return bytes(self.of_llvm.as_bitcode())

    def close(self) -> None:
        self.of_llvm.close()


class Wheel:
    """See `engine.Engine`."""

    def __init__(self) -> None:
        ll.initialize_native_target()
        ll.initialize_native_asmprinter()
        ll.initialize_native_asmparser()  # inline assembly is parsed when the object is written
        self._options: set[str] = set()

    def version(self) -> str:
        return ".".join(str(part) for part in ll.llvm_version_info)

    def host(self) -> tuple[str, str]:
        return ll.get_host_cpu_name(), ll.get_host_cpu_features().flatten()

    def new_context(self) -> ll.ContextRef:
        return ll.create_context()

    def parse(self, data: bytes, context: ll.ContextRef | None = None) -> _Module:
        context = context or ll.create_context()
        if is_bitcode(data):
            return _Module(ll.parse_bitcode(data, context))
        return _Module(ll.parse_assembly(data.decode(), context))

    def set_option(self, option: str) -> None:
        if option not in self._options:
            self._options.add(option)
            ll.set_option("", option)

    def run_pipeline(self, module: _Module, target: Target, *, level: int, vectorise: bool) -> None:
        options = ll.create_pipeline_tuning_options(speed_level=level)
        options.loop_vectorization = vectorise
        options.slp_vectorization = vectorise
        options.loop_interleaving = vectorise
        options.loop_unrolling = vectorise
        builder = ll.create_pass_builder(self._machine(module, target), options)
        builder.getModulePassManager().run(module.of_llvm, builder)

    def run_passes(self, module: _Module, target: Target, passes: Sequence[str]) -> None:
        # A fresh manager each time: running one twice aborts inside LLVM.
        options = ll.create_pipeline_tuning_options(speed_level=0)
        builder = ll.create_pass_builder(self._machine(module, target), options)
        manager = ll.create_new_module_pass_manager()
        for name in passes:
            getattr(manager, _PASSES[name])()
        manager.run(module.of_llvm, builder)

    def has_pass(self, name: str) -> bool:
        return name in _PASSES

    def emit_object(self, module: _Module, target: Target) -> bytes:
        return bytes(self._machine(module, target).emit_object(module.of_llvm))

    def _machine(self, module: _Module, target: Target) -> Any:
        # llvmlite's defaults are for JITs.
        triple = module.triple or ll.get_default_triple()
        return ll.Target.from_triple(triple).create_target_machine(
            cpu=target.cpu, features=target.features, opt=target.level, reloc="pic", codemodel="default"
        )
