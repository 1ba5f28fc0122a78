; max(x, y)·y: which way was taken decides; the condition is computed again, so no edge is recorded.
; DIFFERENTIATE: reverse @f(active, active)
; VALUE: (3.0, 2.0) -> (2.0, 3.0)
; VALUE: (1.0, 2.0) -> (0.0, 4.0)
define double @f(double %x, double %y) {
entry:
  %c = fcmp ogt double %x, %y
  br i1 %c, label %a, label %b
a:
  br label %join
b:
  %z = fadd double %y, 0.0
  br label %join
join:
  %m = phi double [ %x, %a ], [ %z, %b ]
  %r = fmul double %m, %y
  ret double %r
}
; CHECK-NOT: edge
