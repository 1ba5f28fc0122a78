; x^n by repeated multiplication: each iteration's partial product is needed, one value an iteration.
; DIFFERENTIATE: reverse @power(active, const)
; VALUE: (3.0, 4) -> (4 * 27.0)
; VALUE: (2.0, 1) -> (1.0)
define double @power(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi double [ 1.0, %entry ], [ %q, %loop ]
  %q = fmul double %p, %x
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %q, %loop ]
  ret double %r
}
; CHECK-COUNT 1: call ptr @enzyme_build.
