; { i64 count; double value }: only the numbers get adjoints; the integer of the shadow is left alone.
; DIFFERENTIATE: reverse @f(dup, const)
; VALUE: ([f64(1), 2.0, f64(2), 3.0], [f64(9), 0.0, f64(9), 0.0], 2) -> ([f64(9), 4.0, f64(9), 6.0])
define double @f(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %e = getelementptr { i64, double }, ptr %p, i64 %i
  %count = load i64, ptr %e, align 8
  %used = icmp sgt i64 %count, 0
  %at = getelementptr i8, ptr %e, i64 8
  %v = load double, ptr %at, align 8
  %w = fmul double %v, %v
  %k = select i1 %used, double %w, double 0.0
  %t = fadd double %s, %k
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %t, %loop ]
  ret double %r
}
