; A value used several times gets the sum of the shares: d/dx (sin(x)·x + x) = x·cos(x) + sin(x) + 1.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (0.7) -> (0.7 * cos(0.7) + sin(0.7) + 1)
; VALUE: (0.0) -> (1.0)
declare double @llvm.sin.f64(double)
define double @f(double %x) {
  %s = call double @llvm.sin.f64(double %x)
  %p = fmul double %s, %x
  %r = fadd double %p, %x
  ret double %r
}
