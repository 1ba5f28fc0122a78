! Variables of other types than the procedure declares: each by itself is refused.
module model
  implicit none
contains
  real(8) function loss(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    loss = sum(x**2)
  end function
end module

program p
  use enzyme
  use model
  implicit none
  real(8) :: x(3) = [1, 2, 3], x_bar(3) = 0
  real(4) :: s(3) = 0, s_bar(3) = 0, value = 0, seed = 1
  integer :: n = 3
  call enzyme_autodiff(loss, x, x_bar, 3d0)
  call enzyme_autodiff(loss, s, s_bar, n)
  call enzyme_autodiff(loss, n, x, x_bar)
  call enzyme_autodiff(loss, x, x_bar, 3_8)
  call enzyme_autodiff(loss, x, x_bar, n, value, seed)
  print *, x_bar
end program
