; memmove by one place to the right: p = (a, b, c) becomes (a, a, b).
; DIFFERENTIATE: reverse @f(dup)
; VALUE: ([1.0, 2.0, 3.0], [10.0, 20.0, 30.0]) -> ([30.0, 30.0, 0.0])
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %p) {
  %second = getelementptr inbounds double, ptr %p, i64 1
  %third = getelementptr inbounds double, ptr %p, i64 2
  %a = load double, ptr %p, align 8
  %b = load double, ptr %second, align 8
  %c = load double, ptr %third, align 8
  call void @llvm.memmove.p0.p0.i64(ptr %second, ptr %p, i64 16, i1 false)
  ret void
}
