"""Both LLVMs, llvmlite's and the shared library, do the same with the same module and say the same of a bad one."""

from __future__ import annotations

import re
import struct
import sys
from pathlib import Path

import pytest

from enzyme_build import pipeline
from enzyme_build.errors import InputError
from enzyme_build.llvm import context, emit, link, optimise
from enzyme_build.llvm import engine as engines
from enzyme_build.llvm.engine import Target
from enzyme_build.settings import from_environment
from enzyme_build.toolchain.find import ToolSettings, shared_llvm

LIBRARY = shared_llvm(from_environment().tools)
MODULE = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@table = internal global [4 x double] zeroinitializer

declare double @sin(double)

define internal double @inner(double %x) alwaysinline {
  %s = call double @sin(double %x)
  ret double %s
}

define void @scale(ptr noalias %to, ptr noalias %from, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %source = getelementptr double, ptr %from, i64 %i
  %x = load double, ptr %source
  %twice = fmul double %x, 2.0
  %target = getelementptr double, ptr %to, i64 %i
  store double %twice, ptr %target
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %y = load double, ptr @table
  %s = call double @inner(double %y)
  store double %s, ptr %to
  ret void
}
"""


@pytest.fixture(params=["llvmlite", "shared"])
def engine(request: pytest.FixtureRequest) -> object:
    """Each in turn; llvmlite's is that of whoever comes afterwards."""
    if request.param == "shared" and LIBRARY is None:
        pytest.skip("the shared library of LLVM is not installed")
    engines.use(LIBRARY if request.param == "shared" else None)
    yield engines.engine()
    engines.use(None)


def in_both(work: object) -> list[object]:
    if LIBRARY is None:
        pytest.skip("the shared library of LLVM is not installed")
    results = []
    for library in (None, LIBRARY):
        engines.use(library)
        results.append(work())
    engines.use(None)
    return results


def without_name(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("; ModuleID"))


@pytest.mark.parametrize(
    "stage",
    [
        optimise.before_differentiation,
        optimise.baseline_before_differentiation,
        optimise.after_differentiation,
    ],
)
def test_both_optimise_to_the_same_text(stage: object) -> None:
    def text() -> str:
        module = context.parse_text(MODULE, "the module")
        stage(module, Target())
        return without_name(str(module))

    here, there = in_both(text)
    assert here == there


def test_vectors_come_after_differentiation_only(engine: object) -> None:
    for stage, vectors in (
        (optimise.before_differentiation, False),
        (optimise.after_differentiation, True),
        (optimise.before_differentiation, False),
    ):
        module = context.parse_text(MODULE, "the module")
        stage(module, Target())
        assert (" x double>" in str(module)) is vectors


def test_machine_code_is_the_same() -> None:
    def code() -> bytes:
        return emit.emit_object(context.parse_text(MODULE, "the module"), Target(level=2))

    here, there = in_both(code)
    assert here[:4] == b"\x7fELF"
    # The names of the versions stand in it, if anything does.
    assert len(here) == len(there)


def test_bitcode_is_read_again(engine: object) -> None:
    module = context.parse_text(MODULE, "the module")
    again = context.parse_bitcode(module.as_bitcode(), "again")
    assert without_name(str(again)) == without_name(str(module))


def test_values_are_seen_and_changed(engine: object) -> None:
    module = context.parse_text(MODULE, "the module")
    assert [value.name for value in module.functions] == ["sin", "inner", "scale"]
    assert [value.is_declaration for value in module.functions] == [True, False, False]
    assert [value.is_local for value in module.functions] == [False, True, False]
    (table,) = module.global_variables
    assert str(table) == "@table = internal global [4 x double] zeroinitializer"
    table.name = "other"
    table.set_linkage("external")
    assert re.search(r"(?m)^@other = (dso_local )?global \[4 x double\]", str(module))
    assert module.get_function("inner").name == "inner"
    with pytest.raises(NameError):
        module.get_function("nothing")
    with pytest.raises(NameError):
        module.get_global_variable("table")


