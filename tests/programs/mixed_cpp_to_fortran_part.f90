subroutine tridiagonal(below, diagonal, above, x, n) bind(C)
  use iso_c_binding
  integer(c_int), value :: n
  real(c_double), intent(in) :: below(n), diagonal(n), above(n)
  real(c_double), intent(inout) :: x(n)
  real(c_double) :: ratio(n), pivot
  integer :: i
  pivot = diagonal(1)
  x(1) = x(1) / pivot
  do i = 2, n
    ratio(i) = above(i - 1) / pivot
    pivot = diagonal(i) - below(i) * ratio(i)
    x(i) = (x(i) - below(i) * x(i - 1)) / pivot
  end do
  do i = n - 1, 1, -1
    x(i) = x(i) - ratio(i + 1) * x(i + 1)
  end do
end subroutine

function weighted(x, w, n) result(total) bind(C)
  use iso_c_binding
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n), w(n)
  real(c_double) :: total
  total = dot_product(x, w) + sum(x**2, mask=w > 0.7d0)
end function
