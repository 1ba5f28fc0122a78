! check: array n=5 real=float
! real(4): arrays, reductions, mixed precision, integer and logical kinds.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(4), intent(in) :: x(n)
  real(4) :: total
  real(4), allocatable :: y(:)
  real(8) :: wide
  integer(1) :: small(3)
  logical(1) :: flags(3)
  logical :: all_positive
  y = x * 2
  y = [y, x(1)]
  small = [1_1, 2_1, 3_1]
  flags = small > 1_1
  wide = sum(real(y, 8)**2)
  all_positive = all(y > 0)
  total = real(wide) + norm2(x) * maxval(y) + merge(x(1), x(2), all_positive)
  total = total + sum(pack(x(1:3), logical(flags)))
end function
