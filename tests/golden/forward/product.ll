; (x·y)˙ = ẋ·y + x·ẏ
; DIFFERENTIATE: forward @area(active, active)
; VALUE: (3.0, 1.0, 4.0, 0.0) -> (4.0)
; VALUE: (3.0, 1.0, 4.0, 10.0) -> (34.0)
define double @area(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}
