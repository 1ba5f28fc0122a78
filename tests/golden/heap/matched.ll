; Memory allocated and freed in one call: both are given back where the reverse sweep passes the allocation.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (3.0) -> (27.0)
declare ptr @malloc(i64)
declare void @free(ptr)
define double @f(double %x) {
  %p = call ptr @malloc(i64 8)
  %s = fmul double %x, %x
  store double %s, ptr %p, align 8
  %v = load double, ptr %p, align 8
  %r = fmul double %v, %x
  call void @free(ptr %p)
  ret double %r
}
; CHECK-NOT: enzyme_build.defer
; CHECK-COUNT 2: call void @free
