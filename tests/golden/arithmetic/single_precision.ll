; Conversions between precisions pass the adjoint in the precision of the operand.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (1.5) -> (3.0)
define double @f(float %x) {
  %w = fpext float %x to double
  %r = fmul double %w, %w
  ret double %r
}
; CHECK: fptrunc double {{.*}} to float
