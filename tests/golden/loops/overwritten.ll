; a[i] = a[i]²: the old element is overwritten, so it is kept. After the call the shadow holds the adjoint by the old
; values: 2·a·seed.
; DIFFERENTIATE: reverse @squares(dup, const)
; VALUE: ([1.0, -2.0, 3.0], [1.0, 10.0, 100.0], 3) -> ([2.0, -40.0, 600.0])
define void @squares(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %a, i64 %i
  %v = load double, ptr %p, align 8
  %w = fmul double %v, %v
  store double %w, ptr %p, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
; CHECK-COUNT 1: call ptr @enzyme_build.
