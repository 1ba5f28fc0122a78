; Nothing is computed for a constant factor.
; DIFFERENTIATE: reverse @scaled(active, const)
; VALUE: (3.0, 4.0) -> (4.0)
define double @scaled(double %x, double %k) {
  %r = fmul double %k, %x
  ret double %r
}
; CHECK: define internal double
; CHECK-COUNT 2: fmul
