; Shadows have whole aligned words, of which parts of numbers are looked for: 13 bytes have a shadow of 16.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (3.0) -> (6.0)
declare ptr @_Znwm(i64)
declare void @_ZdlPvm(ptr, i64)
define double @f(double %x) {
  %p = call ptr @_Znwm(i64 13)
  store double %x, ptr %p, align 8
  %v = load double, ptr %p, align 8
  %r = fmul double %v, %v
  call void @_ZdlPvm(ptr %p, i64 13)
  ret double %r
}
; CHECK: call ptr @_Znwm(i64 13)
; CHECK: call ptr @_Znwm(i64 16)
; CHECK-COUNT 1: i64 13)
