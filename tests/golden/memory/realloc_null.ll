; An array that starts as a null pointer and grows: realloc(null) allocates.
; 2x + 2x·2x: derivative 2 + 8x.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (3.0) -> (26.0)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)
define double @f(double %x) {
entry:
  %d = fmul double %x, 2.0
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %loop ]
  %v = phi double [ %d, %entry ], [ %w, %loop ]
  %p = phi ptr [ null, %entry ], [ %q, %loop ]
  %n = add nuw nsw i64 %i, 1
  %size = shl i64 %n, 3
  %q = call ptr @realloc(ptr %p, i64 %size)
  %at = getelementptr double, ptr %q, i64 %i
  store double %v, ptr %at, align 8
  %w = fmul double %v, %d
  %more = icmp ult i64 %n, 2
  br i1 %more, label %loop, label %exit
exit:
  %z = phi ptr [ %q, %loop ]
  %second = getelementptr double, ptr %z, i64 1
  %a = load double, ptr %z, align 8
  %b = load double, ptr %second, align 8
  %r = fadd double %a, %b
  call void @free(ptr %z)
  ret double %r
}