def test_what_is_wrong_is_said(engine: object) -> None:
    with pytest.raises(RuntimeError, match="expected instruction opcode"):
        engine.parse(b"define void @f() {\n  nonsense\n}\n")
    with pytest.raises(RuntimeError, match="Expected a single module"):
        engine.parse(b"BC\xc0\xde" + struct.pack("<4I", 1, 2, 3, 4))
    # Dominance is the verifier's affair, not the parser's.
    start = b"define i32 @f(i1 %c) {\n  br i1 %c, label %a, label %b\n"
    wrong = start + b"a:\n  %x = add i32 1, 2\n  br label %b\nb:\n  ret i32 %x\n}\n"
    with pytest.raises(RuntimeError, match="Instruction does not dominate all uses"):
        engine.parse(wrong).verify()
    with pytest.raises(InputError, match=r"'f' is defined in 'one' and in 'two'"):
        link.merge([("one", b"define void @f() { ret void }"), ("two", b"define void @f() { ret void }")])


def test_assembly_that_is_none() -> None:
    """Llvmlite's LLVM ends the process then, as it does for a bug."""
    if LIBRARY is None:
        pytest.skip("the shared library of LLVM is not installed")
    engines.use(LIBRARY)
    try:
        module = context.parse_text('define void @f() {\n  call void asm "nonsense", ""()\n  ret void\n}\n', "it")
        with pytest.raises(InputError, match=r"(?s)no machine code.*invalid instruction mnemonic 'nonsense'"):
            emit.emit_object(module, Target())
    finally:
        engines.use(None)


def test_modules_of_one_context_are_linked(engine: object, capfd: pytest.CaptureFixture[str]) -> None:
    text = link.merge([("one", b"declare i32 @f()\ndefine i32 @g() { %r = call i32 @f() ret i32 %r }"),
                       ("two", b'target datalayout = "e-i64:64"\ndefine i32 @f() { ret i32 7 }')])  # fmt: skip
    assert "define i32 @f()" in text
    assert capfd.readouterr().err == ""  # one of them has a layout, the other has none
    assert "declare" not in text


def test_the_host_is_the_same() -> None:
    here, there = in_both(lambda: engines.engine().host())
    assert here == there


def test_libraries_that_are_none(tmp_path: Path) -> None:
    other = tmp_path / "libLLVM.so"
    other.write_text("no library")
    with pytest.raises(InputError, match=r"cannot load .*libLLVM\.so") as refused:
        engines.use(other)
    assert "ENZYME_LLVM" in refused.value.hint
    with pytest.raises(InputError, match="is not the shared library of LLVM 22"):
        engines.use(Path("libm.so.6"))
    assert engines.engine().version().startswith("22.")
    engines.use(other, asked=False)
    assert engines.engine() is engines._engines[None]


def test_which_library(tmp_path: Path) -> None:
    def chosen(**variables: str) -> tuple[Path | None, bool]:
        options = pipeline.job_options(from_environment({"PATH": "", **variables}))
        return options["llvm"], options["llvm_asked"]

    assert chosen(ENZYME_LLVM="llvmlite") == (None, True)
    assert chosen(ENZYME_LLVM="/somewhere/libLLVM.so") == (Path("/somewhere/libLLVM.so"), True)
    assert chosen()[1] is False
    # Beside the compiler, before the system's.
    compiler = tmp_path / "bin" / "clang-22"
    library = tmp_path / "lib" / "libLLVM.so.22.1"
    for file in (compiler, library):
        file.parent.mkdir()
        file.write_text("")
    compiler.chmod(0o755)
    assert shared_llvm(ToolSettings(path=str(compiler.parent))) == library


def test_the_other_is_not_loaded(tmp_path: Path) -> None:
    """Two LLVMs in one process would each take their time and memory."""
    if LIBRARY is None:
        pytest.skip("the shared library of LLVM is not installed")
    code = "import sys, pathlib; from enzyme_build.llvm import context, engine as e, optimise; "
    code += "e.use(pathlib.Path(sys.argv[1])); optimise.after_differentiation(context.parse_text('', ''), e.Target()); "
    code += "print('llvmlite' in sys.modules)"
    from enzyme_build.toolchain import process

    assert process.run([sys.executable, "-c", code, str(LIBRARY)]).stdout == "False\n"


def test_long_names_of_values_are_kept() -> None:
    name = "v" * 1030
    text = f"define i32 @f(i32 %{name}) {{\n  %{name}.1 = add i32 %{name}, 1\n  ret i32 %{name}.1\n}}\n"
    assert f"%{name}.1 = add" in str(context.parse_text(text, "long names"))
