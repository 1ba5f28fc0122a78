! check: array n=12,6 tol=1e-4 identity=1e-6
! REDUCE along a dimension by procedures of the program, with a mask and an identity.
module reduces_lines
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  pure real(8) function joined(a, b)
    real(8), intent(in) :: a, b
    joined = a*b + 0.5d0*b
  end function
  pure real(8) function larger(a, b)
    real(8), value :: a, b
    larger = merge(a, b*b, a > b)
  end function
  pure real(4) function single(a, b)
    real(4), intent(in) :: a, b
    single = a + 0.25*b
  end function
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: a(n/3, 3), rows(n/3), columns(3)
    a = reshape(x, shape(a))
    rows = reduce(a, joined, dim=2)
    columns = reduce(a(:, 3:1:-1), joined, dim=1, mask=a > 0.2d0, identity=0.75d0)
    objective = sum(rows**2) + sum(columns*a(1, :)) + sum(reduce(a, larger, 2)*rows)
    objective = objective + reduce(a(1, :), joined, dim=1)
    objective = objective + sum(reduce(real(a, 4), single, dim=1))
  end function
end module
