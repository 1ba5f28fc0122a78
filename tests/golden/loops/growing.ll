; x·x·…, until the product is above 1000: the count is not known before, so the array of kept values grows.
; DIFFERENTIATE: reverse @f(active)
; VALUE: (2.0) -> (10 * 2.0 ** 9)
; VALUE: (1.1) -> (73 * 1.1 ** 72)
; VALUE: (1.001) -> (6912 * 1.001 ** 6911)
define double @f(double %x) {
entry:
  br label %loop
loop:
  %v = phi double [ 1.0, %entry ], [ %w, %loop ]
  %w = fmul double %v, %x
  %more = fcmp olt double %w, 1000.0
  br i1 %more, label %loop, label %exit
exit:
  %r = phi double [ %w, %loop ]
  ret double %r
}
; CHECK: grow:
; CHECK-COUNT 1: call ptr @enzyme_build.
; Small arrays grow to eight times their size, larger ones to four times, large ones to twice.
; CHECK: icmp ult i64 {{.*}}, 1048576
; CHECK: select i1 {{.*}}, i64 2, i64 1
; CHECK: icmp ult i64 {{.*}}, 65536
; CHECK: select i1 {{.*}}, i64 3, i64
