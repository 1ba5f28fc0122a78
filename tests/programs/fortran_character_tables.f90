! check: array n=6
! Names looked up in tables decide which law is used; character functions and internal files along the way.
module laws
  implicit none
  integer, parameter :: width = 8
  character(len=width), parameter :: names(3) = [character(len=width) :: 'linear', 'cubic', 'soft']
  type :: entry
    character(len=:), allocatable :: key
    real(8) :: scale
  end type
contains
  integer function find(name)
    character(len=*), intent(in) :: name
    integer :: i
    find = 0
    do i = 1, size(names)
      if (trim(names(i)) == trim(adjustl(name))) find = i
    end do
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(entry), allocatable :: table(:)
    character(len=20) :: label
    integer :: i, k
    allocate(table(n))
    do i = 1, n
      table(i)%key = '  ' // names(mod(i, 3) + 1)
      table(i)%scale = x(i)
    end do
    total = 0
    do i = 1, n
      select case (find(table(i)%key))
      case (1)
        total = total + table(i)%scale
      case (2)
        total = total + table(i)%scale ** 3
      case (3)
        total = total + tanh(table(i)%scale)
      end select
      write (label, '(a,i2.2)') trim(table(i)%key), i
      read (label(len_trim(label) - 1:), '(i2)') k
      if (index(label, 'soft') > 0) total = total + k * x(1)
    end do
  end function
end module
