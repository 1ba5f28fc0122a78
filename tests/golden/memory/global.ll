; A number passes through a global variable, which gets a shadow of ours.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (3.0) -> (2 * 3.0 * 5.0)
@g = internal global double 0.0, align 8
define double @f(double %x) {
  %s = fmul double %x, %x
  store double %s, ptr @g, align 8
  call void @scale()
  %v = load double, ptr @g, align 8
  ret double %v
}
define internal void @scale() noinline {
  %v = load double, ptr @g, align 8
  %w = fmul double %v, 5.0
  store double %w, ptr @g, align 8
  ret void
}
; CHECK: @enzyme_build.shadow.g
