; p = p·x in n·m iterations, in a double loop: the array for all of them is reserved once, in front of both.
; DIFFERENTIATE: reverse @power(active, const, const)
; VALUE: (1.1, 3, 4) -> (12 * 1.1 ** 11)
; VALUE: (2.0, 1, 1) -> (1.0)
define double @power(double %x, i64 %n, i64 %m) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %after ]
  %p = phi double [ 1.0, %entry ], [ %o, %after ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %q = phi double [ %p, %outer ], [ %qx, %inner ]
  %qx = fmul double %q, %x
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, %m
  br i1 %j.more, label %inner, label %after
after:
  %o = phi double [ %qx, %inner ]
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %outer, label %exit
exit:
  %r = phi double [ %o, %after ]
  ret double %r
}
; CHECK-NOT: grow
; CHECK: call ptr @enzyme_build.
; CHECK: inner:
