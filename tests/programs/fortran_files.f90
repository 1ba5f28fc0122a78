! check: array n=4
! Numbers from namelists and files of bytes are constant; what the program writes does not matter.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, tolerance, back(4)
  integer :: unit, ios, i, steps
  character(len=80) :: line
  namelist /control/ steps, tolerance
  steps = 3
  tolerance = 0.5d0
  line = '&control steps=4, tolerance=0.25 /'
  read (line, nml=control, iostat=ios)
  if (ios /= 0) error stop 'namelist'
  open (newunit=unit, status='scratch', form='unformatted', action='readwrite', iostat=ios)
  if (ios /= 0) stop 'no scratch file'
  write (unit) [1d0, 2d0, 3d0, 4d0]
  rewind (unit)
  back = x
  read (unit) back
  close (unit)
  if (steps > 9) print *, 'steps', x
  total = 0
  do i = 1, steps
    total = total + back(i) * x(i) ** 2 * tolerance
  end do
end function
