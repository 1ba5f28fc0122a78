module chain
  implicit none
contains
  real(8) function energy(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    energy = 0.5d0 * sum((x(2:) - x(:n - 1) - 1)**2)
  end function
end module
