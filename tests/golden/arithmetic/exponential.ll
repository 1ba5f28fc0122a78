; exp is its own derivative: its result is used again, exp is called once.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (0.5) -> (exp(0.5))
; VALUE: (-30.0) -> (exp(-30.0))
declare double @exp(double)
define double @f(double %x) {
  %r = call double @exp(double %x)
  ret double %r
}
; CHECK-COUNT 1: call double @exp
