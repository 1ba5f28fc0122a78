! What Fortran adds: descriptors, allocatable components, array expressions, character comparison, complex numbers, I/O.
module cells
  implicit none
  type :: cell
    real(8), allocatable :: field(:, :)
    real(4) :: total = 0
  end type
  real(8), save :: scale = 2d0
contains
  subroutine step(x, n, r)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(:)
    type(cell), intent(inout) :: r
    integer :: i
    do i = 2, n - 1
      x(i) = sin(x(i - 1)) * exp(-x(i + 1)) + x(i)**2 * scale
    end do
    r%field = matmul(r%field, transpose(r%field))
    r%total = real(sum(x), 4)
    where (x > 0.5d0) x = sqrt(x)
  end subroutine
  recursive function fibonacci(k) result(z)
    integer, intent(in) :: k
    real(8) :: z
    if (k < 2) then
      z = k
    else
      z = fibonacci(k - 1) + fibonacci(k - 2)
    end if
  end function
end module

program main
  use cells
  implicit none
  type(cell) :: r
  real(8) :: x(10)
  complex(8) :: c
  character(len=5) :: word
  integer :: i
  x = [(0.1d0 * i, i = 1, 10)]
  allocate (r%field(3, 3))
  r%field = 1d0
  call step(x, 10, r)
  c = cmplx(x(1), x(2), 8)
  c = c * exp(c)
  word = 'hello'
  select case (word)
  case ('hello')
    print *, x(3), r%total, fibonacci(10), c, norm2(x), mod(x(1), x(2))
  case default
    stop 2
  end select
end program
