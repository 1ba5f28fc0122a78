; Two exits of one loop; the exit taken and the number of rounds are recorded.
; p = x^k until above 50 (factor 1) or 4 rounds (factor 10).
; DIFFERENTIATE: reverse @f(active)
; VALUE: (8.0) -> (16.0)
; VALUE: (2.0) -> (10 * 5 * 16.0)
define double @f(double %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %next ]
  %p = phi double [ %x, %entry ], [ %q, %next ]
  %big = fcmp ogt double %p, 50.0
  br i1 %big, label %found, label %next
next:
  %q = fmul double %p, %x
  %n = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %n, 4
  br i1 %more, label %loop, label %none
found:
  %a = phi double [ %p, %loop ]
  br label %exit
none:
  %b = phi double [ %q, %next ]
  %t = fmul double %b, 10.0
  br label %exit
exit:
  %r = phi double [ %a, %found ], [ %t, %none ]
  ret double %r
}
