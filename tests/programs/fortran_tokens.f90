! check: array n=3
! Six characters beside numbers look like an address where the descriptor of an array may lie, too.
module calculator
  implicit none
  type :: token
    character(len=6) :: word = ''
    real(8) :: value = 0
  end type
  type :: machine
    type(token), allocatable :: stack(:)
    type(token) :: registers(3)
  end type
contains
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(machine) :: m
    integer :: i
    allocate(m%stack(n))
    do i = 1, n
      m%registers(i) = token('init', x(i))
    end do
    do i = 1, n
      m%stack(i:i) = [m%registers(i)]
    end do
    total = sum(m%registers%value**2) + sum(m%stack%value)
  end function
end module
