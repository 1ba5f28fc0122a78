! check: array n=4
! A recursive procedure is given an internal procedure several times, between which the host changes its variables.
! Nothing here needs the runtime library.
module quadrature
  implicit none
  interface
    real(8) function integrand(t)
      real(8), intent(in) :: t
    end function
  end interface
contains
  recursive real(8) function simpson(f, a, b, eps, depth) result(s)
    procedure(integrand) :: f
    real(8), intent(in) :: a, b, eps
    integer, intent(in) :: depth
    real(8) :: m, whole, left, right
    m = (a + b) / 2
    whole = (b - a) / 6 * (f(a) + 4 * f(m) + f(b))
    left = (m - a) / 6 * (f(a) + 4 * f((a + m) / 2) + f(m))
    right = (b - m) / 6 * (f(m) + 4 * f((m + b) / 2) + f(b))
    if (depth <= 0 .or. abs(left + right - whole) < eps) then
      s = left + right
    else
      s = simpson(f, a, m, eps / 2, depth - 1) + simpson(f, m, b, eps / 2, depth - 1)
    end if
  end function
end module
function objective(x, n) result(r) bind(C)
  use quadrature
  use iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  real(8) :: w
  w = x(1) * x(2)
  r = simpson(inside, 0d0, x(3), 1d-3, 6)
  w = x(2)**2
  r = r + simpson(inside, 0d0, 1d0, 1d-3, 6)
contains
  real(8) function inside(t)
    real(8), intent(in) :: t
    inside = exp(-w * t**2) * x(4)
  end function
end function
