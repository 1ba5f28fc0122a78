! check: array n=4
! A type with text in front of an allocatable component: the text is made of pieces whose lengths are found at run time.
module named
  use iso_c_binding
  type :: field
    character(len=8) :: name = 'none'
    real(c_double), allocatable :: v(:)
  end type
  interface operator(+)
    module procedure added
  end interface
contains
  type(field) function added(a, b)
    type(field), intent(in) :: a, b
    added%name = trim(a%name)//'+'//trim(b%name)
    added%v = a%v + b%v * b%v(1)
  end function
end module
real(c_double) function objective(x, n) bind(C)
  use named
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  type(field), allocatable :: all(:)
  character(len=4) :: text
  integer :: i
  allocate (all(3))
  do i = 1, 3
    write (text, '(a,i0)') 'f', i
    all(i)%name = text
    all(i)%v = x * i
  end do
  do i = 1, 2
    all(1) = all(2) + all(1)
    all(2) = all(3) + all(1)
  end do
  objective = sum(all(1)%v**2) + all(2)%v(n) + len_trim(all(1)%name)
end function
