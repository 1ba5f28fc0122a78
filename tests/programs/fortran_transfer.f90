! check: array n=4
! The same bytes as another type with the same numbers.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, flat(4)
  complex(8) :: z(2)
  type :: pair
    real(8) :: a, b
  end type
  type(pair) :: p
  z = transfer(x, z, 2)
  p = transfer(x(2:3), p)
  flat = transfer(z, flat, 4)
  total = real(z(1) * z(2)) + p%a * p%b + flat(4) * flat(1)
end function
