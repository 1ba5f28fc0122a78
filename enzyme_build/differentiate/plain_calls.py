"""Rewrites calls into plainer instructions, so that the rules need to know one form only.

In the model that the pass reads, a complex function in `float` or `long double` becomes a call that takes and returns
the parts one by one; arithmetic that respects the floating-point environment (`llvm.experimental.constrained`) becomes
ordinary arithmetic, as derivatives are computed in the default environment; operations on whole vectors become
arithmetic and shuffles (`plain_vectors`), loads and stores of some lanes those of numbers (`plain_masked`); integer
arithmetic that tells of overflow becomes arithmetic and a flag. What returns its first argument is that argument to
what follows. The program's own functions stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.known import FLAG_ONLY
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder, in_front_of
from enzyme_build.ir.debug import debug_attachment
from enzyme_build.ir.function import Function, remove_instructions, replace_values, users
from enzyme_build.ir.opcodes import FLOAT_BINARY
from enzyme_build.ir.types import FLOAT, PointerType, VectorType, function_type, struct_type
from enzyme_build.ir.values import MetadataOperand, poison
from enzyme_build.regex import regex
from enzyme_build.rules.complex_calls import COMPLEX_CALLS, ComplexCall
from enzyme_build.rules.inactive import RETURN_FIRST
from enzyme_build.rules.names import spelling

from .plain_masked import plain_gather, plain_masked
from .plain_vectors import plain_vector

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value


def plain_calls(module: Module, function: Function) -> None:
    """Rewrite the calls of the function's model that have a plainer form."""
    replaced: dict[Value, Value] = {}
    for block in function.blocks:
        for call in [i for i in block.instructions if isinstance(i, ir.Call)]:
            if not isinstance(call.callee, Function) or module.is_defined(call.callee.name):
                continue
            builder = Builder(block, debug_attachment(call))
            builder.position = block.instructions.index(call)
            value = _plain(module, builder, call, call.callee)
            if value is not None:
                replaced[call] = value
                _remove(builder, call)
            elif isinstance(call.type, PointerType) and RETURN_FIRST.match(call.callee.name):
                # What it returns of another such call (`s.append(a).append(b)`) is the string itself, too.
                replaced[call] = replaced.get(call.arguments[0], call.arguments[0])
    if replaced:
        for instruction in function.instructions():
            instruction.operands[:] = [replaced.get(operand, operand) for operand in instruction.operands]


def sums_and_flags(function: Function) -> None:
    """Integer arithmetic that tells of overflow: what it computes becomes plain arithmetic, which is followed as any
    other where a word may be a number at times. Of the call, the flag is left."""
    calls = [i for i in function.instructions() if isinstance(i, ir.Call) and isinstance(i.callee, Function)]
    known = [(i, match) for i in calls if (match := _OVERFLOWS.match(i.callee.name))]  # type: ignore[attr-defined]
    if not known:
        return
    read = users(function)
    replaced: dict[Value, Value] = {}
    for call, match in known:
        if not all(isinstance(user, ir.ExtractValue) for user in read.get(call, ())):
            continue
        parts = [
            user for user in read.get(call, ()) if isinstance(user, ir.ExtractValue) and tuple(user.indices) == (0,)
        ]
        if parts:
            builder = in_front_of(call)
            replaced |= dict.fromkeys(parts, builder.binary(match[1], call.arguments[0], call.arguments[1]))
        call.metadata = ", ".join(filter(None, (call.metadata, f"{FLAG_ONLY} !{{}}")))
    replace_values(function, replaced)
    remove_instructions(function, replaced.keys())


def _remove(builder: Builder, call: ir.Call) -> None:
    at = builder.block.instructions.index(call)
    del builder.block.instructions[at]
    for record in builder.block.records:
        if record.index > at:
            record.index -= 1


def _plain(module: Module, builder: Builder, call: ir.Call, callee: Function) -> Value | None:
    """The value of the call in plainer instructions; None where it is plain."""
    if callee.name in COMPLEX_CALLS:
        return _complex(module, builder, call, COMPLEX_CALLS[callee.name])
    if callee.name.startswith(_CONSTRAINED):
        return _constrained(module, builder, call, callee.name[len(_CONSTRAINED) :])
    if callee.name.startswith(("llvm.masked.load.", "llvm.masked.store.")):
        return plain_masked(module.layout, builder, call)
    if callee.name.startswith("llvm.x86.avx2.gather.") and call.type.is_float_like:
        return plain_gather(module.layout, builder, call)
    if callee.name.startswith("llvm."):
        return plain_vector(module, builder, call, callee.name[5:])
    return None


_OVERFLOWS = regex(r"llvm\.[su](add|sub|mul)\.with\.overflow\.i\d+$")
_CONSTRAINED = "llvm.experimental.constrained."
_CASTS = frozenset(["fptosi", "fptoui", "sitofp", "uitofp", "fpext", "fptrunc"])


def _constrained(module: Module, builder: Builder, call: ir.Call, name: str) -> Value | None:
    operation, _, overloads = name.partition(".")
    operands = [a for a in call.arguments if not isinstance(a, MetadataOperand)]
    if operation in FLOAT_BINARY:
        return builder.binary(operation, operands[0], operands[1], call.flags)
    if operation in _CASTS:
        return builder.cast(operation, operands[0], call.type)
    if operation in ("fcmp", "fcmps"):
        predicate = next(a.text for a in call.arguments if isinstance(a, MetadataOperand)).strip('!"')
        return builder.fcmp(predicate, operands[0], operands[1])
    type_ = function_type(call.type, tuple(operand.type for operand in operands))
    return builder.call(module.declare(f"llvm.{operation}.{overloads}", type_), operands, flags=call.flags)


def _complex(module: Module, builder: Builder, call: ir.Call, function: ComplexCall) -> Value | None:
    t = function.type
    parts: list[Value] = []
    for argument in call.arguments:
        if isinstance(argument.type, VectorType) and argument.type.count == 2 and argument.type.element is t:
            parts += [builder.extract_element(argument, at) for at in (0, 1)]
        elif isinstance(argument.type, PointerType):
            parts += [builder.load(t, builder.ptradd(argument, offset), 16) for offset in (0, 16)]
        elif argument.type is t:
            parts.append(argument)
    if len(parts) != function.parts:
        return None
    if function.row in ("creal", "cimag"):
        return parts[function.row == "cimag"]
    if function.row == "hypot":
        known = spelling("hypot", t)
        assert known is not None
        return builder.call(module.declare(known.name, known.type, known.attributes), parts)
    pair = struct_type((t, t))
    type_ = function_type(pair if function.complex_result else t, (t,) * len(parts))
    result: Value = builder.call(module.declare(function.helper, type_), parts)
    if call.type is not result.type and function.complex_result and t is FLOAT:
        vector: Value = poison(call.type)
        for at in (0, 1):
            vector = builder.insert_element(vector, builder.extract_value(result, at), at)
        return vector
    return result
