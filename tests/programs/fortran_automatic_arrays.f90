! check: map n=5 m=4
! Explicit shapes with expressions, lower bounds, assumed size, results of array functions, recursion with automatic arrays.
subroutine transform(x, y, n, m) bind(C)
  implicit none
  integer, value :: n, m
  real(8), intent(in) :: x(n)
  real(8), intent(out) :: y(m)
  real(8) :: window(-2:2), work(0:2 * n - 1)
  integer :: i
  window = [0.1d0, 0.2d0, 0.4d0, 0.2d0, 0.1d0]
  work(:n - 1) = x
  work(n:) = x(n:1:-1) ** 2
  do i = 1, m
    y(i) = sum(window * work(i - 1:i + 3))
  end do
  y = y + halves(work, 2 * n) * spreadout(x, m)
contains
  function spreadout(a, k) result(b)
    real(8), intent(in) :: a(:)
    integer, intent(in) :: k
    real(8) :: b(k)
    b = [(a(mod(i * 3, size(a)) + 1), i = 1, k)]
  end function
  recursive function halves(a, k) result(total)
    integer, intent(in) :: k
    real(8), intent(in) :: a(*)
    real(8) :: total, own((k + 1) / 2)
    if (k == 1) then
      total = a(1)
      return
    end if
    own = a(1:k:2)
    total = halves(own, size(own)) + sin(a(k))
  end function
end subroutine
