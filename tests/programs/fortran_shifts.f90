! check: array n=5
! Shifts of expressions and of shifts, which flang computes without an array between.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, y(3), z(5)
  y = cshift(cshift(x([4, 1, 1]), 2), 2)
  z = cshift(2 * x(1:5), -1) * cshift(cshift(x(5:1:-1), 1), 3)
  total = y(1) * y(2) ** 2 + sin(y(3)) + z(1) * z(5) + sum(z ** 2)
end function
