program use_forces
  use work_gradient
  implicit none
  integer(4) :: n = 2
  real(8) :: x(2) = [3, 4], x_bar(2) = 0, value
  value = work_grad(x, x_bar, n, 2d0)
  if (abs(value - 12.5d0) > 1d-12 .or. any(abs(x_bar - [6d0, 8d0]) > 1d-12)) stop 1
end program
