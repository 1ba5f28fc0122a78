; A callee returns (sin x, cos x); sin² - cos² has the derivative 4 sin x cos x.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (0.6) -> (4 * sin(0.6) * cos(0.6))
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
define internal { double, double } @both(double %x) noinline {
  %s = call double @llvm.sin.f64(double %x)
  %c = call double @llvm.cos.f64(double %x)
  %a = insertvalue { double, double } poison, double %s, 0
  %b = insertvalue { double, double } %a, double %c, 1
  ret { double, double } %b
}
define double @f(double %x) {
  %p = call { double, double } @both(double %x)
  %s = extractvalue { double, double } %p, 0
  %c = extractvalue { double, double } %p, 1
  %s2 = fmul double %s, %s
  %c2 = fmul double %c, %c
  %r = fsub double %s2, %c2
  ret double %r
}
