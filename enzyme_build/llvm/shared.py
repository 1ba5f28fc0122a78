"""The shared library of LLVM that belongs to a compiler on the machine, as an `engine`: LLVM's C interface.

Declarations follow https://llvm.org/doxygen/group__LLVMC.html; the interface is stable within a version of LLVM.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from enzyme_build.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from enzyme_build.llvm.engine import Target

_MAJOR: Final = 22
_REMEDY: Final = f"set ENZYME_LLVM to a libLLVM.so of LLVM {_MAJOR}, or to llvmlite"
_TARGETS: Final = {"x86_64": "X86", "aarch64": "AArch64", "arm64": "AArch64", "ppc64le": "PowerPC",
                   "riscv64": "RISCV", "s390x": "SystemZ", "loongarch64": "LoongArch"}  # fmt: skip
"""LLVM's names of what the kernel names."""
_PARTS: Final = ("TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser")
_LINKAGES: Final = {"available_externally": 1, "external": 0, "internal": 8, "private": 9}
_PIC: Final = 2
_DEFAULT_CODE_MODEL: Final = 0
_OBJECT_FILE: Final = 1
_RETURN_STATUS: Final = 2
_ERROR, _WARNING = 0, 1

_REF: Final = ctypes.c_void_p
_TEXT: Final = ctypes.c_char_p
_INT: Final = ctypes.c_int
_SIZE: Final = ctypes.c_size_t
_OUT: Final = ctypes.POINTER(ctypes.c_void_p)
_HANDLER: Final = ctypes.CFUNCTYPE(None, _REF, _REF)
_SIGNATURES: Final[dict[str, tuple[Any, ...]]] = {
    # Result first. Strings that have to be given back are references.
    "ContextCreate": (_REF,),
    "ContextDispose": (None, _REF),
    "ContextSetDiagnosticHandler": (None, _REF, _HANDLER, _REF),
    "CreateMemoryBufferWithMemoryRangeCopy": (_REF, _TEXT, _SIZE, _TEXT),
    "CreatePassBuilderOptions": (_REF,),
    "CreateTargetMachine": (_REF, _REF, _TEXT, _TEXT, _TEXT, _INT, _INT, _INT),
    "DisposeErrorMessage": (None, _REF),
    "DisposeMemoryBuffer": (None, _REF),
    "DisposeMessage": (None, _REF),
    "DisposeModule": (None, _REF),
    "DisposePassBuilderOptions": (None, _REF),
    "DisposeTargetMachine": (None, _REF),
    "GetBufferSize": (_SIZE, _REF),
    "GetBufferStart": (_REF, _REF),
    "GetDefaultTargetTriple": (_REF,),
    "GetDiagInfoDescription": (_REF, _REF),
    "GetDiagInfoSeverity": (_INT, _REF),
    "GetErrorMessage": (_REF, _REF),
    "GetFirstFunction": (_REF, _REF),
    "GetFirstGlobal": (_REF, _REF),
    "GetHostCPUFeatures": (_REF,),
    "GetHostCPUName": (_REF,),
    "GetLinkage": (_INT, _REF),
    "GetNamedFunction": (_REF, _REF, _TEXT),
    "GetNamedGlobal": (_REF, _REF, _TEXT),
    "GetNextFunction": (_REF, _REF),
    "GetNextGlobal": (_REF, _REF),
    "GetTarget": (_TEXT, _REF),
    "GetTargetFromTriple": (_INT, _TEXT, _OUT, _OUT),
    "GetValueName2": (_REF, _REF, ctypes.POINTER(_SIZE)),
    "GetVersion": (None, *[ctypes.POINTER(ctypes.c_uint)] * 3),
    "IsDeclaration": (_INT, _REF),
    "LinkModules2": (_INT, _REF, _REF),
    "ParseCommandLineOptions": (None, _INT, ctypes.POINTER(_TEXT), _TEXT),
    "ParseIRInContext": (_INT, _REF, _REF, _OUT, _OUT),
    "PassBuilderOptionsSetLoopInterleaving": (None, _REF, _INT),
    "PassBuilderOptionsSetLoopUnrolling": (None, _REF, _INT),
    "PassBuilderOptionsSetLoopVectorization": (None, _REF, _INT),
    "PassBuilderOptionsSetSLPVectorization": (None, _REF, _INT),
    "PrintModuleToString": (_REF, _REF),
    "PrintValueToString": (_REF, _REF),
    "RunPasses": (_REF, _REF, _TEXT, _REF, _REF),
    "SetLinkage": (None, _REF, _INT),
    "GetDataLayoutStr": (_TEXT, _REF),
    "SetDataLayout": (None, _REF, _TEXT),
    "SetTarget": (None, _REF, _TEXT),
    "SetValueName2": (None, _REF, _TEXT, _SIZE),
    "TargetMachineEmitToMemoryBuffer": (_INT, _REF, _REF, _INT, _OUT, _OUT),
    "VerifyModule": (_INT, _REF, _INT, _OUT),
    "WriteBitcodeToMemoryBuffer": (_REF, _REF),
}


