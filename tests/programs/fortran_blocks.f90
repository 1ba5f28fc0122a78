! check: array n=5,2
module blocks
  use iso_c_binding, only: c_int, c_double
  implicit none
  real(8) :: viscosity = 0.1d0
  integer :: steps = 4
  character(len=16) :: scheme = 'upwind'
  namelist /control/ viscosity, steps, scheme
contains
  subroutine configure(text)
    character(*), intent(in) :: text
    read (text, nml=control)
  end subroutine
  subroutine name_of(k, label)
    integer, intent(in) :: k
    character(len=:), allocatable, intent(out) :: label
    character(len=12) :: digits
    write (digits, '(i0)') k
    label = 'cell-' // trim(adjustl(digits))
    if (index(label, '3') > 0) label = label // '!'
  end subroutine
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: u(0:n+1), flux(n+1)
    integer :: t, i
    character(len=:), allocatable :: label
    u(1:n) = x; u(0) = x(n); u(n+1) = x(1)
    time: do t = 1, steps
      block
        real(8) :: speed
        speed = maxval(abs(u))
        associate (left => u(0:n), right => u(1:n+1))
          if (scheme == 'upwind') then
            flux = merge(left, right, left + right > 0)**2/2 - viscosity*(right - left)
          else
            flux = (left**2 + right**2)/4 - speed*(right - left)
          end if
        end associate
        u(1:n) = u(1:n) - 0.1d0*(flux(2:) - flux(:n))
        u(0) = u(n); u(n+1) = u(1)
        do i = 1, n
          call name_of(i + t, label)
          if (label(len(label):) == '!') cycle time
          u(i) = u(i)*(1 + 0.001d0*len(label))
        end do
      end block
    end do time
    objective = sum(u(1:n)**2)
  end function
end module
