"""Functions that derivatives call, as IR text; they become internal functions of the module on demand.

The only state they keep is a stock of unused memory: lists of postponed deallocations belong to the derivative call
that made them, so derivatives are re-entrant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.demangle import demangled
from enzyme_build.errors import InternalError
from enzyme_build.ir.debug import portable_name
from enzyme_build.ir.function import Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import I64, PTR, FloatType, Type, struct_type
from enzyme_build.ir.values import Value, const_int
from enzyme_build.regex import regex

from .runtime_arenas import ARENAS
from .runtime_askew import ASKEW
from .runtime_checkpoints import CHECKPOINTS
from .runtime_copies import COPIES
from .runtime_foreign import FOREIGN
from .runtime_kept import KEPT
from .runtime_links import LINKS
from .runtime_noted import NOTED
from .runtime_notes import NOTES
from .runtime_overlaps import OVERLAPS
from .runtime_shadows import SHADOWS
from .runtime_sorts import SORTS
from .runtime_trees import TREES
from .runtime_unions import UNIONS
from .runtime_windows import WINDOWS
from .runtime_words import WORDS

if TYPE_CHECKING:
    from enzyme_build.ir.builder import Builder
    from enzyme_build.ir.module import Module

_FIXED: Final = {
    # A tape that was made for other activities, or by another function.
    "enzyme_build.check_tape": """
@enzyme_build.wrong_tape = private unnamed_addr constant [101 x i8] c"enzyme_build: this tape is not of the pass that reads it (of other arguments, activities or options)\\0A"
declare i64 @write(i32, ptr, i64)
declare void @abort()
define internal void @enzyme_build.check_tape(i1 %fits) nounwind {
entry:
  br i1 %fits, label %done, label %stop

done:
  ret void

stop:
  %w = call i64 @write(i32 2, ptr @enzyme_build.wrong_tape, i64 101)
  call void @abort()
  unreachable
}
""",  # noqa: E501
    # Remarks: see `overwritten`.
    "enzyme_build.new_text": """
define internal ptr @enzyme_build.new_text(ptr %where) alwaysinline nounwind {
  %p = load ptr, ptr %where
  ret ptr %p
}
""",
    "enzyme_build.overwritten": """
define internal void @enzyme_build.overwritten(ptr %p, i64 %bytes) alwaysinline nounwind {
  ret void
}
""",
    "enzyme_build.setting": """
define internal float @enzyme_build.setting(i32 %bits) alwaysinline nounwind willreturn memory(none) {
entry:
  %number = bitcast i32 %bits to float
  ret float %number
}
""",
    # A dynamic_cast that leads to another part of a larger object than its type says.
    "enzyme_build.same_object": """
@enzyme_build.cast_across = internal constant [58 x i8] c"enzyme_build: a dynamic_cast across classes has no shadow\\0A"
declare i64 @write(i32, ptr, i64)
declare void @abort()
define internal void @enzyme_build.same_object(ptr %found, ptr %expected) noinline optsize nounwind {
entry:
  %failed = icmp eq ptr %found, null
  %same = icmp eq ptr %found, %expected
  %fine = or i1 %failed, %same
  br i1 %fine, label %done, label %stop

done:
  ret void

stop:
  %w = call i64 @write(i32 2, ptr @enzyme_build.cast_across, i64 58)
  call void @abort()
  unreachable
}
""",
    # A pointer to a function that nothing is known about.
    # The sign bit alone is -0.0.
    "enzyme_build.moved_part": """
declare void @enzyme_build.unknown_target(ptr, i64)
define internal void @enzyme_build.moved_part(i64 %bits, ptr %text, i64 %length) alwaysinline nounwind {
entry:
  %some = and i64 %bits, 9187201950435737471
  %any = icmp ne i64 %some, 0
  br i1 %any, label %stop, label %done
stop:
  call void @enzyme_build.unknown_target(ptr %text, i64 %length)
  unreachable
done:
  ret void
}
""",
    "enzyme_build.say": """
declare i64 @write(i32, ptr, i64)
define internal void @enzyme_build.say(ptr %text, i64 %length) noinline optsize nounwind cold {
entry:
  %w = call i64 @write(i32 2, ptr %text, i64 %length)
  ret void
}
""",
    "enzyme_build.unknown_target": """
