; A double moved as the bits of an i64 beside a computed one.
; DIFFERENTIATE: reverse @f(dup, dup)
; VALUE: ([1.5, 2.0], [0.0, 0.0], [0.0, 0.0], [3.0, 5.0]) -> ([3.0, 10.0], [0.0, 0.0])
define void @f(ptr noalias %p, ptr noalias %q) {
  %bits = load i64, ptr %p, align 8
  store i64 %bits, ptr %q, align 8
  %second = getelementptr i8, ptr %p, i64 8
  %to = getelementptr i8, ptr %q, i64 8
  %v = load double, ptr %second, align 8
  %w = fmul double %v, 2.0
  store double %w, ptr %to, align 8
  %u = load double, ptr %q, align 8
  ret void
}