class _Library:
    """The functions, by their names without `LLVM`."""

    def __init__(self, path: Path) -> None:
        try:
            self._library = ctypes.CDLL(str(path))
        except OSError as error:
            raise InputError(f"cannot load '{path}': {error}", hint=_REMEDY) from error
        if not hasattr(self._library, "LLVMGetVersion"):
            raise InputError(f"'{path}' is not the shared library of LLVM {_MAJOR}", hint=_REMEDY)
        for name, (result, *arguments) in _SIGNATURES.items():
            function = getattr(self._library, f"LLVM{name}", None)
            if function is not None:
                function.restype, function.argtypes = result, arguments
                setattr(self, name, function)
        numbers = [ctypes.c_uint() for _ in range(3)]
        self.GetVersion(*map(ctypes.byref, numbers))
        self.version = ".".join(str(number.value) for number in numbers)
        if numbers[0].value != _MAJOR:
            raise InputError(f"'{path}' is LLVM {self.version}, not {_MAJOR}", hint=_REMEDY)
        target = _TARGETS.get(os.uname().machine, "")
        for part in _PARTS:
            initialize = getattr(self._library, f"LLVMInitialize{target}{part}", None)
            if initialize is None:
                raise InputError(f"'{path}' makes no code for {os.uname().machine}", hint=_REMEDY)
            initialize()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        raise AttributeError(f"LLVM{name}")

    def text(self, reference: int | None) -> str:
        """The text of a string that LLVM gave away."""
        if not reference:
            return ""
        text = ctypes.string_at(reference).decode(errors="replace")
        self.DisposeMessage(reference)
        return text

    def content(self, buffer: int) -> bytes:
        """The bytes of a buffer that LLVM gave away."""
        data = ctypes.string_at(self.GetBufferStart(buffer), self.GetBufferSize(buffer))
        self.DisposeMemoryBuffer(buffer)
        return data


class _Context:
    """A context, which ends with the last of its modules."""

    def __init__(self, library: _Library) -> None:
        self.library = library
        self.reference = library.ContextCreate()
        self.modules = 0
        self.errors: list[str] = []
        self.warns = True
        # Kept here: LLVM has no more than its address.
        self._handler = _HANDLER(self._said)
        library.ContextSetDiagnosticHandler(self.reference, self._handler, None)

    def _said(self, what: int, _: object) -> None:
        severity = self.library.GetDiagInfoSeverity(what)
        if severity > _WARNING or (severity == _WARNING and not self.warns):
            return
        words = self.library.text(self.library.GetDiagInfoDescription(what))
        if severity == _ERROR:
            self.errors.append(words)
        else:
            sys.stderr.write(f"warning: {words}\n")

    def check(self, failed: object, words: str = "") -> None:
        """Raise what LLVM said of a call that failed, or of one that did not say so."""
        errors, self.errors = self.errors, []
        if failed or errors:
            raise RuntimeError("\n".join([*errors, *([words] if words else [])]))

    def closed(self) -> None:
        self.modules -= 1
        if not self.modules:
            self.library.ContextDispose(self.reference)


class _Value:
    def __init__(self, library: _Library, reference: int) -> None:
        self._library, self._reference = library, reference

    def __str__(self) -> str:
        return self._library.text(self._library.PrintValueToString(self._reference))

    @property
    def name(self) -> str:
        size = _SIZE()
        start = self._library.GetValueName2(self._reference, ctypes.byref(size))
        return ctypes.string_at(start, size.value).decode()

    @name.setter
    def name(self, name: str) -> None:
        encoded = name.encode()
        self._library.SetValueName2(self._reference, encoded, len(encoded))

    @property
    def is_declaration(self) -> bool:
        return bool(self._library.IsDeclaration(self._reference))

    @property
    def is_local(self) -> bool:
        return self._library.GetLinkage(self._reference) in (_LINKAGES["internal"], _LINKAGES["private"])

    @property
    def is_strong(self) -> bool:
        return bool(self._library.GetLinkage(self._reference) == _LINKAGES["external"])

    def set_linkage(self, linkage: str) -> None:
        self._library.SetLinkage(self._reference, _LINKAGES[linkage])


