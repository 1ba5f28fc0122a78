! check: array n=40
! Arrays that are one dummy argument in a call and another in the next: by calls in turn, by recursion; and arrays that
! overlap where they are only read. Names and scopes of noalias hold within one call, whatever inlining makes of it.
module m
  implicit none
contains
  subroutine stencil(a, b, c, out, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(n), b(n), c(n)
    real(8), intent(inout) :: out(n)
    integer :: i
    do i = 1, n
      out(i) = out(i) * a(i) + b(i) * c(i)
    end do
  end subroutine
  subroutine twice(a, b, out, n)
    integer, intent(in) :: n
    real(8), intent(in) :: a(*), b(*)
    real(8), intent(inout) :: out(*)
    integer :: i
    do i = 2, n
      out(i) = out(i) + a(i) * b(i - 1) + 0.1d0 * a(i - 1) * out(i - 1)
    end do
  end subroutine
  recursive subroutine relax(old, new, n, depth)
    integer, intent(in) :: n, depth
    real(8), intent(inout) :: old(n), new(n)
    integer :: i
    do i = 2, n - 1
      new(i) = 0.2d0 * old(i - 1) * old(i) + 0.3d0 * old(i + 1) * new(i)
    end do
    if (depth > 0) call relax(new, old, n, depth - 1)
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total, y(n), z(n)
    integer :: k
    y = 1
    z = x
    do k = 1, 3
      call stencil(x(1:n - 2), x(2:n - 1), x(3:n), y, n - 2)
      call stencil(z(2), z(2), x, y(2), n - 2)
      call twice(x, x, z, n)
      call twice(z, z(2), y, n - 1)
    end do
    call relax(z, y, n, 5)
    total = sum(y) * 1d-3 + sum(z * x)
  end function
end module
