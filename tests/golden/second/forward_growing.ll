; The inner derivative's tape grows: x^k with the first k where it is above 1000.
; DIFFERENTIATE: forward @gradient(active)
; VALUE: (2.0, 1.0) -> (10 * 9 * 2.0 ** 8)
; VALUE: (1.1, 1.0) -> (73 * 72 * 1.1 ** 71)
declare double @__enzyme_autodiff(...)
define double @gradient(double %x) {
  %r = call double (...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
define internal double @f(double %x) {
entry:
  br label %loop
loop:
  %v = phi double [ 1.0, %entry ], [ %w, %loop ]
  %w = fmul double %v, %x
  %more = fcmp olt double %w, 1000.0
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %w, %loop ]
  ret double %r
}
