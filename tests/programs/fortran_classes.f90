! check: array n=5
! Types that extend others, class dispatch, polymorphic allocation, select type.
module shapes
  implicit none
  type, abstract :: potential
    real(8) :: depth
  contains
    procedure(curve), deferred :: at
  end type
  abstract interface
    function curve(self, r) result(v)
      import potential
      class(potential), intent(in) :: self
      real(8), intent(in) :: r
      real(8) :: v
    end function
  end interface
  type, extends(potential) :: spring
  contains
    procedure :: at => spring_at
  end type
  type, extends(potential) :: polynomial
    real(8), allocatable :: c(:)
  contains
    procedure :: at => polynomial_at
  end type
  type :: holder
    class(potential), allocatable :: p
  end type
contains
  function spring_at(self, r) result(v)
    class(spring), intent(in) :: self
    real(8), intent(in) :: r
    real(8) :: v
    v = 0.5d0 * self%depth * r ** 2
  end function
  function polynomial_at(self, r) result(v)
    class(polynomial), intent(in) :: self
    real(8), intent(in) :: r
    real(8) :: v
    integer :: i
    v = self%depth
    do i = 1, size(self%c)
      v = v + self%c(i) * r ** i
    end do
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(holder) :: all(2)
    integer :: i
    allocate(all(1)%p, source=spring(x(1)))
    allocate(polynomial :: all(2)%p)
    all(2)%p%depth = x(2)
    select type (q => all(2)%p)
    type is (polynomial)
      q%c = x(3:n)
    end select
    total = 0
    do i = 1, n
      total = total + all(1 + mod(i, 2))%p%at(x(i))
    end do
  end function
end module
