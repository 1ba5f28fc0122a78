! check: array n=12
! Assumed-shape and allocatable buffers that change places; procedures with two written arrays; results moved by move_alloc.
module m
  implicit none
contains
  subroutine both(a, b)
    real(8), intent(inout) :: a(:), b(:)
    integer :: i
    do i = 2, size(a)
      a(i) = 0.3d0 * a(i) * b(i - 1) + 0.5d0 * a(i - 1)
      b(i) = 0.5d0 * b(i) * a(i)
    end do
  end subroutine
  subroutine advance(u)
    real(8), allocatable, intent(inout) :: u(:)
    real(8), allocatable :: v(:)
    integer :: i
    allocate(v(size(u)))
    v(1) = u(1)
    do i = 2, size(u)
      v(i) = 0.4d0 * v(i - 1) * u(i) + 0.6d0 * u(i - 1)
    end do
    call move_alloc(v, u)
  end subroutine
  subroutine swap(a, b)
    real(8), allocatable, intent(inout) :: a(:), b(:)
    real(8), allocatable :: t(:)
    call move_alloc(a, t)
    call move_alloc(b, a)
    call move_alloc(t, b)
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    real(8), allocatable :: a(:), b(:)
    integer :: k
    a = x
    b = x ** 2
    do k = 1, 3
      call both(a, b)
      call both(b, a)
      call both(a(1:n - 1), b(2:n))
      call advance(a)
      call advance(b)
      call swap(a, b)
      call both(b(n:1:-1), a)
    end do
    total = sum(a * b) + sum(a)
  end function
end module
