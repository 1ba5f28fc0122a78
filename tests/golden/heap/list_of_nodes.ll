; Two nodes { double, next } on the heap, the second reached through the first: x·y.
; DIFFERENTIATE: reverse @f(active, active)
; VALUE: (3.0, 4.0) -> (4.0, 3.0)
declare ptr @malloc(i64)
declare void @free(ptr)
define double @f(double %x, double %y) {
  %a = call ptr @malloc(i64 16)
  %b = call ptr @malloc(i64 16)
  store double %x, ptr %a, align 8
  store double %y, ptr %b, align 8
  %link = getelementptr i8, ptr %a, i64 8
  store ptr %b, ptr %link, align 8
  %next = load ptr, ptr %link, align 8
  %u = load double, ptr %a, align 8
  %v = load double, ptr %next, align 8
  %r = fmul double %u, %v
  call void @free(ptr %a)
  call void @free(ptr %next)
  ret double %r
}
