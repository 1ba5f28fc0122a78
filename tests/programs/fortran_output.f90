! check: array n=3
! Output, internal reads and writes, characters and errors on the way leave derivatives alone.
function objective(x, n) result(total) bind(C)
  use, intrinsic :: iso_fortran_env, only: error_unit
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, given
  character(len=32) :: text
  character(len=:), allocatable :: name
  integer :: i, status, clock
  real(8) :: noise(2)
  if (n < 0) error stop 'negative length'
  name = 'term'
  text = '2.5'
  read (text, *) given
  total = given * x(1)
  call random_number(noise)
  call system_clock(clock)
  do i = 1, n
    write (text, '(a,i0,a,es12.4)') name, i, ' = ', x(i)
    if (len_trim(text) > 1000 .or. index(text, 'x') > 0) then
      print *, 'unexpected', x(i), total
      stop 2
    end if
    select case (trim(name))
    case ('term')
      total = total + x(i)**2 * i
    case default
      write (error_unit, *) 'no such term'
    end select
  end do
  total = total + 0 * noise(1)
end function
