program asking
  use enzyme
  implicit none
  real(8) :: x = 2, x_bar = 0
  call enzyme_autodiff(cube, x, x_bar)
  if (abs(x_bar - 12) > 1d-12) stop 1
contains
  real(8) function cube(x)
    real(8), intent(in) :: x
    cube = x**3
  end function
end program
