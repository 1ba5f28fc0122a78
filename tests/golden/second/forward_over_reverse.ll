; The tangent of the gradient of x^n, whose tape is kept by the inner derivative: n(n-1)·x^(n-2).
; DIFFERENTIATE: forward @gradient(active, const)
; VALUE: (1.5, 1.0, 5) -> (20 * 1.5 ** 3)
; VALUE: (2.0, 0.5, 1) -> (0.0)
declare double @__enzyme_autodiff(...)
define double @gradient(double %x, i64 %n) {
  %r = call double (...) @__enzyme_autodiff(ptr @power, double %x, i64 %n)
  ret double %r
}
define internal double @power(double %x, i64 %n) noinline {
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
