"""Internal procedures as arguments: what a call through a procedure pointer finds behind the pointer, in plain sight.

An internal procedure reads the variables of its host through a hidden last argument. Where it is passed on, flang has
LLVM write a *trampoline*: machine code on the stack that puts in that argument and jumps. Nothing can be differentiated
through machine code, so procedure and hidden argument are stored beside it, as pointers:

    offset   13            40        48          56
             machine code  mark      procedure   host's variables

The code stands at an address that is 5 modulo 8, where no function does that a compiler aligned; the mark excludes the
others. Each call through a pointer, of the type of such a procedure, becomes one of a function that looks for the mark
and then calls the procedure itself, so that the optimiser resolves what it can see and the pass has the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I8, PTR, array_type, function_type
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.types import FunctionType
    from enzyme_build.ir.values import Value

TRAMPOLINES: Final = "@llvm.init.trampoline("
_INIT, _ADJUST = "llvm.init.trampoline", "llvm.adjust.trampoline"
_ROOM: Final = 32  # what flang reserves for the machine code
_CODE, _MARK, _PROCEDURE, _HOST, _SIZE = 13, 40, 48, 56, 64
_CALL_OF_POINTER: Final = regex(r"\bcall [^\n@(]*?(?:\([^\n@()]*\) )?%[-\w.$]+\(")
_BY_REGISTER: Final = regex(r"\b(byval|sret|inalloca|inreg|nest)\b")
_MARK_NAME: Final = "enzyme_fortran_closure"


def with_visible_closures(module: Module) -> str:
    """Change the module; the functions that are called instead of pointers, as LLVM assembly."""
    if _INIT not in module.globals:
        return ""
    mark = module.add_global(f"@{_MARK_NAME} = external constant i8")
    types: dict[FunctionType, str] = {}
    for name in module.functions_mentioning(f"@{_INIT}"):
        for procedure in _show(module, module.function(name), mark):
            bare = function_type(procedure.function_type.result, procedure.function_type.parameters[:-1])
            types.setdefault(bare, f"enzyme_fortran_call.{len(types)}")
    for name, (start, end) in list(module.bodies.items()):
        if _CALL_OF_POINTER.search(module.text, start, end):
            _redirect(module, module.function(name), types)
    return "\n".join(_functions(types))


def _show(module: Module, function: Function, mark: Value) -> Iterator[Function]:
    """Store beside each trampoline what it is made of; the procedures."""
    moved: dict[Value, Value] = {}
    for block in function.blocks:
        for call in [i for i in block.instructions if isinstance(i, ir.Call) and _calls(i, _INIT)]:
            room, procedure, host = call.arguments
            if not isinstance(procedure, Function) or not _is_room(room) or "nest" not in _last_attributes(procedure):
                continue
            if room not in moved:
                moved[room] = _more_room(room)
            builder = Builder(block, call.metadata)
            builder.position = block.instructions.index(call) + 1
            for offset, value in ((_MARK, mark), (_PROCEDURE, procedure), (_HOST, host)):
                builder.store(value, builder.ptradd(moved[room], offset - _CODE))
            yield procedure
    for block in function.blocks:
        for instruction in block.instructions:
            if isinstance(instruction, ir.Call) and _calls(instruction, _ADJUST):
                moved[instruction] = moved.get(instruction.arguments[0], instruction)
    for instruction in function.instructions():
        # What the old room is for from then on, nobody needs to know; of parts of memory nobody may say it.
        if not (isinstance(instruction, ir.Call) and _is_lifetime(instruction)):
            instruction.operands[:] = [moved.get(operand, operand) for operand in instruction.operands]
    module.changed.add(function.name)


def _calls(call: ir.Call, name: str) -> bool:
    return isinstance(call.callee, Function) and call.callee.name == name


def _is_lifetime(call: ir.Call) -> bool:
    return isinstance(call.callee, Function) and call.callee.name.startswith("llvm.lifetime.")


def _is_room(value: Value) -> bool:
    return isinstance(value, ir.Alloca) and value.allocated_type is array_type(I8, _ROOM)


def _last_attributes(procedure: Function) -> str:
    return procedure.arguments[-1].attributes if procedure.arguments else ""


def _more_room(room: Value) -> Value:
    """The address of the machine code in memory that has room for the pointers, too."""
    assert isinstance(room, ir.Alloca)
    builder = Builder(room.block, room.metadata)
    builder.position = room.block.instructions.index(room)
    return builder.ptradd(builder.alloca(array_type(I8, _SIZE), align=16), _CODE)


def _redirect(module: Module, function: Function, types: Mapping[FunctionType, str]) -> None:
    """Call the functions of `types` instead of pointers."""
    for call in function.instructions():
        if not isinstance(call, ir.Call) or isinstance(call.callee, Function) or call.function_type not in types:
            continue
        if any(_BY_REGISTER.search(attributes) for attributes in call.argument_attributes) or call.convention:
            continue
        bare = call.function_type
        call.function_type = function_type(bare.result, (PTR, *bare.parameters))
        callee = module.declare(types[bare], call.function_type)
        call.operands[:] = [call.callee, *call.arguments, callee]
        call.argument_attributes = ["", *call.argument_attributes]
        module.changed.add(function.name)


def _functions(types: Mapping[FunctionType, str]) -> Iterator[str]:
    yield f"@{_MARK_NAME} = hidden constant i8 0"
    for type_, name in types.items():
        result = type_.result.text
        arguments = [f"{parameter.text} %a{number}" for number, parameter in enumerate(type_.parameters)]
        end = "ret void" if result == "void" else f"ret {result} "
        assign = ("", "") if result == "void" else ("%of.closure = ", "%of.pointer = ")
        yield f"""define {result} @{name}({", ".join(["ptr %pointer", *arguments])}) alwaysinline {{
  %word = ptrtoint ptr %pointer to i64
  %place = and i64 %word, 7
  %odd = icmp eq i64 %place, {_CODE % 8}
  br i1 %odd, label %look, label %plain
look:
  %mark.at = getelementptr i8, ptr %pointer, i64 {_MARK - _CODE}
  %mark = load ptr, ptr %mark.at
  %marked = icmp eq ptr %mark, @{_MARK_NAME}
  br i1 %marked, label %closure, label %plain
closure:
  %procedure.at = getelementptr i8, ptr %pointer, i64 {_PROCEDURE - _CODE}
  %procedure = load ptr, ptr %procedure.at
  %host.at = getelementptr i8, ptr %pointer, i64 {_HOST - _CODE}
  %host = load ptr, ptr %host.at
  {assign[0]}call {result} %procedure({", ".join([*arguments, "ptr nest %host"])})
  {end}{"" if result == "void" else "%of.closure"}
plain:
  {assign[1]}call {result} %pointer({", ".join(arguments)})
  {end}{"" if result == "void" else "%of.pointer"}
}}"""
        # For programs that pass internal procedures only: the choice among known procedures needs one.
        nothing = "ret void" if result == "void" else f"ret {result} zeroinitializer"
        yield f"define {result} @{name}.nothing({', '.join(arguments)}) {{\n  {nothing}\n}}"
    names = [f"ptr @{name}.nothing" for name in types.values()]
    yield f"@enzyme_fortran_nothing = hidden constant [{len(names)} x ptr] [{', '.join(names)}]"
    yield '@llvm.compiler.used = appending global [1 x ptr] [ptr @enzyme_fortran_nothing], section "llvm.metadata"'
