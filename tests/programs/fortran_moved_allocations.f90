! check: array n=5
! Memory moves from one allocatable variable to another (move_alloc), and is overwritten under its new name.
module moves
  implicit none
contains
  subroutine hand_over(from, to)
    real(8), allocatable, intent(inout) :: from(:), to(:)
    call move_alloc(from, to)
  end subroutine

  function objective(x, n) result(r) bind(C)
    use iso_c_binding
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    real(8), allocatable :: one(:), two(:), rows(:, :), turned(:, :)
    integer :: i
    allocate (one(n))
    one = x * 1.5d0
    r = sum(sin(one))
    call move_alloc(one, two)
    two = two * x + 0.25d0
    r = r + sum(cos(two))
    call hand_over(two, one)
    do i = 1, n
      one(i) = one(i) * x(n + 1 - i) * i
    end do
    r = r + dot_product(one, sin(one))
    allocate (rows(3, n + 1))
    do i = 1, size(rows, 2)
      rows(:, i) = max(norm2(reshape([1.5d0 + x(1:3)**2, x(2:4)], [2, 3]), dim=1), 0.573d0)
    end do
    if (.not. allocated(turned)) call move_alloc(rows, turned)
    if (allocated(turned)) rows = 0.5d0 * turned(:, 3:1:-1) * x(1)
    r = r * sum(rows)
  end function
end module
