; The two numbers change places, and so do their adjoints.
; DIFFERENTIATE: reverse @swap(dup)
; VALUE: ([1.0, 2.0], [10.0, 20.0]) -> ([20.0, 10.0])
define void @swap(ptr %p) {
  %q = getelementptr inbounds i8, ptr %p, i64 8
  %a = load double, ptr %p, align 8
  %b = load double, ptr %q, align 8
  store double %b, ptr %p, align 8
  store double %a, ptr %q, align 8
  ret void
}
