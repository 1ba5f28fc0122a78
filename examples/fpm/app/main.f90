program main
  use enzyme
  use chain, only: energy
  implicit none
  real(8) :: x(3) = [0d0, 2d0, 3d0], x_bar(3) = 0
  integer :: n = 3
  call enzyme_autodiff(energy, x, x_bar, n)
  print '(3f6.2)', x_bar
end program