declare i64 @write(i32, ptr, i64)
declare void @abort()
define internal void @enzyme_build.unknown_target(ptr %text, i64 %length) noinline noreturn nounwind cold {
entry:
  %w = call i64 @write(i32 2, ptr %text, i64 %length)
  call void @abort()
  unreachable
}
""",
}

TEXTS: Final = (
    _FIXED
    | ARENAS
    | KEPT
    | WINDOWS
    | LINKS
    | TREES
    | CHECKPOINTS
    | SHADOWS
    | FOREIGN
    | WORDS
    | UNIONS
    | SORTS
    | OVERLAPS
    | ASKEW
    | NOTES
    | NOTED
)

ARENA_TYPE: Final = struct_type((PTR, PTR, I64, I64))

_PLACE: Final = regex(r"/[^\n]*?(?=:\d+(?::\d+)?: )")
"""The file of a place in the source that a message begins with, named from the root."""
_ZEROS: Final = {"x86_fp80": "0xK00000000000000000000", "half": "0xH0000", "bfloat": "0xR0000"}


CALLING_CONVENTION: Final = 3
"""Of exported derivatives: to be raised when their parameters, or what lies where in memory, change; or when links rely
on more of what their descriptions say. (1: nothing was told of the memory that the functions use; 2: memory to which
pointers were returned had to last.)"""


def conventions() -> str:
    """Changes with what derivatives of different links must agree upon: parameters, the arena, who deallocates what."""
    texts = "".join(TEXTS[name] for name in sorted(TEXTS))
    import hashlib

    return hashlib.blake2b(f"{CALLING_CONVENTION} {texts}".encode(), digest_size=4).hexdigest()


def runtime_function(module: Module, name: str) -> Function:
    """The function `name` (without the prefix) of the module, declared if it is not there.

    Bodies come at the end (`helpers.ensure_helpers`): a derivative that is differentiated again calls these as known
    functions.
    """
    symbol = f"enzyme_build.{name}"
    found = module.globals.get(symbol)
    if isinstance(found, Function):
        return found
    text = TEXTS.get(symbol)
    if text is None:
        raise InternalError(f"no runtime function {name}")
    own = parse_module(text).function(symbol)
    prefix = "noalias" if "noalias" in own.prefix else ""
    return module.declare(symbol, own.function_type, own.suffix, prefix)


def stop_with(module: Module, builder: Builder, message: str) -> None:
    """End the program with a message on standard error."""
    builder.call(runtime_function(module, "unknown_target"), _message(module, message))
    builder.unreachable()


def stop_if(module: Module, builder: Builder, bits: Value, message: str) -> None:
    """End the program where a part of a number is not zero."""
    builder.call(runtime_function(module, "moved_part"), [bits, *_message(module, message)])


def say(module: Module, builder: Builder, message: str) -> None:
    """Tell the user something, where the program goes on or ends by itself."""
    builder.call(runtime_function(module, "say"), _message(module, message))


def _message(module: Module, message: str) -> list[Value]:
    """Address and length of a text, which is named by what it says: one place may ask for it many times."""
    if at := _PLACE.match(message):
        message = portable_name(module, at[0]) + message[at.end() :]
    text = f"enzyme_build: {demangled(message)}\n".encode()
    import hashlib

    name = f"enzyme_build.stop.text.{hashlib.sha256(text).hexdigest()[:16]}"
    constant = module.globals.get(name)
    if constant is None:
        quoted = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in text)
        initializer = f'[{len(text)} x i8] c"{quoted}"'
        constant = module.add_global(f'@"{name}" = private unnamed_addr constant {initializer}, align 1')
    return [constant, const_int(I64, len(text))]


def typed_function(module: Module, name: str, type_: Type, size: int) -> Function:
    """A runtime function for elements of `type_`."""
    symbol = f"enzyme_build.{name}.{type_}"
    found = module.globals.get(symbol)
    if isinstance(found, Function):
        return found
    zero = _ZEROS.get(type_.text, "0.0") if isinstance(type_, FloatType) else "null" if type_ is PTR else "0"
    # Elements of packed structs may lie anywhere; x86 reads them all the same.
    align = 1 if size not in (2, 4, 8, 16) else size
    return add_text(module, COPIES[name].format(type=type_.text, size=size, align=min(align, 4), zero=zero), symbol)


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
        if symbol in module.spans:
            module.replace_function(symbol)
        return declared
    return module.add_function(source)
