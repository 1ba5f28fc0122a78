! check: array n=8
! Gather and scatter by index arrays, masked and overlapping assignments, forall with dependences, sparse products.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, y(n), a(n, n), values(3 * n)
  integer :: at(n), columns(3 * n), starts(n + 1), i, k
  at = [(mod(3 * i, n) + 1, i = 1, n)]
  y = x(at)
  y(at(1:n:2)) = y(at(1:n:2)) * x(1:n:2)
  y(2:n) = y(1:n - 1) + y(2:n)
  forall (i = 2:n - 1, mod(i, 2) == 0) y(i) = y(i - 1) * y(i + 1)
  a = spread(x, 2, n) * spread(y, 1, n)
  a(at, :) = a
  forall (i = 1:n) a(i, i) = a(i, n + 1 - i)
  starts = [(3 * (i - 1) + 1, i = 1, n + 1)]
  do i = 1, n
    columns(starts(i):starts(i + 1) - 1) = [i, mod(i, n) + 1, mod(i + 3, n) + 1]
    values(starts(i):starts(i + 1) - 1) = [2d0, -x(i), x(i) ** 2]
  end do
  total = sum(a(:, 1) * y) + sum(a, mask=a > 1d0)
  do i = 1, n
    do k = starts(i), starts(i + 1) - 1
      total = total + values(k) * y(columns(k)) * i
    end do
  end do
  total = total + dot_product(pack(y, y > 1d0), pack(x, y > 1d0)) + y(maxloc(x, 1)) + sum(x(pack([(i, i = 1, n)], x < 1d0)))
end function
