; The partial of a product by one factor is the other.
; DIFFERENTIATE: reverse @area(active, active)
; VALUE: (3.0, 4.0) -> (4.0, 3.0)
; VALUE: (-2.0, 0.5) -> (0.5, -2.0)
define double @area(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}
; CHECK: define internal { double, double } @{{.*}}reverse.area
; CHECK-NOT: call ptr @enzyme_build
