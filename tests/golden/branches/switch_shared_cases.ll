; Cases that share a block are several edges from one block: the phi that records which way was taken has one value each.
; DIFFERENTIATE: reverse @f(active, const)
; VALUE: (3.0, 0) -> (6.0,)
; VALUE: (3.0, 1) -> (6.0,)
; VALUE: (3.0, 2) -> (1.0,)
; VALUE: (3.0, 5) -> (27.0,)
define double @f(double %x, i64 %k) {
entry:
  switch i64 %k, label %cube [ i64 0, label %square
                               i64 1, label %square
                               i64 2, label %join
                               i64 3, label %join ]
square:
  %s = fmul double %x, %x
  br label %join
cube:
  %t = fmul double %x, %x
  %u = fmul double %t, %x
  br label %join
join:
  %r = phi double [ %x, %entry ], [ %s, %square ], [ %u, %cube ], [ %x, %entry ]
  ret double %r
}
; CHECK: phi i8 [ 0, %entry ], [ 0, %entry ]
