! check: array n=3 tol=1e-4 identity=1e-6
! The times of the process replace numbers, whose derivatives end there; an array of one gets the first only.
module times_of_process
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  ! A number without its value, with its derivative.
  real(4) function slope_of(a)
    real(4), intent(in) :: a
    character(len=40) :: text
    real(4) :: value
    write (text, *) a
    read (text, *) value
    slope_of = a - value
  end function
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(4) :: times(2), total, strided(4), single(3), other
    times = real(x(1:2), 4)
    total = real(x(3), 4)
    call etime(times, total)
    strided = real(0.5d0*x(1), 4)
    call etime(strided(2:4:2), other)
    single = real(x(2), 4)
    call etime(single(:1), other)
    objective = x(2)**2 + slope_of(times(1)) + 2*slope_of(times(2)) + 3*slope_of(total) + slope_of(single(1))
    objective = objective + slope_of(strided(2)) + slope_of(strided(4))
    objective = objective + x(3)*(strided(1) + strided(3)) + single(2)*x(1) + single(3)
  end function
end module
