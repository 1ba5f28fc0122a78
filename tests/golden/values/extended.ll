; Computed in 80 bits: x·x/3.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (6.0) -> (4.0)
define double @f(double %x) {
  %w = fpext double %x to x86_fp80
  %s = fmul x86_fp80 %w, %w
  %q = fdiv x86_fp80 %s, 0xK4000C000000000000000
  %r = fptrunc x86_fp80 %q to double
  ret double %r
}
