module forces
  use constants
  implicit none
contains
  real(8) function work(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    work = stiffness * sum(x**2)
  end function
end module
