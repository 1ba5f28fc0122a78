! check: array n=7
! A module's array grows by `move_alloc`, between procedures that read and write it by its name.
module pool
  implicit none
  real(8), allocatable :: all(:)
contains
  subroutine grow(n)
    integer, intent(in) :: n
    real(8), allocatable :: more(:)
    integer :: i
    allocate(more(n))
    do i = 1, size(all)
      more(i) = all(i)*all(1)
    end do
    do i = size(all) + 1, n
      more(i) = more(i - 1)*0.5d0 + 1
    end do
    call move_alloc(more, all)
    all(2) = all(2)*all(n)
  end subroutine
  real(8) function total()
    integer :: i
    total = 0
    do i = 1, size(all)
      total = total + all(i)*i
    end do
  end function
end module
real(8) function objective(x, n) bind(C)
  use pool
  implicit none
  integer(4), value :: n
  real(8), intent(in) :: x(n)
  integer :: k
  allocate(all(2))
  all = x(1:2)
  do k = 3, n
    call grow(k)
    all(k) = all(k)*x(k) + sin(all(1))
  end do
  objective = total()/(1 + all(n)**2)
  deallocate(all)
end function
