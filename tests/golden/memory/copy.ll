; memcpy of two doubles: their adjoints move back and the destination's are cleared.
; DIFFERENTIATE: reverse @f(dup, dup)
; VALUE: ([1.0, 2.0], [0.0, 0.5], [0.0, 0.0], [10.0, 20.0]) -> ([10.0, 20.5], [0.0, 0.0])
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr noalias %from, ptr noalias %to) {
  %second = getelementptr i8, ptr %from, i64 8
  %v = load double, ptr %from, align 8
  %w = load double, ptr %second, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  ret void
}
