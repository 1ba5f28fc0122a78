; x^n by recursion: the tape of a call is a pointer to a record on the heap.
; DIFFERENTIATE: reverse @power(active, const)
; VALUE: (3.0, 4) -> (4 * 27.0)
; VALUE: (3.0, 0) -> (0.0)
define double @power(double %x, i64 %n) {
entry:
  %end = icmp eq i64 %n, 0
  br i1 %end, label %join, label %more
more:
  %m = sub i64 %n, 1
  %p = call double @power(double %x, i64 %m)
  %q = fmul double %p, %x
  br label %join
join:
  %r = phi double [ 1.0, %entry ], [ %q, %more ]
  ret double %r
}
; CHECK: call ptr @enzyme_build.
