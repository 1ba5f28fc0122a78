! The gradient of the work, with the stiffness that this file was compiled with.
program use_ahead
  use enzyme
  use forces
  implicit none
  real(8) :: x(2) = [3, 4], x_bar(2) = 0
  integer :: n = 2
  call enzyme_autodiff(work, x, x_bar, n)
  if (any(abs(x_bar - 2 * stiffness * x) > 1d-12)) stop 1
end program
