; Rules as metadata and attributes of LLVM: for rules_in_assembly.c
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
define double @f(double %x) !enzyme_augment !0 !enzyme_gradient !1 !enzyme_derivative !2 {
  %y = fmul double %x, %x
  ret double %y
}
define internal double @aug(double %x) {
  %y = fmul double %x, %x
  ret double %y
}
define internal double @rev(double %x, double %s) {
  %y = fmul double %x, 100.0
  %z = fmul double %y, %s
  ret double %z
}
define internal double @tan_(double %x, double %d) {
  %y = fmul double %x, 10.0
  %z = fmul double %y, %d
  ret double %z
}
define double @inact(double %x) #0 { ret double %x }
define double @lg(double %x) #1 { ret double 5.0 }
attributes #0 = { "enzyme_inactive" }
attributes #1 = { "enzyme_math"="log1p" }
!0 = !{ptr @aug}
!1 = !{ptr @rev}
!2 = !{ptr @tan_}

; Nothing refers to what registers these.
define double @cube(double %x) {
  %y = fmul double %x, %x
  %z = fmul double %y, %x
  ret double %z
}
define internal double @reverse_cube(double %x, double %s) {
  %y = fmul double %s, 1000.0
  ret double %y
}
define internal double @tangent_cube(double %x, double %d) {
  %y = fmul double %d, 2000.0
  ret double %y
}
@__enzyme_register_gradient_cube = internal global [3 x ptr] [ptr @cube, ptr @cube, ptr @reverse_cube]
@__enzyme_register_derivative_cube = private constant [2 x ptr] [ptr @cube, ptr @tangent_cube]
