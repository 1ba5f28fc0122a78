! check: array n=6
! Rays through lenses: structures of structures, functions that return them, early exits, optional results.
module optics
  implicit none
  integer, parameter :: dp = selected_real_kind(15, 300)
  type :: vec
    real(dp) :: x = 0, y = 0, z = 0
  end type
  type :: ray
    type(vec) :: from, along
    logical :: lost = .false.
  end type
  type :: surface
    real(dp) :: place, curvature, index
  end type
  interface operator(+)
    procedure :: add
  end interface
  interface operator(*)
    procedure :: times
  end interface
  interface operator(.dot.)
    procedure :: dot
  end interface
contains
  elemental type(vec) function add(a, b)
    type(vec), intent(in) :: a, b
    add = vec(a%x + b%x, a%y + b%y, a%z + b%z)
  end function
  elemental type(vec) function times(s, a)
    real(dp), intent(in) :: s
    type(vec), intent(in) :: a
    times = vec(s * a%x, s * a%y, s * a%z)
  end function
  elemental real(dp) function dot(a, b)
    type(vec), intent(in) :: a, b
    dot = a%x * b%x + a%y * b%y + a%z * b%z
  end function
  subroutine refract(r, s, before, angle)
    type(ray), intent(inout) :: r
    type(surface), intent(in) :: s
    real(dp), intent(in) :: before
    real(dp), intent(out), optional :: angle
    type(vec) :: normal
    real(dp) :: t, c, d, ratio
    t = (s%place - r%from%z) / r%along%z
    r%from = r%from + t * r%along
    normal = vec(-s%curvature * r%from%x, -s%curvature * r%from%y, 1)
    normal = (1 / sqrt(normal .dot. normal)) * normal
    c = normal .dot. r%along
    ratio = before / s%index
    d = 1 - ratio**2 * (1 - c**2)
    if (d < 0) then
      r%lost = .true.
      return
    end if
    r%along = ratio * r%along + (sqrt(d) - ratio * c) * normal
    if (present(angle)) angle = acos(normal .dot. r%along)
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: total, angle, before
    type(surface) :: lens(3)
    type(ray) :: r
    integer :: i, k
    lens = [surface(1, 0.1_dp * x(1), 1.5_dp), surface(1 + 0.2_dp * x(2), -0.1_dp * x(3), 1), surface(4 * x(4), 0, 1.2_dp)]
    total = 0
    rays: do k = -2, 2
      r = ray(vec(0.2_dp * k * x(5), 0.1_dp, 0), vec(0, 0, 1))
      before = 1
      do i = 1, 3
        if (i == 2) then
          call refract(r, lens(i), before, angle)
          total = total + angle * x(6)
        else
          call refract(r, lens(i), before)
        end if
        if (r%lost) cycle rays
        before = lens(i)%index
      end do
      total = total + (r%from%x**2 + r%from%y**2)
    end do rays
  end function
end module
