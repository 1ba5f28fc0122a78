; fma(x, y, x) + max(x, y)·|y| + x³ (powi): ∂x = y + 1 + [x > y]|y| + 3x², ∂y = x + [y > x]|y| + max·sign(y)
; DIFFERENTIATE: reverse @f(active, active)
; VALUE: (2.0, -3.0) -> (-3.0 + 1 + 3 + 12, 2.0 - 2.0)
; VALUE: (2.0, 5.0) -> (5.0 + 1 + 12, 2.0 + 5 + 5)
declare double @llvm.fma.f64(double, double, double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.fabs.f64(double)
declare double @llvm.powi.f64.i32(double, i32)
define double @f(double %x, double %y) {
  %a = call double @llvm.fma.f64(double %x, double %y, double %x)
  %m = call double @llvm.maxnum.f64(double %x, double %y)
  %b = call double @llvm.fabs.f64(double %y)
  %mb = fmul double %m, %b
  %c = call double @llvm.powi.f64.i32(double %x, i32 3)
  %s = fadd double %a, %mb
  %r = fadd double %s, %c
  ret double %r
}
