! check: array n=4 stopped=-O0+-O1+-O2+-O3
! Arrays of numbers as arrays of twice as many integers, and back again.
real(8) function objective(x, n) bind(C)
  implicit none
  integer(4), value :: n
  real(8), intent(in) :: x(n)
  integer(4), allocatable :: w(:)
  real(8), allocatable :: v(:)
  w = transfer(x*x(1), [0])
  v = transfer(w, [0d0])
  objective = v(1)*v(2) + v(3)*v(4)
end function
