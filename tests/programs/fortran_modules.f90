! check: array n=5
! Variables of modules, common blocks, saved and initialised ones, parameters, namelists, block data, equivalence of
! one type.
module state
  implicit none
  real(8) :: scale = 2d0
  real(8) :: table(4) = [1d0, 2d0, 3d0, 4d0]
  real(8), allocatable :: work(:)
  real(8), parameter :: half = 0.5d0
end module
block data constants
  real(8) :: g, h(3)
  common /physics/ g, h
  data g /9.81d0/, h /1d0, 2d0, 3d0/
end block data
subroutine accumulate(v)
  use state
  implicit none
  real(8), intent(in) :: v
  real(8) :: g, h(3)
  common /physics/ g, h
  work(1) = work(1) + scale * v * g
  h(2) = h(2) + v**2
end subroutine
function objective(x, n) result(total) bind(C)
  use state
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, g, h(3), pair(2), first, second
  integer :: i
  common /physics/ g, h
  equivalence (pair(1), first), (pair(2), second)
  allocate(work(2))
  work = 0
  scale = x(1) * half
  h = table(2:4) * x(2)
  do i = 1, n
    call accumulate(x(i))
  end do
  first = work(1)
  second = sum(h)
  total = pair(1) * pair(2) + g
  deallocate(work)
  scale = 2d0
end function
