"""Memory for tapes, and deallocations that wait for the end of a derivative, as IR text (see `runtime`)."""

from __future__ import annotations

from typing import Final

ARENAS: Final = {
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
