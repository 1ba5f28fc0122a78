function weighted(x, y) bind(C) result(s)
  use iso_c_binding
  implicit none
  real(c_double), intent(in) :: x(:), y(:)
  real(c_double) :: s
  integer :: i
  s = sum(x * y**2)
  do i = 1, size(x)
    s = s + i * x(i) * y(size(y) + 1 - i)
  end do
end function

subroutine doubled(x) bind(C)
  use iso_c_binding
  implicit none
  real(c_double), intent(inout) :: x(:)
  x = 2 * x + x**2
end subroutine

subroutine grown(x, by) bind(C)
  use iso_c_binding
  implicit none
  real(c_double), allocatable, intent(inout) :: x(:)
  real(c_double), value :: by
  x = [x, by * x(1), by**2]
end subroutine
