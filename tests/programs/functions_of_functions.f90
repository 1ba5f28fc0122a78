! check: array n=6
! One procedure is called with the result of the other call of it, and with buffers that change places.
module m
  implicit none
contains
  pure function turned(a) result(c)
    real(8), intent(in) :: a(3)
    real(8) :: c(3)
    c = cshift(a, 1)*a
  end function
  recursive subroutine halved(a, b, k)
    real(8), intent(in) :: a(3)
    real(8), intent(out) :: b(3)
    integer, intent(in) :: k
    real(8) :: c(3)
    integer :: i
    do i = 1, 3
      b(i) = a(i)*a(1) - 0.5d0*a(3)
    end do
    if (k > 0) then
      call halved(b, c, k - 1)
      b = b + c*c(2)
    end if
  end subroutine
end module
real(8) function objective(x, n) bind(C)
  use m
  implicit none
  integer(4), value :: n
  real(8), intent(in) :: x(n)
  real(8) :: y(3), z(3), u(n), v(n)
  y = turned(turned(x(1:3)))
  call halved(x(4:6), z, 3)
  u = x
  call step(u, v)
  call step(v, u)
  call step(u, v)
  objective = y(1) + y(2)*y(3) + sum(z*y) + sum(v*x)
contains
  subroutine step(a, b)
    real(8), intent(in) :: a(n)
    real(8), intent(out) :: b(n)
    integer :: i
    do i = 1, n
      b(i) = a(i)*a(1) - a(n)
    end do
  end subroutine
end function
