; Memory freed in one of two places: given back at the end of the derivative.
; DIFFERENTIATE: reverse @f(active, const)
; VALUE: (3.0, 0) -> (27.0)
; VALUE: (3.0, 1) -> (-27.0)
declare ptr @malloc(i64)
declare void @free(ptr)
define double @f(double %x, i32 %n) {
entry:
  %p = call ptr @malloc(i64 8)
  %s = fmul double %x, %x
  store double %s, ptr %p, align 8
  %c = icmp eq i32 %n, 0
  br i1 %c, label %a, label %b
a:
  %v = load double, ptr %p, align 8
  %r = fmul double %v, %x
  call void @free(ptr %p)
  br label %join
b:
  %w = load double, ptr %p, align 8
  %m = fneg double %w
  %q = fmul double %m, %x
  call void @free(ptr %p)
  br label %join
join:
  %z = phi double [ %r, %a ], [ %q, %b ]
  ret double %z
}
; CHECK: call void @enzyme_build.defer
; CHECK: call void @enzyme_build.release
