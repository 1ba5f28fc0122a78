"""Functions that derivatives call, as IR text; they become internal functions of the module on demand.

The only state they keep is a stock of unused memory: lists of postponed deallocations belong to the derivative call
that made them, so derivatives are re-entrant.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from enzyme_build.errors import InternalError
from enzyme_build.ir.function import Function
from enzyme_build.ir.parser import parse_module
from enzyme_build.ir.types import I64, PTR, FloatType, Type, struct_type
from enzyme_build.ir.values import Value, const_int

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
    # Memory for the tape that cannot be had ends the program with a message, not with a null write.
    "enzyme_build.reserve": """
@enzyme_build.out_of_memory = private unnamed_addr constant [46 x i8] c"enzyme_build: out of memory for the AD tape\\0A\\00\\00"
declare ptr @realloc(ptr, i64)
declare i64 @write(i32, ptr, i64)
declare void @abort()
define internal noalias ptr @enzyme_build.reserve(ptr %old, i64 %bytes) noinline optsize nounwind {
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
""",  # noqa: E501
    # Blocks for the arena begin on cache lines, so that vectors in them are aligned.
    "enzyme_build.reserve_aligned": """
@enzyme_build.no_memory = private unnamed_addr constant [44 x i8] c"enzyme_build: out of memory for the AD tape\\0A"
declare noalias ptr @aligned_alloc(i64, i64)
declare i64 @write(i32, ptr, i64)
declare void @abort()
define internal noalias ptr @enzyme_build.reserve_aligned(i64 %bytes) noinline optsize nounwind {
entry:
  %more = add i64 %bytes, 63
  %whole = and i64 %more, -64
  %p = call ptr @aligned_alloc(i64 64, i64 %whole)
  %failed = icmp eq ptr %p, null
  br i1 %failed, label %stop, label %good

good:
  ret ptr %p

stop:
  %w = call i64 @write(i32 2, ptr @enzyme_build.no_memory, i64 44)
  call void @abort()
  unreachable
}
""",
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
    # Tape blocks are large and short-lived; what the system charges for fresh pages is often more than the derivative
    # costs. A few returned blocks wait for the next call: each slot is emptied and filled by one atomic exchange, so
    # any number of threads may differentiate at once. In front of a block stands its size.
    "enzyme_build.tape_take": """
@enzyme_build.tape_blocks = internal global [16 x ptr] zeroinitializer, align 8
declare ptr @enzyme_build.reserve_aligned(i64)
declare void @free(ptr)
define internal noalias ptr @enzyme_build.tape_take(i64 %bytes) noinline optsize nounwind {
entry:
  br label %search

search:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %slot = getelementptr ptr, ptr @enzyme_build.tape_blocks, i64 %i
  %seen = load atomic ptr, ptr %slot monotonic, align 8
  %bare = icmp eq ptr %seen, null
  br i1 %bare, label %more, label %grab

grab:
  %block = atomicrmw xchg ptr %slot, ptr null acq_rel, align 8
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %more, label %inspect

inspect:
  %size = load i64, ptr %block, align 8
  %enough = icmp uge i64 %size, %bytes
  br i1 %enough, label %found, label %back

found:
  %ready = getelementptr i8, ptr %block, i64 64
  ret ptr %ready

back:
  %other = atomicrmw xchg ptr %slot, ptr %block acq_rel, align 8
  call void @free(ptr %other)
  br label %more

more:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 16
  br i1 %end, label %fresh, label %search

fresh:
  %whole = add i64 %bytes, 64
  %new = call ptr @enzyme_build.reserve_aligned(i64 %whole)
  store i64 %bytes, ptr %new, align 8
  %data = getelementptr i8, ptr %new, i64 64
  ret ptr %data
}
""",
    "enzyme_build.tape_give": """
@enzyme_build.tape_blocks = internal global [16 x ptr] zeroinitializer, align 8
declare void @free(ptr)
define internal void @enzyme_build.tape_give(ptr %data) noinline optsize nounwind {
entry:
  %nothing = icmp eq ptr %data, null
  br i1 %nothing, label %done, label %measure

measure:
  %block = getelementptr i8, ptr %data, i64 -64
  %size = load i64, ptr %block, align 8
  %small = icmp ult i64 %size, 65536
  %huge = icmp ugt i64 %size, 536870912
  %other = or i1 %small, %huge
  br i1 %other, label %drop, label %search

search:
  %i = phi i64 [ 0, %measure ], [ %next, %more ]
  %slot = getelementptr ptr, ptr @enzyme_build.tape_blocks, i64 %i
  %pair = cmpxchg ptr %slot, ptr null, ptr %block acq_rel monotonic, align 8
  %taken = extractvalue { ptr, i1 } %pair, 1
  br i1 %taken, label %done, label %more

more:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, 16
  br i1 %end, label %replace, label %search

replace:
  %old = atomicrmw xchg ptr @enzyme_build.tape_blocks, ptr %block acq_rel, align 8
  call void @free(ptr %old)
  br label %done

drop:
  call void @free(ptr %block)
  br label %done

done:
  ret void
}
""",
    # An arena hands out memory in order and takes it back as a whole: %arena is { list of postponed deallocations,
    # newest chunk, bytes used of it, its size }. A chunk begins with the address of the one before it, and how much was
    # used of itself. An arena that needed several chunks leaves one block for the next call that has room for all that
    # was used: where several arenas live at once, each may find the block of another one first.
    "enzyme_build.arena_take": """
declare ptr @enzyme_build.arena_chunk(ptr, i64)
define internal noalias ptr @enzyme_build.arena_take(ptr %arena, i64 %bytes) nounwind {
entry:
  %more = add i64 %bytes, 63
  %wanted = and i64 %more, -64
  %pu = getelementptr i8, ptr %arena, i64 16
  %used = load i64, ptr %pu, align 8
  %pz = getelementptr i8, ptr %arena, i64 24
  %size = load i64, ptr %pz, align 8
  %after = add i64 %used, %wanted
  %fits = icmp ule i64 %after, %size
  br i1 %fits, label %here, label %fresh

here:
  %pc = getelementptr i8, ptr %arena, i64 8
  %chunk = load ptr, ptr %pc, align 8
  store i64 %after, ptr %pu, align 8
  %data = getelementptr i8, ptr %chunk, i64 %used
  ret ptr %data

fresh:
  %new = call ptr @enzyme_build.arena_chunk(ptr %arena, i64 %wanted)
  ret ptr %new
}
""",
    "enzyme_build.arena_chunk": """
declare ptr @enzyme_build.tape_take(i64)
declare i64 @llvm.umax.i64(i64, i64)
define internal noalias ptr @enzyme_build.arena_chunk(ptr %arena, i64 %wanted) noinline optsize nounwind {
entry:
  %pc = getelementptr i8, ptr %arena, i64 8
  %pu = getelementptr i8, ptr %arena, i64 16
  %pz = getelementptr i8, ptr %arena, i64 24
  %old = load ptr, ptr %pc, align 8
  %size = load i64, ptr %pz, align 8
  %need = add i64 %wanted, 64
  %double = shl i64 %size, 1
  %floor = call i64 @llvm.umax.i64(i64 %double, i64 8128)
  %next = call i64 @llvm.umax.i64(i64 %floor, i64 %need)
  %chunk = call ptr @enzyme_build.tape_take(i64 %next)
  %block = getelementptr i8, ptr %chunk, i64 -64
  %given = load i64, ptr %block, align 8
  %used = load i64, ptr %pu, align 8
  %none = icmp eq ptr %old, null
  %filled = select i1 %none, ptr %chunk, ptr %old
  %of = getelementptr i8, ptr %filled, i64 8
  store i64 %used, ptr %of, align 8
  store ptr %old, ptr %chunk, align 8
  store ptr %chunk, ptr %pc, align 8
  store i64 %need, ptr %pu, align 8
  store i64 %given, ptr %pz, align 8
  %data = getelementptr i8, ptr %chunk, i64 64
  ret ptr %data
}
""",
    "enzyme_build.setting": """
define internal float @enzyme_build.setting(i32 %bits) alwaysinline nounwind willreturn memory(none) {
entry:
  %number = bitcast i32 %bits to float
  ret float %number
}
""",
    "enzyme_build.arena_grow": """
declare ptr @enzyme_build.arena_take(ptr, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal noalias ptr @enzyme_build.arena_grow(ptr %arena, ptr %old, i64 %used, i64 %bytes) noinline optsize nounwind {
entry:
  %new = call ptr @enzyme_build.arena_take(ptr %arena, i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %used, i1 false)
  ret ptr %new
}
""",  # noqa: E501 - a header is one line
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
    "enzyme_build.defer": """
declare ptr @enzyme_build.reserve(ptr, i64)
define internal void @enzyme_build.defer(ptr %list, ptr %memory, ptr %deallocate) noinline optsize nounwind {
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
declare void @enzyme_build.tape_give(ptr)
declare ptr @enzyme_build.reserve_aligned(i64)
define internal void @enzyme_build.release(ptr %list) noinline optsize nounwind {
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
  %pc = getelementptr i8, ptr %list, i64 8
  %newest = load ptr, ptr %pc, align 8
  %none = icmp eq ptr %newest, null
  br i1 %none, label %finished, label %first.chunk

first.chunk:
  %before.newest = load ptr, ptr %newest, align 8
  %only = icmp eq ptr %before.newest, null
  br i1 %only, label %give, label %chunks

give:
  call void @enzyme_build.tape_give(ptr %newest)
  br label %finished

chunks:
  %pu = getelementptr i8, ptr %list, i64 16
  %used.newest = load i64, ptr %pu, align 8
  br label %add

add:
  %counted = phi ptr [ %before.newest, %chunks ], [ %before.counted, %more ]
  %total = phi i64 [ %used.newest, %chunks ], [ %sum, %more ]
  %all = icmp eq ptr %counted, null
  br i1 %all, label %compare, label %more

more:
  %before.counted = load ptr, ptr %counted, align 8
  %of = getelementptr i8, ptr %counted, i64 8
  %used = load i64, ptr %of, align 8
  %sum = add i64 %total, %used
  br label %add

compare:
  %head = getelementptr i8, ptr %newest, i64 -64
  %given = load i64, ptr %head, align 8
  %enough = icmp uge i64 %given, %total
  br label %each

each:
  %chunk = phi ptr [ %newest, %compare ], [ %before, %given.back ], [ %before, %drop ]
  %last = icmp eq ptr %chunk, null
  br i1 %last, label %end.of.chunks, label %one

one:
  %before = load ptr, ptr %chunk, align 8
  br i1 %enough, label %given.back, label %drop

given.back:
  call void @enzyme_build.tape_give(ptr %chunk)
  br label %each

drop:
  %block = getelementptr i8, ptr %chunk, i64 -64
  call void @free(ptr %block)
  br label %each

end.of.chunks:
  br i1 %enough, label %finished, label %join

join:
  %whole = add i64 %total, 64
  %joined = call ptr @enzyme_build.reserve_aligned(i64 %whole)
  store i64 %total, ptr %joined, align 8
  %joined.data = getelementptr i8, ptr %joined, i64 64
  call void @enzyme_build.tape_give(ptr %joined.data)
  br label %finished

finished:
  ret void
}
""",
}

TEXTS: Final = (
    _FIXED
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

_ZEROS: Final = {"x86_fp80": "0xK00000000000000000000", "half": "0xH0000", "bfloat": "0xR0000"}


CALLING_CONVENTION: Final = 1
"""Of exported derivatives: to be raised when their parameters, or what lies where in memory, change."""


def conventions() -> str:
    """Changes with what derivatives of different links must agree upon: parameters, the arena, who deallocates what."""
    texts = "".join(TEXTS[name] for name in sorted(TEXTS))
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
    text = f"enzyme_build: {message}\n".encode()
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
