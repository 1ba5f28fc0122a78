"""`__enzyme_virtualreverse`: the pair {augmented forward pass, reverse pass} of a function, or of a table of functions.

The pair of `R f(A, P, …)` is a constant array of two pointers to

    {ptr tape, R result} augmented(A, P, P shadow, …)        only the tape where f returns nothing
    adjoints reverse(A, P, P shadow, …, R seed, ptr tape)     adjoints of the numbers among the arguments

where pointers are followed by their shadows and a returned pointer by its own. The shadow of a table has pairs where
the table has functions, and null where there is none to give. Both passes are ordinary requests in functions of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.errors import RequestError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.function import Block, Function
from enzyme_build.ir.types import (
    PTR,
    VOID,
    FloatType,
    IntType,
    PointerType,
    Type,
    function_type,
    struct_type,
)
from enzyme_build.ir.values import (
    Argument,
    ConstantAggregate,
    ConstantExpression,
    GlobalVariable,
    Value,
)

from .lowering import go_on, replace_uses
from .markers import resolve_function
from .request_call import Entry, entry_point

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module


def make_pairs(module: Module) -> list[RequestError]:
    """Replace the requests for pairs and shadow tables by their addresses; what is wrong with them."""
    findings = []
    for name in dict.fromkeys(module.functions_mentioning(Entry.VIRTUAL_REVERSE.value)):
        caller = module.function(name)
        for call in list(caller.instructions()):
            if not isinstance(call, ir.CallBase) or not isinstance(call.callee, Function) or not call.arguments:
                continue
            if entry_point(call.callee.name) is not Entry.VIRTUAL_REVERSE or not call.callee.is_declaration:
                continue
            try:
                value = _answer(module, call, call.arguments[0])
            except RequestError as error:
                findings.append(error)
                continue
            module.replace_function(name)
            block = call.block
            at = block.instructions.index(call)
            del block.instructions[at]
            for record in block.records:
                record.index -= record.index > at
            if isinstance(call, ir.Invoke):
                go_on(block, call)
            replace_uses(caller, call, value)
    return findings


def _answer(module: Module, call: ir.CallBase, value: Value) -> Value:
    function = resolve_function(module, value)
    if function is not None:
        if module.is_defined(function.name) and not _refused(function):
            return _pair(module, function)
        reason = _refused(function) or "no definition of it was found in the inputs of this link"
        raise RequestError(
            f"there is no pair of derivatives of '{function.name}' for a shadow table: {reason}",
            location=location_of(module, call),
            hint="objects are differentiated without shadow tables: a shadow may be a copy whose numbers are zero",
            code="E0301",
        )
    base, offset = value, ""
    if isinstance(value, ConstantExpression) and value.op == "getelementptr":
        base, offset = value.operands[0], value.text
    if isinstance(base, GlobalVariable) and base.initializer is not None and base.is_constant:
        shadow = _shadow_table(module, base)
        return module.constant(PTR, offset.replace(base.text, shadow.text)) if offset else shadow
    raise RequestError(
        f"{Entry.VIRTUAL_REVERSE.value}: neither a function nor a constant table of functions is known at link time",
        location=location_of(module, call),
        hint="pass the function itself, or the address of a virtual table",
        code="E0308",
    )


def _refused(function: Function) -> str:
    """Why there are no passes with a signature of their own."""
    if function.function_type.variadic:
        return "it takes variable arguments"
    if any(word in a.attributes for a in function.arguments for word in ("sret(", "byval(")):
        return "it takes or returns a struct by value"
    whole = function.function_type
    scalar = (FloatType, IntType, PointerType)
    plain = all(isinstance(type_, scalar) for type_ in whole.parameters)
    if not plain or not (whole.result is VOID or isinstance(whole.result, scalar)):
        return "it takes or returns a struct by value"
    return ""


def _shadow_table(module: Module, table: GlobalVariable) -> GlobalVariable:
    name = f"enzyme_build.shadow_table.{table.name}"
    found = module.globals.get(name)
    if isinstance(found, GlobalVariable):
        return found
    text = _entries(module, module.global_initializer(table))
    made = module.add_global(f'@"{name}" = internal constant {table.value_type} {text}, align 8')
    assert isinstance(made, GlobalVariable)
    return made


def _entries(module: Module, value: Value | None) -> str:
    """The text of an initial value with pairs in the place of functions."""
    if isinstance(value, ConstantAggregate):
        inner = ", ".join(f"{member.type} {_entries(module, member)}" for member in value.operands)
        opening, closing = ("[", "]") if value.text.startswith("[") else ("{", "}")
        return f"{opening} {inner} {closing}"
    function = resolve_function(module, value) if value is not None else None
    if function is None:
        return getattr(value, "text", "null")
    return _pair(module, function).text if module.is_defined(function.name) and not _refused(function) else "null"


def _pair(module: Module, function: Function) -> GlobalVariable:
    name = f"enzyme_build.pair.{function.name}"
    found = module.globals.get(name)
    if isinstance(found, GlobalVariable):
        return found
    augmented, reverse = _augmented(module, function), _reverse(module, function)
    line = f'@"{name}" = internal constant [2 x ptr] [ptr {augmented.text}, ptr {reverse.text}], align 8'
    made = module.add_global(line)
    assert isinstance(made, GlobalVariable)
    return made


def _augmented(module: Module, function: Function) -> Function:
    result = function.function_type.result
    parts = [PTR, *([] if result is VOID else [result]), *([PTR] if isinstance(result, PointerType) else [])]
    returned: Type = struct_type(tuple(parts)) if len(parts) > 1 else PTR
    return _wrapper(module, function, Entry.AUGMENTED, returned, [])


def _reverse(module: Module, function: Function) -> Function:
    adjoints = tuple(t for t in function.function_type.parameters if t.is_float)
    returned = VOID if not adjoints else adjoints[0] if len(adjoints) == 1 else struct_type(adjoints)
    result = function.function_type.result
    return _wrapper(module, function, Entry.REVERSE, returned, [*([result] if result.is_float else []), PTR])


def _wrapper(module: Module, function: Function, entry: Entry, result: Type, more: list[Type]) -> Function:
    """A function that asks for one pass and hands its arguments on."""
    types: list[Type] = []
    for parameter in function.function_type.parameters:
        types += [parameter, PTR] if isinstance(parameter, PointerType) else [parameter]
    types += more
    kind = "augmented" if entry is Entry.AUGMENTED else "reverse"
    name = module.unique_name(f"enzyme_build.{kind}_entry.{function.name}")
    arguments = [Argument(type_, None, index) for index, type_ in enumerate(types)]
    made = Function(name, f'@"{name}"', function_type(result, tuple(types)), arguments, prefix="internal")
    asked = function_type(result, (PTR,), variadic=True)
    request = module.declare(module.unique_name(f"{entry.value}.{function.name}"), asked)
    builder = Builder(made.add_block(Block("entry")))
    call = builder.call(request, [function, *arguments], asked)
    builder.ret(None if result is VOID else call)
    return module.add_function(made)
