; sincos writes both results: s·c has the derivative cos 2x.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (0.6) -> (cos(1.2))
declare void @sincos(double, ptr, ptr)
define double @f(double %x) {
  %s = alloca double, align 8
  %c = alloca double, align 8
  call void @sincos(double %x, ptr %s, ptr %c)
  %u = load double, ptr %s, align 8
  %v = load double, ptr %c, align 8
  %r = fmul double %u, %v
  ret double %r
}
