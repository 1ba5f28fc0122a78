! check: array n=5
! FORALL whose right sides read what it assigns: values, and places that data choose, are kept between its two passes.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, m(3, 3), z(3)
  real(8), allocatable :: w(:)
  integer :: j, at(3)
  at = [2, 3, 1]
  m = spread(x(1:3), 2, 3)
  w = x
  forall (j = 1:3) m(j, 1:3) = x(j:j + 2) * m(1:3, j)
  forall (j = 1:3, x(j) > 0.8d0) m(at(j), j) = x(at(j)) * m(j, at(j))
  forall (j = 1:n - 1, w(j) > 0.9d0)
    w(j) = sin(w(n - j) + w(j))
    w(j + 1) = w(j) * x(1)
  end forall
  z = sum(m, dim=1)
  total = sum(m ** 2) + product(z) + sum(w * x)
end function
