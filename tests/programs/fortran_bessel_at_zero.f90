! check: main
! The slopes of BESSEL_JN of several orders at 0, where the library has a function of the orders alone.
subroutine several(x, r)
  real(8), intent(in) :: x
  real(8), intent(out) :: r
  real(8) :: j(0:3)
  j = bessel_jn(0, 3, x)
  r = j(0) + 3*j(1) + j(2) + j(3)
end subroutine
program bessel_at_zero
  use enzyme
  implicit none
  interface
    subroutine several(x, r)
      real(8), intent(in) :: x
      real(8), intent(out) :: r
    end subroutine
  end interface
  real(8) :: x, x_bar, r, r_bar
  x = 0; x_bar = 0; r_bar = 1
  call enzyme_autodiff(several, x, x_bar, r, r_bar)
  if (abs(x_bar - 1.5d0) > 1d-14) error stop 'wrong slope'
end program
