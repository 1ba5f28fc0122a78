; A function that returns one of two pointers; the shadow of the result comes with it.
; DIFFERENTIATE: reverse @f(dup, dup, const)
; VALUE: ([3.0], [0.0], [4.0], [0.0], 1) -> ([6.0], [0.0])
; VALUE: ([3.0], [0.0], [4.0], [0.0], 0) -> ([0.0], [8.0])
define internal ptr @choose(ptr %a, ptr %b, i32 %n) noinline {
  %c = icmp eq i32 %n, 0
  %r = select i1 %c, ptr %b, ptr %a
  ret ptr %r
}
define double @f(ptr %a, ptr %b, i32 %n) {
  %p = call ptr @choose(ptr %a, ptr %b, i32 %n)
  %v = load double, ptr %p, align 8
  %r = fmul double %v, %v
  ret double %r
}
