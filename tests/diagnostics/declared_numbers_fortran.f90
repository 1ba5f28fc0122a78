! The bits of a number as two of another precision.
module bits
contains
  real(8) function halves(x)
    real(8), intent(in) :: x
    real(8) :: whole
    real(4) :: parts(2)
    equivalence (whole, parts)
    whole = x
    halves = parts(1) * parts(2)
  end function
end module

program main
  use enzyme
  use bits
  real(8) :: x = 2.5d0, x_bar = 0
  call enzyme_autodiff(halves, x, x_bar)
  print *, x_bar
end program
