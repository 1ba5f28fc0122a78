; The same function is called on active and on constant memory; the pointer may be either.
; DIFFERENTIATE: reverse @f(dup, const, const)
; VALUE: ([3.0], [0.0], [5.0], 1) -> ([6.0])
; VALUE: ([3.0], [1.0], [5.0], 0) -> ([1.0])
define double @f(ptr %a, ptr %b, i32 %n) {
  %c = icmp eq i32 %n, 0
  %p = select i1 %c, ptr %b, ptr %a
  %v = load double, ptr %p, align 8
  %r = fmul double %v, %v
  ret double %r
}
