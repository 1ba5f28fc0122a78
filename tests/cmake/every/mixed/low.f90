real(8) function low(x, n) bind(C)
  integer(4), value :: n
  real(8), intent(in) :: x(n)
  real(8), allocatable :: squares(:)
  squares = x**2
  low = sum(squares)
end function
