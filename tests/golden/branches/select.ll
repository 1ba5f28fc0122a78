; relu(x)·y without a branch: the adjoint is selected too.
; DIFFERENTIATE: reverse @f(active, active)
; VALUE: (3.0, 5.0) -> (5.0, 3.0)
; VALUE: (-3.0, 5.0) -> (0.0, 0.0)
define double @f(double %x, double %y) {
  %c = fcmp ogt double %x, 0.0
  %m = select i1 %c, double %x, double 0.0
  %r = fmul double %m, %y
  ret double %r
}
; CHECK: select i1 {{.*}}, double {{.*}}, double -0.0
; CHECK-NOT: br i1
