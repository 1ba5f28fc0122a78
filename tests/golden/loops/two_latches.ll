; A loop with two ways round: which one was taken is recorded.
; s doubles while it is below 10, then 3 is added, until 5 rounds are over: 3, 6, 12, 15, 18, 21: factor 4.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (3.0) -> (4.0)
; VALUE: (100.0) -> (1.0)
define double @f(double %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %small ], [ %n, %large ]
  %s = phi double [ %x, %entry ], [ %d, %small ], [ %l, %large ]
  %n = add nuw nsw i64 %i, 1
  %end = icmp ugt i64 %n, 5
  br i1 %end, label %exit, label %test
test:
  %c = fcmp olt double %s, 10.0
  br i1 %c, label %small, label %large
small:
  %d = fmul double %s, 2.0
  br label %loop
large:
  %l = fadd double %s, 3.0
  br label %loop
exit:
  %r = phi double [ %s, %loop ]
  ret double %r
}
