; x doubled until it is above 100: the count is only known at the end, and linear code keeps no value.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (3.0) -> (64.0)
; VALUE: (60.0) -> (2.0)
define double @f(double %x) {
entry:
  br label %loop
loop:
  %v = phi double [ %x, %entry ], [ %w, %loop ]
  %w = fmul double %v, 2.0
  %more = fcmp olt double %w, 100.0
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %w, %loop ]
  ret double %r
}
; CHECK-NOT: call ptr @enzyme_build
