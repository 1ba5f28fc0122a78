; x/y: 1/y and -x/y²; the reverse sweep divides once and never multiplies out y².
; DIFFERENTIATE: reverse @ratio(active, active)
; VALUE: (3.0, 4.0) -> (0.25, -3.0 / 16.0)
; VALUE: (1.0, -2.0) -> (-0.5, -0.25)
define double @ratio(double %x, double %y) {
  %r = fdiv double %x, %y
  ret double %r
}
; CHECK: %r = fdiv double %x, %y
; CHECK: fdiv double 1.0{{.*}}, %y
; CHECK-NOT: fmul double %y, %y
; CHECK-COUNT 2: fdiv
; What x is given times -r is what y is given: two products.
; CHECK-COUNT 2: fmul
