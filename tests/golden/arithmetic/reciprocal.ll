; 1/x has the slope -r², whose result is there: nothing is divided again. In a loop the operand is what is kept.
; DIFFERENTIATE: reverse @inverse(active)
; VALUE: (4.0) -> (-0.0625)
; VALUE: (-0.5) -> (-4.0)
define double @inverse(double %x) {
  %r = fdiv double 1.0, %x
  ret double %r
}
; CHECK-COUNT 1: fdiv
