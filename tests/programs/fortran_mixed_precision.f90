! check: array n=5 tol=2e-2 identity=2e-5 step=0.3 lenient=1
! Real and complex numbers of both precisions in one formula; numeric intrinsic functions.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total
  real(4) :: s(n), q
  complex(4) :: z
  complex(8) :: w, roots(2)
  integer :: i
  s = real(x, 4)
  q = 0.
  do i = 1, n
    q = q + s(i) * sqrt(s(i)) / real(i)
  end do
  z = cmplx(s(1), s(2))
  w = z * (0.5d0, 1d0) + conjg(cmplx(x(3), x(4), 8))
  roots(1) = sqrt(w * w - 4 * x(5))
  roots(2) = log(w) ** 2 + w ** 3 + w ** (0.5d0, 0.1d0)
  total = q + abs(w) + real(roots(1)) + aimag(roots(2)) + dble(q) * x(1) + mod(x(1) * 10, 3d0) + modulo(-x(2), 0.7d0) &
    + sign(x(1), -x(2)) + dim(x(3), 0.2d0) + hypot(x(1), x(2)) + atan2(x(3), x(4)) + aint(x(1)) + erf(x(1)) + gamma(x(2)) &
    + bessel_j0(x(3)) + bessel_jn(2, x(4)) + max(x(1), x(2), x(3)) + min(x(2), 1d0) + tanh(x(4)) + log_gamma(x(5)+1)
end function
