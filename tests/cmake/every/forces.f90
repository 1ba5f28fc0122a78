module forces
  use constants
  implicit none
contains
  real(8) function work(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    work = stiffness * sum(x**2)
  end function

  real(8) function power(x, v, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), v(n)
    power = dot_product(x, v)
  end function
end module
