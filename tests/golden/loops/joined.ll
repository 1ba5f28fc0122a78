; What one loop stores and the next one reads: y_i = x_i c, then sum of i y_i². Both reverse loops are one, where the
; adjoint of y is added to, taken and cleared in the same iteration.
; DIFFERENTIATE: reverse @f(dup, dup, const, active)
; VALUE: ([1.0, 2.0, 3.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [10.0, 0.0, 1.0], 3, 2.0) -> ([0.5 + 20.0, 16.0, 48.0 + 2.0], [0.0, 0.0, 0.0], 10.0 + 3.0 + 4.0 * 22.0)
; VALUE: ([5.0], [0.0], [0.0], [1.0], 1, 3.0) -> ([3.0], [0.0], 5.0)
define double @f(ptr noalias %x, ptr noalias %y, i64 %n, double %c) {
entry:
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %p = getelementptr inbounds double, ptr %x, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %c
  %q = getelementptr inbounds double, ptr %y, i64 %i
  store double %w, ptr %q, align 8
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %fill, label %between
between:
  br label %read
read:
  %j = phi i64 [ 0, %between ], [ %j.next, %read ]
  %s = phi double [ 0.0, %between ], [ %t, %read ]
  %r = getelementptr inbounds double, ptr %y, i64 %j
  %a = load double, ptr %r, align 8
  %k = uitofp i64 %j to double
  %aa = fmul double %a, %a
  %kaa = fmul double %aa, %k
  %t = fadd double %s, %kaa
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %read, label %exit
exit:
  %result = phi double [ %t, %read ]
  ret double %result
}
; CHECK: read.reverse:
; CHECK: br label %fill.reverse
; CHECK: fill.again:
; CHECK: br label %read.again
