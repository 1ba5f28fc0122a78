; A way that ends the program has no reverse.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (4.0) -> (8.0)
declare void @abort() noreturn nounwind
define double @f(double %x) {
entry:
  %bad = fcmp olt double %x, 0.0
  br i1 %bad, label %stop, label %good
stop:
  call void @abort()
  unreachable
good:
  %r = fmul double %x, %x
  ret double %r
}
; CHECK-NOT: stop.reverse
