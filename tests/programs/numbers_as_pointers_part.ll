; For numbers_as_pointers.c
; Constant numbers are written as pointers, as LLVM does where another variant of an enum has one; marks are pointers.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare noalias ptr @malloc(i64)
declare void @free(ptr)

; { tag, number or pointer }: 0.3, -2.5, a number that depends on x, or its address.
define internal void @fill(ptr %cell, ptr %x, i64 %kind) noinline {
  %tag = icmp eq i64 %kind, 3
  %wide = zext i1 %tag to i64
  store i64 %wide, ptr %cell, align 8
  %at = getelementptr i8, ptr %cell, i64 8
  switch i64 %kind, label %address [ i64 0, label %small
                                     i64 1, label %negative
                                     i64 2, label %number ]
small:
  store ptr inttoptr (i64 4599075939470750515 to ptr), ptr %at, align 8
  ret void
negative:
  store ptr inttoptr (i64 -4610560118520545280 to ptr), ptr %at, align 8
  %again = load double, ptr %x, align 8
  %some = fcmp ogt double %again, 1.0e+03
  br i1 %some, label %number, label %done
number:
  %v = load double, ptr %x, align 8
  %w = fmul double %v, 1.5
  store double %w, ptr %at, align 8
  ret void
address:
  store ptr %x, ptr %at, align 8
  ret void
done:
  ret void
}

define internal double @value(ptr %cell) noinline {
  %tag = load i64, ptr %cell, align 8
  %at = getelementptr i8, ptr %cell, i64 8
  %direct = icmp eq i64 %tag, 0
  br i1 %direct, label %own, label %other
own:
  %v = load double, ptr %at, align 8
  ret double %v
other:
  %p = load ptr, ptr %at, align 8
  %w = load double, ptr %p, align 8
  ret double %w
}

define double @summed(ptr %x, i32 %n) {
entry:
  %cells = call noalias ptr @malloc(i64 64)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %more, %loop ]
  %cell = getelementptr [2 x i64], ptr %cells, i64 %i
  %p = getelementptr double, ptr %x, i64 %i
  call void @fill(ptr %cell, ptr %p, i64 %i)
  %v = call double @value(ptr %cell)
  %u = load double, ptr %p, align 8
  %product = fmul double %u, %v
  %more = fadd double %sum, %product
  ; The number that was a constant before depends on x now.
  call void @fill(ptr %cell, ptr %x, i64 2)
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, 4
  br i1 %again, label %loop, label %end
end:
  %last = getelementptr [2 x i64], ptr %cells, i64 1
  %w = call double @value(ptr %last)
  %result = fadd double %more, %w
  call void @free(ptr %cells)
  ret double %result
}
