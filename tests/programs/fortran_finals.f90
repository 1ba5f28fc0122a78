! check: array n=4
! Final procedures: of local variables, of components, of what is deallocated.
module buffers
  implicit none
  integer :: ended = 0
  type :: buffer
    real(8), allocatable :: v(:)
    real(8), pointer :: raw(:) => null()
  contains
    final :: finish
  end type
  type :: owner
    type(buffer) :: b
    real(8) :: weight = 2d0
  end type
contains
  subroutine finish(self)
    type(buffer), intent(inout) :: self
    ended = ended + 1
    if (associated(self%raw)) deallocate(self%raw)
  end subroutine
  subroutine fill(b, x)
    type(buffer), intent(inout) :: b
    real(8), intent(in) :: x(:)
    b%v = x
    allocate(b%raw(size(x)))
    b%raw = x ** 2
  end subroutine
  function work(x) result(total)
    real(8), intent(in) :: x(:)
    real(8) :: total
    type(buffer) :: b
    type(owner), allocatable :: o
    call fill(b, x)
    allocate(o)
    call fill(o%b, 2 * x)
    total = sum(b%v * b%raw) + o%weight * sum(o%b%raw)
    deallocate(o)
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    integer :: i
    total = 0
    do i = 1, 3
      total = total + work(x * i)
    end do
  end function
end module
