! check: array n=6
! Shapes with names in slots of a table; numbers of some are allocated.
module shapes
  implicit none
  type, abstract :: shape
    character(8) :: id = ' '
  contains
    procedure(area_i), deferred :: area
  end type
  abstract interface
    real(8) function area_i(self)
      import shape
      class(shape), intent(in) :: self
    end function
  end interface
  type, extends(shape) :: disc
    real(8) :: r
  contains
    procedure :: area => disc_area
  end type
  type, extends(shape) :: poly
    real(8), allocatable :: p(:,:)
    integer, allocatable :: order(:)
    real(8) :: scale = 1
  contains
    procedure :: area => poly_area
  end type
  type :: slot
    class(shape), allocatable :: it
  end type
  type :: table
    type(slot), allocatable :: slots(:)
    real(8), allocatable :: weight(:)
    character(12), allocatable :: names(:)
    integer :: used = 0
  end type
contains
  real(8) function disc_area(self)
    class(disc), intent(in) :: self
    disc_area = 3.14159d0*self%r**2
  end function
  real(8) function poly_area(self)
    class(poly), intent(in) :: self
    integer :: i, a, b
    poly_area = 0
    do i = 1, size(self%order)
      a = self%order(i)
      b = self%order(mod(i, size(self%order)) + 1)
      poly_area = poly_area + self%p(1, a)*self%p(2, b) - self%p(1, b)*self%p(2, a)
    end do
    poly_area = 0.5d0*poly_area*self%scale
  end function
  subroutine put(t, s, w, name)
    type(table), intent(inout) :: t
    class(shape), intent(in) :: s
    real(8), intent(in) :: w
    character(*), intent(in) :: name
    t%used = t%used + 1
    allocate(t%slots(t%used)%it, source=s)
    t%weight(t%used) = w
    t%names(t%used) = name
  end subroutine
end module
real(8) function objective(x, n) bind(C)
  use shapes
  implicit none
  integer(4), value :: n
  real(8), intent(in) :: x(n)
  type(table) :: t
  type(disc) :: d
  type(poly) :: p
  integer :: i
  allocate(t%slots(3), t%weight(3), t%names(3))
  d%r = x(1)
  call put(t, d, x(2), "disc")
  p%p = reshape([0d0, x(3), x(4), 0.1d0, x(5), x(6), 0.2d0, 1d0], [2, 4])
  p%order = [1, 2, 3, 4]
  call put(t, p, x(3), "poly")
  d%r = x(2)*x(3)
  call put(t, d, x(1), "disc2")
  objective = 0
  do i = 1, t%used
    objective = objective + t%weight(i)*t%slots(i)%it%area()
    if (t%names(i) == "poly") objective = objective*x(6)
  end do
end function
