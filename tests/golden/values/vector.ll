; Lanes: (x, y) * (y, x) = (xy, xy); their sum 2xy plus the first lane of (x, y): 2xy + x.
; DIFFERENTIATE: reverse @f(active, active)
; VALUE: (3.0, 4.0) -> (9.0, 6.0)
define double @f(double %x, double %y) {
  %a = insertelement <2 x double> poison, double %x, i64 0
  %b = insertelement <2 x double> %a, double %y, i64 1
  %c = shufflevector <2 x double> %b, <2 x double> poison, <2 x i32> <i32 1, i32 0>
  %d = fmul <2 x double> %b, %c
  %e = extractelement <2 x double> %d, i64 0
  %g = extractelement <2 x double> %d, i64 1
  %h = fadd double %e, %g
  %i = extractelement <2 x double> %b, i64 0
  %r = fadd double %h, %i
  ret double %r
}
