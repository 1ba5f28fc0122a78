; Computed in 16 bits: x², exact for small numbers.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (3.0) -> (6.0)
define double @f(double %x) {
  %w = fptrunc double %x to half
  %s = fmul half %w, %w
  %r = fpext half %s to double
  ret double %r
}
