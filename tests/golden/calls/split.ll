; A call is made as augmented pass and reverse pass; exp's result travels in the tape.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (0.5) -> (2 * exp(1.0))
declare double @exp(double)
define internal double @g(double %x) noinline {
  %r = call double @exp(double %x)
  ret double %r
}
define double @f(double %x) {
  %d = fadd double %x, %x
  %r = call double @g(double %d)
  ret double %r
}
; CHECK: define internal { { double }, double } @enzyme_build.augmented.g(double %x{{.*}})
; CHECK: define internal double @enzyme_build.reverse.g(double %x, double %seed, { double } %tape)
