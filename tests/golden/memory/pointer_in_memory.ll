; A table of pointers: the shadow of a loaded pointer is loaded from the shadow table.
; DIFFERENTIATE: reverse @f(dup)
; VALUE: ([[3.0], [4.0]], [[0.0], [0.0]]) -> ([[4.0], [3.0]])
define double @f(ptr %t) {
  %q = getelementptr inbounds ptr, ptr %t, i64 1
  %a = load ptr, ptr %t, align 8
  %b = load ptr, ptr %q, align 8
  %x = load double, ptr %a, align 8
  %y = load double, ptr %b, align 8
  %r = fmul double %x, %y
  ret double %r
}
; CHECK: %a.shadow = load ptr, ptr %t.shadow
