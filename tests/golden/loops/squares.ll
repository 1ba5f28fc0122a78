; A sum of squares reads the elements again: nobody has overwritten them.
; DIFFERENTIATE: reverse @squares(dup, const)
; VALUE: ([1.0, -2.0, 3.0], [0.0, 0.0, 0.0], 3) -> ([2.0, -4.0, 6.0])
; VALUE: ([1.0, -2.0, 3.0], [0.0, 1.0, 0.0], 1) -> ([2.0, 1.0, 0.0])
define double @squares(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  %t = fadd double %s, %w
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %t, %loop ]
  ret double %r
}
; CHECK-NOT: call ptr @enzyme_build
