! check: array n=6
! Numbers with names of their own length: texts are allocated where they are copied, and freed by the caller.
module named_settings
  implicit none
  type setting
    character(len=:), allocatable :: name
    real(8) :: value
  end type
  type table
    type(setting), allocatable :: settings(:)
  contains
    procedure :: put
    procedure :: get
  end type
contains
  subroutine put(self, name, value)
    class(table), intent(inout) :: self
    character(*), intent(in) :: name
    real(8), intent(in) :: value
    integer :: i
    do i = 1, size(self%settings)
      if (self%settings(i)%name == name) then
        self%settings(i)%value = self%settings(i)%value + value
        return
      end if
    end do
    self%settings = [self%settings, setting(name, value)]
  end subroutine

  real(8) function get(self, name)
    class(table), intent(in) :: self
    character(*), intent(in) :: name
    integer :: i
    get = 1
    do i = 1, size(self%settings)
      if (self%settings(i)%name == name) get = self%settings(i)%value
    end do
  end function

  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(table) :: known
    character(8) :: name
    integer :: i
    allocate (known%settings(0))
    do i = 1, n
      name = 'first'
      if (mod(i, 3) == 0) name = 'third'
      call known%put(trim(name), x(i)**2)
    end do
    total = known%get('first')*known%get('second') + known%get('third')**2
  end function
end module
