! check: array n=4 range=1.1:2.9
! The functions of numbers that Fortran has and C has not.
function objective(x, n) result(t) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: t, a, b, c
  integer(8) :: long
  a = x(1)
  b = x(2)
  c = x(3)
  long = n
  t = mod(7 * a, b) + modulo(-5 * a, c) + sign(a, b - c) + dim(a, b) + dim(b, a)
  t = t + a**n + b**(-2) + c**long + a**b + 2**c
  t = t + fraction(a) * scale(b, 3) + set_exponent(c, 2) + nearest(a, 1d0) + rrspacing(b) * 1d-16 + spacing(c)
  t = t + exponent(a) * aint(b) * anint(c) + floor(a) * ceiling(b) * nint(c)
  t = t + erf(a) * erfc(b) + erfc_scaled(c) + gamma(a) + log_gamma(b) + bessel_j0(a) + bessel_j1(b) + bessel_jn(2, c)
  t = t + bessel_y0(a) + hypot(a, b) + atan2(a, b) + asinh(a) + acosh(b) + atanh(1 / c) + log10(a) + tan(a) * sinh(b)
  t = t + max(a, b, c) * min(a, b) + abs(a - b) + sqrt(c) * exp(-a) + merge(a, b, a > b) + cosh(c)
  t = t + dprod(real(a), real(b)) * 1d-9
  if (n > 3) t = t * x(4)
end function
