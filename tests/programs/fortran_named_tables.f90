! check: array n=5 range=0.5:1.5
! Entries with names and tables; a name is assigned from trimmed text, which the runtime makes.
module m
  type :: param
    character(len=16) :: name = ''
    real(8) :: value = 0
    real(8), allocatable :: table(:)
  end type
contains
  subroutine set(items, name, v)
    type(param), intent(inout) :: items(:)
    character(*), intent(in) :: name
    real(8), intent(in) :: v
    integer :: i
    do i = 1, size(items)
      if (items(i)%name == name) items(i)%value = v
    end do
  end subroutine
end module
function objective(x, n) result(total) bind(C)
  use m
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total
  type(param), allocatable :: items(:)
  character(len=16) :: name
  allocate (items(2))
  name = 'abc'
  items(1)%name = 'abct'
  items(2)%name = trim(name)
  items(2)%table = x(1:3)
  call set(items, 'abct', x(1))
  call set(items, trim(name), x(2))
  total = items(1)%value*items(2)%value + sum(items(2)%table**2)
end function
