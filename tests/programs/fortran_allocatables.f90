! check: array n=6,1
! Allocatable arrays: assignment that allocates, components of derived types, array constructors, move_alloc, mold=.
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
    real(8), allocatable :: t(:), u(:), v(:)
    real(8), pointer :: p(:), q(:, :)
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
    ! Bounds of the mold, and of ALLOCATE where it has its own.
    deallocate(u)
    allocate(u(0:n), source=x(1))
    allocate(v, mold=u)
    allocate(p, mold=x(1:n:2))
    allocate(q(2, 0:n), mold=x(1))
    if (any([lbound(v), shape(v), shape(p), lbound(q, 2), shape(q)] /= [0, n + 1, (n + 1) / 2, 0, 2, n + 1])) error stop
    do i = 0, n
      v(i) = u(i) * x(mod(i, n) + 1)
      q(:, i) = [x(1), v(i)]
    end do
    do i = 1, size(p)
      p(i) = v(i - 1) ** 2
    end do
    total = total + sum(p * v(:size(p) - 1)) + q(2, n) * q(1, 0)
    deallocate(p, q)
  end function
end module
