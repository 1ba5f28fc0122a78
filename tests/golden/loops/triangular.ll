; The inner loop's count depends on the outer: p is multiplied by x for each j <= i < n: n(n+1)/2 times.
; DIFFERENTIATE: reverse @power(active, const)
; VALUE: (1.5, 3) -> (6 * 1.5 ** 5)
; VALUE: (1.1, 8) -> (36 * 1.1 ** 35)
define double @power(double %x, i64 %n) {
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
  %j.more = icmp ule i64 %j.next, %i
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
