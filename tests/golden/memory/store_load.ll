; out[0] = x·in[0]: a store takes the shadow's adjoint and clears it, a load adds.
; DIFFERENTIATE: reverse @f(active, dup, dup)
; VALUE: (3.0, [5.0], [0.25], [7.0], [1.0]) -> (5.0, [3.25], [0.0])
define void @f(double %x, ptr noalias %in, ptr noalias %out) {
  %v = load double, ptr %in, align 8
  %r = fmul double %x, %v
  store double %r, ptr %out, align 8
  ret void
}
; CHECK: store double 0.0{{.*}}, ptr %out.shadow
