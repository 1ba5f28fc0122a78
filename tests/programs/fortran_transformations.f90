! check: array n=6,4
! The functions that make arrays of arrays, with strides, masks and boundaries.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total
  real(8), allocatable :: m(:, :), p(:), q(:), r(:)
  real(8) :: weights(2 * n)
  integer :: i, at(2)
  m = reshape(x, [n / 2, 3], pad=[2d0, 3d0] * x(1), order=[2, 1])
  p = pack(x, x > 1d0, vector=[(x(n) * i, i = 1, n)])
  q = cshift(x, 1) * x
  r = eoshift(x, -1, boundary=x(2))
  total = sum(m(:, 2) * m(:, 1)) + dot_product(p, r)
  total = total + sum(sum(m, dim=1) ** 2) + maxval(maxval(m, dim=2)) + product(minval(m, dim=1))
  weights = [q, r]
  total = total + sum(weights(2 * n:1:-2) * weights(1::2))
  m = spread(x, 1, 2)
  m(1, :) = unpack(q, x < 1d0, r)
  total = total + norm2(matmul(m, x)) + sum(matmul(transpose(m), m(:, 1)))
  at = maxloc(m)
  total = total + m(at(1), at(2)) * sum(m, mask=m > 1d0)
  where (x > 1d0)
    q = log(x)
  elsewhere
    q = x ** 3
  end where
  total = total + sum(q) * count(x > 1d0)
end function
