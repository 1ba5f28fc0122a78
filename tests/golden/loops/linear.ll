; A sum over scaled elements keeps nothing.
; DIFFERENTIATE: reverse @sum(dup, const, const)
; VALUE: ([1.0, 2.0, 3.0], [0.0, 0.0, 0.5], 3, 2.0) -> ([2.0, 2.0, 2.5])
define double @sum(ptr %a, i64 %n, double %k) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %k
  %t = fadd double %s, %w
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %t, %loop ]
  ret double %r
}
; CHECK-NOT: call ptr @enzyme_build
