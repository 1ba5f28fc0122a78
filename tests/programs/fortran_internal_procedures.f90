! check: array n=5
! Internal procedures with host variables as arguments, dummy procedures, procedure components.
module callbacks
  implicit none
  abstract interface
    function integrand(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
    end function
  end interface
  type :: rule
    procedure(integrand), pointer, nopass :: f => null()
    real(8) :: lo, hi
  end type
contains
  recursive function adaptive(f, a, b, tol, depth) result(q)
    procedure(integrand) :: f
    real(8), intent(in) :: a, b, tol
    integer, intent(in) :: depth
    real(8) :: q, m, whole, halves
    m = 0.5d0 * (a + b)
    whole = (b - a) / 6 * (f(a) + 4 * f(m) + f(b))
    halves = (b - a) / 12 * (f(a) + 4 * f(0.5d0 * (a + m)) + 2 * f(m) + 4 * f(0.5d0 * (m + b)) + f(b))
    if (abs(halves - whole) < tol .or. depth == 0) then
      q = halves
    else
      q = adaptive(f, a, m, tol / 2, depth - 1) + adaptive(f, m, b, tol / 2, depth - 1)
    end if
  end function
  function newton(f, df, start) result(r)
    procedure(integrand) :: f, df
    real(8), intent(in) :: start
    real(8) :: r, step
    integer :: i
    r = start
    do i = 1, 50
      step = f(r) / df(r)
      r = r - step
      if (abs(step) < 1d-14) exit
    end do
  end function
  function bell(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = exp(-t * t)
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(rule) :: r(2)
    procedure(integrand), pointer :: p
    integer :: k
    total = adaptive(inside, 0d0, x(1), 1d-9, 8) + newton(cubic, slope, x(2))
    p => bell
    r(1) = rule(bell, 0d0, x(3))
    r(2)%f => p
    r(2)%lo = x(4)
    r(2)%hi = x(5) + 1
    do k = 1, 2
      total = total + adaptive(r(k)%f, r(k)%lo, r(k)%hi, 1d-8, 6)
    end do
  contains
    function inside(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
      v = x(2) * sin(x(3) * t) + t ** 2
    end function
    function cubic(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
      v = t ** 3 + x(4) * t - x(5) - 1
    end function
    function slope(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
      v = 3 * t ** 2 + x(4)
    end function
  end function
end module
