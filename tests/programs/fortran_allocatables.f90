! check: array n=6,1
! Allocatable arrays: assignment that allocates, components of derived types, array constructors, move_alloc.
module cells
  implicit none
  type :: cell
    real(8), allocatable :: w(:)
    real(8) :: scale
  end type
contains
  subroutine apply(c, x, y)
    type(cell), intent(in) :: c
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: y(:)
    y = c%scale * matmul(reshape(c%w, [size(x), size(x)]), x)
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total, y(n)
    real(8), allocatable :: t(:), u(:)
    type(cell) :: c, d
    integer :: i
    allocate(c%w(n * n))
    c%w = [(x(mod(i, n) + 1) * i, i = 1, n * n)]
    c%scale = x(1)
    d = c
    d%w(1) = d%w(1) ** 2
    call apply(d, x, y)
    t = x ** 2 + c%w(1:n)
    t = [t, y(1), norm2(x)]
    call move_alloc(t, u)
    total = sum(y) * 0.1d0 + maxval(x) + product(u(1:1)) + u(n + 1) * u(n + 2)
  end function
end module
