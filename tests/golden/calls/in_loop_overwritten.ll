; s = s + g(a) while a[0] changes: g's reverse pass must not read a again.
; a: 2, 6, 18; sum of squares 4 + 36 + 324, derivative 2·2·(1 + 9 + 81) = 364.
; DIFFERENTIATE: reverse @f(dup)
; VALUE: ([2.0], [0.0]) -> ([364.0])
define internal double @g(ptr %a) noinline {
  %v = load double, ptr %a, align 8
  %r = fmul double %v, %v
  ret double %r
}
define double @f(ptr %a) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %w = call double @g(ptr %a)
  %t = fadd double %s, %w
  %v = load double, ptr %a, align 8
  %new = fmul double %v, 3.0
  store double %new, ptr %a, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 3
  br i1 %more, label %loop, label %exit
exit:
  ret double %t
}
