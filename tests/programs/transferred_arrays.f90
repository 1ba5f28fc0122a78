! check: array n=4
! Arrays of numbers as arrays of integers and of characters, and back again.
module m
  implicit none
  character(8), save :: journal(4)
contains
  subroutine keep(s, text)
    character(*), intent(inout) :: s
    character(*), intent(in) :: text
    s = text
  end subroutine
end module
real(8) function objective(x, n) bind(C)
  use m
  implicit none
  integer(4), value :: n
  real(8), intent(in) :: x(n)
  integer(8) :: k(n), l(n)
  integer(1), allocatable :: buffer(:)
  character(1) :: b(8)
  complex(8), allocatable :: z(:)
  real(8), allocatable :: u(:)
  real(8) :: y(n), w(n), c
  integer :: i
  k = transfer(x*x(1), k)
  l = k
  y = transfer(l, y)
  allocate(buffer(0))
  do i = 1, n
    buffer = [buffer, transfer(x(i)*x(2), buffer)]
  end do
  do i = 1, n
    w(i) = transfer(buffer(8*i-7:8*i), w(i))
  end do
  z = transfer(y, [(0d0, 0d0)])
  z = z*conjg(z)*z
  u = transfer(z, [0d0])
  b = transfer(x(1)*x(2), b)
  do i = 1, 8
    journal(2)(i:i) = b(i)
  end do
  call keep(journal(3), journal(2))
  c = transfer(journal(3), c)
  objective = y(1)*y(2) + w(3)/w(4) + u(1)*u(4) + c*x(3)
end function