class _Module:
    def __init__(self, context: _Context, reference: int) -> None:
        self.context, self.reference = context, reference
        self._library = context.library
        context.modules += 1

    def __str__(self) -> str:
        return self._library.text(self._library.PrintModuleToString(self.reference))

    @property
    def triple(self) -> str:
        return str(self._library.GetTarget(self.reference).decode())

    @triple.setter
    def triple(self, triple: str) -> None:
        self._library.SetTarget(self.reference, triple.encode())

    @property
    def data_layout(self) -> str:
        return str(self._library.GetDataLayoutStr(self.reference).decode())

    @data_layout.setter
    def data_layout(self, layout: str) -> None:
        self._library.SetDataLayout(self.reference, layout.encode())

    @property
    def functions(self) -> list[_Value]:
        return list(self._all("Function"))

    @property
    def global_variables(self) -> list[_Value]:
        return list(self._all("Global"))

    def _all(self, kind: str) -> Iterator[_Value]:
        after = getattr(self._library, f"GetNext{kind}")
        reference = getattr(self._library, f"GetFirst{kind}")(self.reference)
        while reference:
            yield _Value(self._library, reference)
            reference = after(reference)

    def get_function(self, name: str) -> _Value:
        return self._named("Function", name)

    def get_global_variable(self, name: str) -> _Value:
        return self._named("Global", name)

    def _named(self, kind: str, name: str) -> _Value:
        reference = getattr(self._library, f"GetNamed{kind}")(self.reference, name.encode())
        if not reference:
            raise NameError(name)
        return _Value(self._library, reference)

    def verify(self) -> None:
        words = _REF()
        failed = self._library.VerifyModule(self.reference, _RETURN_STATUS, ctypes.byref(words))
        self.context.check(failed, self._library.text(words.value))

    def link_in(self, other: _Module) -> None:
        self.context.warns = False  # that one of both has no data layout, for one
        failed = self._library.LinkModules2(self.reference, other.reference)
        self.context.warns = True
        self.context.modules -= 1
        self.context.check(failed)

    def as_bitcode(self) -> bytes:
        return self._library.content(self._library.WriteBitcodeToMemoryBuffer(self.reference))

    def close(self) -> None:
        self._library.DisposeModule(self.reference)
        self.context.closed()


class Shared:
    """See `engine.Engine`."""

    def __init__(self, path: Path) -> None:
        """Raises InputError if it cannot be loaded or is another version."""
        self._library = _Library(path)
        self._options: set[str] = set()

    def version(self) -> str:
        return self._library.version

    def host(self) -> tuple[str, str]:
        name, features = self._library.GetHostCPUName(), self._library.GetHostCPUFeatures()
        # In the order of their names: LLVM's own differs from run to run.
        ordered = sorted(self._library.text(features).split(","), key=lambda feature: feature[1:])
        return self._library.text(name), ",".join(ordered)

    def new_context(self) -> _Context:
        return _Context(self._library)

    def parse(self, data: bytes, context: _Context | None = None) -> _Module:
        context = context or self.new_context()
        buffer = self._library.CreateMemoryBufferWithMemoryRangeCopy(data, len(data), b"<string>")
        module, words = _REF(), _REF()
        failed = self._library.ParseIRInContext(context.reference, buffer, ctypes.byref(module), ctypes.byref(words))
        context.check(failed, self._library.text(words.value) if failed else "")
        assert module.value
        return _Module(context, module.value)

    def set_option(self, option: str) -> None:
        if option in self._options:
            return
        name = option.partition("=")[0]
        self._options = {other for other in self._options if other.partition("=")[0] != name} | {option}
        words = [b"enzyme_build", option.encode()]
        self._library.ParseCommandLineOptions(len(words), (_TEXT * len(words))(*words), None)

    def run_pipeline(self, module: _Module, target: Target, *, level: int, vectorise: bool) -> None:
        # LLVM's text for a default pipeline turns on again what the builder's options had turned off.
        for option in ("vectorize-loops", "vectorize-slp"):
            self.set_option(f"-{option}={str(vectorise).lower()}")
        self._run(module, target, f"default<O{level}>", vectorise=vectorise)

    def run_passes(self, module: _Module, target: Target, passes: Sequence[str]) -> None:
        self._run(module, target, ",".join(passes), vectorise=False)

    def has_pass(self, _: str) -> bool:
        return True

    def _run(self, module: _Module, target: Target, passes: str, *, vectorise: bool) -> None:
        library = self._library
        options, machine = library.CreatePassBuilderOptions(), self._machine(module, target)
        for what in ("LoopInterleaving", "LoopUnrolling", "LoopVectorization", "SLPVectorization"):
            getattr(library, f"PassBuilderOptionsSet{what}")(options, vectorise)
        error = library.RunPasses(module.reference, passes.encode(), machine, options)
        library.DisposePassBuilderOptions(options)
        library.DisposeTargetMachine(machine)
        words = ""
        if error:
            said = library.GetErrorMessage(error)
            words = ctypes.string_at(said).decode()
            library.DisposeErrorMessage(said)
        module.context.check(error, words)

    def emit_object(self, module: _Module, target: Target) -> bytes:
        machine = self._machine(module, target)
        words, buffer = _REF(), _REF()
        failed = self._library.TargetMachineEmitToMemoryBuffer(
            machine, module.reference, _OBJECT_FILE, ctypes.byref(words), ctypes.byref(buffer)
        )
        self._library.DisposeTargetMachine(machine)
        module.context.check(failed, self._library.text(words.value) if failed else "")
        assert buffer.value
        return self._library.content(buffer.value)

    def _machine(self, module: _Module, target: Target) -> int:
        triple = module.triple or self._library.text(self._library.GetDefaultTargetTriple())
        found, words = _REF(), _REF()
        if self._library.GetTargetFromTriple(triple.encode(), ctypes.byref(found), ctypes.byref(words)):
            raise RuntimeError(self._library.text(words.value))
        machine = self._library.CreateTargetMachine(
            found, triple.encode(), target.cpu.encode(), target.features.encode(), target.level, _PIC,
            _DEFAULT_CODE_MODEL,
        )  # fmt: skip
        return int(machine)
