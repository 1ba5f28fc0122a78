! check: array n=5
! Lists of class pointers, functions that return polymorphic objects, select type, arrays of pointers in wrappers.
module shapes
  implicit none
  type, abstract :: shape
    class(shape), pointer :: next => null()
  contains
    procedure(measure), deferred :: area
    procedure :: grow
  end type
  abstract interface
    function measure(self) result(a)
      import shape
      class(shape), intent(in) :: self
      real(8) :: a
    end function
  end interface
  type, extends(shape) :: circle
    real(8) :: radius
  contains
    procedure :: area => circle_area
    procedure :: grow => grow_circle
  end type
  type, extends(shape) :: rectangle
    real(8) :: sides(2)
  contains
    procedure :: area => rectangle_area
  end type
contains
  function made(x, i) result(s)
    real(8), intent(in) :: x
    integer, intent(in) :: i
    class(shape), pointer :: s
    if (mod(i, 2) == 0) then
      allocate(s, source=circle(radius=x))
    else
      allocate(rectangle :: s)
      select type (s)
      type is (rectangle)
        s%sides = [x, x + i]
      end select
    end if
  end function
  function circle_area(self) result(a)
    class(circle), intent(in) :: self
    real(8) :: a
    a = 3.14159d0 * self%radius ** 2
  end function
  function rectangle_area(self) result(a)
    class(rectangle), intent(in) :: self
    real(8) :: a
    a = product(self%sides)
  end function
  subroutine grow(self, by)
    class(shape), intent(inout) :: self
    real(8), intent(in) :: by
    select type (self)
    class is (rectangle)
      self%sides = self%sides * by
    end select
  end subroutine
  subroutine grow_circle(self, by)
    class(circle), intent(inout) :: self
    real(8), intent(in) :: by
    self%radius = self%radius + by
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    class(shape), pointer :: first, s
    integer :: i
    nullify(first)
    do i = 1, n
      s => made(x(i), i)
      s%next => first
      first => s
    end do
    total = 0
    s => first
    do while (associated(s))
      call s%grow(x(1))
      total = total + s%area()
      s => s%next
    end do
    do while (associated(first))
      s => first%next
      deallocate(first)
      first => s
    end do
  end function
end module
