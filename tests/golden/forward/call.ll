; A call becomes one call of the tangent function.
; DIFFERENTIATE: forward @f(active)
; VALUE: (0.5, 3.0) -> (3.0 * 2 * exp(1.0))
declare double @exp(double)
define internal double @g(double %x) noinline {
  %r = call double @exp(double %x)
  ret double %r
}
define double @f(double %x) {
  %d = fadd double %x, %x
  %r = call double @g(double %d)
  ret double %r
}
; CHECK: @enzyme_build.forward.g
