! check: array n=5
! MOVE_ALLOC from component to component, over an array that ends there.
module cells
  implicit none
  type :: cell
    real(8), allocatable :: w(:)
    real(8) :: scale = 1
    integer :: tag = 0
  end type
contains
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(cell) :: c, d
    c = cell([x(1), 0.3d0, x(2)], x(3), 2)
    d = c
    call move_alloc(d%w, c%w)
    if (.not. allocated(d%w)) d%w = x(3:1:-1)
    total = c%scale * sum(c%w) + sum(d%w ** 2)
  end function
end module
