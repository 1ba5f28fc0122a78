! check: array n=7
! The C library's qsort, called from Fortran.
module sorting
  use iso_c_binding
  implicit none
  interface
    subroutine qsort(base, n, size, compare) bind(C)
      import
      type(c_ptr), value :: base
      integer(c_size_t), value :: n, size
      type(c_funptr), value :: compare
    end subroutine
  end interface
contains
  integer(c_int) function rising(a, b) bind(C)
    real(c_double), intent(in) :: a, b
    rising = merge(1, 0, a > b) - merge(1, 0, a < b)
  end function
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double), target :: y(n)
    integer :: i
    y = sin(4 * x)
    call qsort(c_loc(y), int(n, c_size_t), 8_c_size_t, c_funloc(rising))
    objective = 0
    do i = 1, n
      objective = objective + i * y(i)**2 * y(1)
    end do
  end function
end module
