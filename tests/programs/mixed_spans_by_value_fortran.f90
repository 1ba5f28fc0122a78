subroutine smooth_fortran(u, n, w) bind(C)
  use iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_double), value :: w
  real(c_double), intent(inout) :: u(n)
  u(2:n-1) = (1 - w) * u(2:n-1) + w / 2 * (u(1:n-2) + u(3:n))
  where (u < 0.6d0) u = 0.6d0 + 0.1d0 * (u - 0.6d0)
end subroutine
