"""Functions that derivatives call, as IR text; they become internal functions of the module on demand.

They keep no state: lists of postponed deallocations belong to the derivative call that made them, so derivatives are
re-entrant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InternalError
from enzyme_build.ir.function import Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import FloatType, Type
from enzyme_build.rules.special import helper as special_helper

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module

# Moves the adjoints of a copied run back: source += destination, destination = 0, every `stride` bytes.
_ADJOINT_COPY: Final = """
define internal void @enzyme_build.adjoint_copy.{type}(ptr %d, ptr %s, i64 %count, i64 %stride, i1 %keep) alwaysinline nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  %q = getelementptr inbounds i8, ptr %s, i64 %at
  %bar = load {type}, ptr %p, align {align}
  store {type} {zero}, ptr %p, align {align}
  br i1 %keep, label %accumulate, label %more

accumulate:
  %old = load {type}, ptr %q, align {align}
  %new = fadd {type} %old, %bar
  store {type} %new, ptr %q, align {align}
  br label %more

more:
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

# Copies or clears one field of every element of a run.
_FIELD_COPY: Final = """
define internal void @enzyme_build.field_copy.{type}(ptr %d, ptr %s, i64 %count, i64 %stride) alwaysinline nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  %q = getelementptr inbounds i8, ptr %s, i64 %at
  %v = load {type}, ptr %q, align {align}
  store {type} %v, ptr %p, align {align}
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

_FIELD_CLEAR: Final = """
define internal void @enzyme_build.field_clear.{type}(ptr %d, i64 %count, i64 %stride) alwaysinline nounwind {{
entry:
  %none = icmp sle i64 %count, 0
  br i1 %none, label %done, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = mul i64 %i, %stride
  %p = getelementptr inbounds i8, ptr %d, i64 %at
  store {type} {zero}, ptr %p, align {align}
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %count
  br i1 %end, label %done, label %loop

done:
  ret void
}}
"""

_FIXED: Final = {
    # Memory for the tape that cannot be had ends the program with a message, not with a null write.
    "enzyme_build.reserve": """
@enzyme_build.out_of_memory = private unnamed_addr constant [46 x i8] c"enzyme_build: out of memory for the AD tape\\0A\\00\\00"
declare ptr @realloc(ptr, i64)
declare i64 @write(i32, ptr, i64)
declare void @abort()
define internal noalias ptr @enzyme_build.reserve(ptr %old, i64 %bytes) noinline nounwind {
entry:
  %p = call ptr @realloc(ptr %old, i64 %bytes)
  %failed = icmp eq ptr %p, null
  br i1 %failed, label %stop, label %good

good:
  ret ptr %p

stop:
  %w = call i64 @write(i32 2, ptr @enzyme_build.out_of_memory, i64 44)
  call void @abort()
  unreachable
}
""",
    "enzyme_build.defer": """
declare ptr @enzyme_build.reserve(ptr, i64)
define internal void @enzyme_build.defer(ptr %list, ptr %memory, ptr %deallocate) noinline nounwind {
entry:
  %nothing = icmp eq ptr %memory, null
  br i1 %nothing, label %done, label %push

push:
  %node = call ptr @enzyme_build.reserve(ptr null, i64 24)
  %next = load ptr, ptr %list, align 8
  store ptr %next, ptr %node, align 8
  %m = getelementptr i8, ptr %node, i64 8
  store ptr %memory, ptr %m, align 8
  %f = getelementptr i8, ptr %node, i64 16
  store ptr %deallocate, ptr %f, align 8
  store ptr %node, ptr %list, align 8
  br label %done

done:
  ret void
}
""",
    "enzyme_build.release": """
declare void @free(ptr)
define internal void @enzyme_build.release(ptr %list) noinline nounwind {
entry:
  %first = load ptr, ptr %list, align 8
  br label %test

test:
  %node = phi ptr [ %first, %entry ], [ %next, %body ]
  %end = icmp eq ptr %node, null
  br i1 %end, label %done, label %body

body:
  %next = load ptr, ptr %node, align 8
  %m = getelementptr i8, ptr %node, i64 8
  %memory = load ptr, ptr %m, align 8
  %f = getelementptr i8, ptr %node, i64 16
  %deallocate = load ptr, ptr %f, align 8
  call void %deallocate(ptr %memory)
  call void @free(ptr %node)
  br label %test

done:
  store ptr null, ptr %list, align 8
  ret void
}
""",
}

_ZEROS: Final = {"x86_fp80": "0xK00000000000000000000", "half": "0xH0000", "bfloat": "0xR0000"}
_TYPED: Final = {"adjoint_copy": _ADJOINT_COPY, "field_copy": _FIELD_COPY, "field_clear": _FIELD_CLEAR}


def runtime_function(module: Module, name: str) -> Function:
    """The function `name` (without the prefix) of the module, added now if it is not there."""
    symbol = f"enzyme_build.{name}"
    found = module.globals.get(symbol)
    if isinstance(found, Function) and not found.is_declaration:
        return found
    text = _FIXED.get(symbol)
    if text is None:
        raise InternalError(f"no runtime function {name}")
    return add_text(module, text, symbol)


def typed_function(module: Module, name: str, type_: Type, size: int) -> Function:
    """A runtime function for elements of `type_`."""
    symbol = f"enzyme_build.{name}.{type_}"
    found = module.globals.get(symbol)
    if isinstance(found, Function):
        return found
    zero = _ZEROS.get(type_.text, "0.0") if isinstance(type_, FloatType) else "null"
    # Elements of packed structs may lie anywhere; x86 reads them all the same.
    align = 1 if size not in (2, 4, 8, 16) else size
    return add_text(module, _TYPED[name].format(type=type_.text, align=min(align, 4), zero=zero), symbol)


def ensure_helpers(module: Module) -> None:
    """Define the special functions (digamma …) that formulas of the tables called."""
    pending = [f.name for f in module.functions if f.is_declaration and f.name.startswith("enzyme_build.")]
    while pending:
        name = pending.pop()
        helper = special_helper(name)
        if helper is not None:
            needs = [special_helper(other) for other in helper.helpers]
            heads = [need.text.split("{", 1)[0].replace("define internal", "declare") for need in needs if need]
            add_text(module, "\n".join([*helper.declarations, *heads, helper.text]), name)
            pending += [other for other in helper.helpers if other not in module.globals]
        elif name in _FIXED:
            add_text(module, _FIXED[name], name)


def add_text(module: Module, text: str, symbol: str) -> Function:
    """Add function `symbol` of an IR text to the module, with the globals and declarations it refers to."""
    own = parse_module(text)
    source = own.function(symbol)
    declared = module.globals.get(symbol)
    for block in source.blocks:
        for instruction in block.instructions:
            for at, operand in enumerate(instruction.operands):
                name = getattr(operand, "name", None)
                if operand is source or not name or name not in own.globals:
                    continue
                if isinstance(operand, Function):
                    instruction.operands[at] = module.declare(name, operand.function_type, operand.suffix)
                elif name in module.globals:
                    instruction.operands[at] = module.globals[name]
                else:
                    instruction.operands[at] = module.add_global(own.globals[name].raw)  # type: ignore[attr-defined]
    if isinstance(declared, Function):
        # Others refer to the declaration: give that object the body.
        declared.arguments, declared.blocks = source.arguments, source.blocks
        declared.prefix, declared.suffix, declared.linkage = source.prefix, source.suffix, source.linkage
        declared.is_declaration = False
        for block in source.blocks:
            block.function = declared
        return declared
    return module.add_function(source)
