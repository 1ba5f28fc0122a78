; Memory filled with zeros: what was there has no influence any more.
; DIFFERENTIATE: reverse @f(active, dup)
; VALUE: (3.0, [5.0, 6.0], [10.0, 20.0]) -> (10.0, [0.0, 0.0])
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define void @f(double %x, ptr %p) {
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 16, i1 false)
  %second = getelementptr i8, ptr %p, i64 8
  %v = load double, ptr %second, align 8
  %w = fadd double %v, %x
  store double %w, ptr %p, align 8
  ret void
}
