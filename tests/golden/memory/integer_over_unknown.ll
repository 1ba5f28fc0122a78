; A constant number stored as an integer, where nothing tells that numbers lie: the adjoint there ends all the same.
; DIFFERENTIATE: reverse @f(dup)
; VALUE: ([1.0, 2.0, 3.0], [0.5, 0.25, 7.0]) -> ([1.0, 0.0, 0.0])
define void @f(ptr %y) {
  %v = load double, ptr %y, align 8
  %twice = fmul double %v, 2.0
  %second = getelementptr i8, ptr %y, i64 8
  %third = getelementptr i8, ptr %y, i64 16
  store double %twice, ptr %y, align 8
  store i64 4601237667291888353, ptr %second, align 8
  call void @put(ptr %third, i64 4602678819172646912)
  ret void
}
define internal void @put(ptr %to, i64 %bits) noinline {
  store i64 %bits, ptr %to, align 8
  ret void
}
