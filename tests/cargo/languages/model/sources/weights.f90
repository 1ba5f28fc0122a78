subroutine weigh(x, n) bind(C)
  use iso_c_binding, only: c_double, c_int
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(inout) :: x(n)
  integer :: i
  if (n > 1000) print *, "long:", n
  x = [(i * x(i), i = 1, n)]
end subroutine
