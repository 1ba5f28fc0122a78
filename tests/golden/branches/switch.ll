; Three ways in: the edge is recorded as a small number.
; DIFFERENTIATE: reverse @f(active, const)
; VALUE: (3.0, 0) -> (6.0)
; VALUE: (3.0, 1) -> (27.0)
; VALUE: (3.0, 7) -> (-1.0)
define double @f(double %x, i32 %n) {
entry:
  switch i32 %n, label %other [ i32 0, label %square
                                i32 1, label %cube ]
square:
  %s = fmul double %x, %x
  br label %join
cube:
  %q = fmul double %x, %x
  %c = fmul double %q, %x
  br label %join
other:
  %m = fneg double %x
  br label %join
join:
  %r = phi double [ %s, %square ], [ %c, %cube ], [ %m, %other ]
  ret double %r
}
; CHECK: phi i8
