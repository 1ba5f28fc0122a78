; A number passes through the stack: the alloca gets a shadow of zeros.
; DIFFERENTIATE: reverse @f(active, const)
; VALUE: (3.0, 1) -> (2 * 2 * 3.0)
; VALUE: (3.0, 0) -> (0.0)
define double @f(double %x, i64 %i) {
  %m = alloca [2 x double], align 8
  %second = getelementptr inbounds [2 x double], ptr %m, i64 0, i64 1
  store double 1.0, ptr %m, align 8
  %s = fmul double %x, %x
  store double %s, ptr %second, align 8
  %at = getelementptr inbounds [2 x double], ptr %m, i64 0, i64 %i
  %v = load double, ptr %at, align 8
  %w = fmul double %v, 2.0
  ret double %w
}
; CHECK: %m.shadow = alloca [2 x double]
