; A struct of two numbers goes through a phi: (x, 2x) or (y·y, y), then first times second.
; DIFFERENTIATE: reverse @f(active, active, const)
; VALUE: (3.0, 4.0, True) -> (12.0, 0.0)
; VALUE: (3.0, 4.0, False) -> (0.0, 48.0)
define double @f(double %x, double %y, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  %x2 = fmul double %x, 2.0
  %a0 = insertvalue { double, double } poison, double %x, 0
  %a1 = insertvalue { double, double } %a0, double %x2, 1
  br label %join
b:
  %yy = fmul double %y, %y
  %b0 = insertvalue { double, double } poison, double %yy, 0
  %b1 = insertvalue { double, double } %b0, double %y, 1
  br label %join
join:
  %s = phi { double, double } [ %a1, %a ], [ %b1, %b ]
  %u = extractvalue { double, double } %s, 0
  %v = extractvalue { double, double } %s, 1
  %r = fmul double %u, %v
  ret double %r
}
