! check: array n=7,3,1
module shapes
  use iso_c_binding, only: c_int, c_double
  implicit none
  type, abstract :: shape
    real(8) :: weight = 1
  contains
    procedure(area_of), deferred :: area
  end type
  abstract interface
    real(8) function area_of(self)
      import shape
      class(shape), intent(in) :: self
    end function
  end interface
  type, extends(shape) :: circle
    real(8) :: r
  contains
    procedure :: area => circle_area
  end type
  type, extends(shape) :: rectangle
    real(8) :: a, b
  contains
    procedure :: area => rectangle_area
  end type
  type, extends(shape) :: polygon
    real(8), allocatable :: side(:)
    integer :: n = 0
  contains
    procedure :: area => polygon_area
  end type
  type :: holder
    class(shape), allocatable :: it
  end type
contains
  real(8) function circle_area(self)
    class(circle), intent(in) :: self
    circle_area = self%weight * self%r**2
  end function
  real(8) function rectangle_area(self)
    class(rectangle), intent(in) :: self
    rectangle_area = self%weight * self%a * self%b
  end function
  real(8) function polygon_area(self)
    class(polygon), intent(in) :: self
    polygon_area = self%weight * sum(self%side**2) / self%n
  end function
  subroutine make(it, kind, x, y)
    class(shape), allocatable, intent(out) :: it
    integer, intent(in) :: kind
    real(8), intent(in) :: x, y
    select case (mod(kind, 3))
    case (0)
      allocate(it, source=circle(weight=y, r=x))
    case (1)
      allocate(it, source=rectangle(weight=1d0, a=x, b=y))
    case default
      allocate(polygon :: it)
      select type (it)
      type is (polygon)
        it%n = 3
        it%side = [x, y, x*y]
        it%weight = x + y
      end select
    end select
  end subroutine
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(holder) :: all(n)
    integer :: i
    do i = 1, n
      call make(all(i)%it, i, x(i), x(n+1-i))
    end do
    objective = 0
    do i = 1, n
      objective = objective + i*all(i)%it%area()
    end do
  end function
end module
