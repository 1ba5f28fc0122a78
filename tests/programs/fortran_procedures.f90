! check: array n=6
! Optional arguments, host association, procedure pointers and dummies, strided actual arguments, recursion, entry by
! keyword, elemental and pure procedures, automatic arrays.
module procedures
  implicit none
  abstract interface
    function curve(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
    end function
  end interface
contains
  function square(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = t * t
  end function
  function wave(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = sin(t)
  end function
  elemental function softened(t, eps) result(v)
    real(8), intent(in) :: t
    real(8), intent(in), optional :: eps
    real(8) :: v
    v = t
    if (present(eps)) v = sqrt(t**2 + eps)
  end function
  subroutine smooth(v, weight)
    real(8), intent(inout) :: v(:)
    real(8), intent(in), optional :: weight
    real(8) :: w
    integer :: i
    w = 0.25d0
    if (present(weight)) w = weight
    do i = 2, size(v) - 1
      v(i) = (1 - w) * v(i) + w * (v(i - 1) + v(i + 1)) / 2
    end do
  end subroutine
  subroutine doubled(v, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: v(n)
    v = 2 * v
  end subroutine
  recursive function halves(v, n) result(s)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n)
    real(8) :: s
    if (n == 1) then
      s = v(1)**2
    else
      s = halves(v(1:n / 2), n / 2) * halves(v(n / 2 + 1:n), n - n / 2)
    end if
  end function
  function applied(f, t) result(v)
    procedure(curve) :: f
    real(8), intent(in) :: t
    real(8) :: v
    v = f(t)
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total, v(n), m(2, n)
    procedure(curve), pointer :: chosen
    v = x
    call smooth(v)
    call smooth(weight=x(1), v=v)
    m(1, :) = v
    m(2, :) = x
    call smooth(m(1, :), x(2))
    call doubled(m(2, 1:n:2), (n + 1) / 2)
    chosen => square
    if (x(1) > 10) chosen => wave
    total = chosen(v(1)) + applied(wave, v(2)) + applied(chosen, v(n)) + halves(x, n)
    total = total + sum(softened(m(1, :), 0.1d0)) + sum(softened(m(2, :)))
    call add(3d0)
    total = total + energy(v)
  contains
    subroutine add(factor)
      real(8), intent(in) :: factor
      total = total + factor * x(n)**2
    end subroutine
    function energy(u) result(e)
      real(8), intent(in) :: u(:)
      real(8) :: e
      e = dot_product(u, x(1:size(u)))
    end function
  end function
end module
