! check: array n=7,3,1
module class_arrays
  use iso_c_binding, only: c_int, c_double
  implicit none
  type, abstract :: cell
    integer :: id = 0
  contains
    procedure(work_if), deferred :: work
  end type
  abstract interface
    real(8) function work_if(self)
      import cell
      class(cell), intent(in) :: self
    end function
  end interface
  type, extends(cell) :: real_cell
    real(8) :: v
  contains
    procedure :: work => real_work
  end type
  type, extends(cell) :: int_cell
    integer :: v, w
    real(8) :: u
  contains
    procedure :: work => int_work
  end type
  type, extends(cell) :: triple_cell
    real(8) :: a, b
    real(8) :: u
  contains
    procedure :: work => triple_work
  end type
  type, extends(cell) :: complex_cell
    complex(8) :: z
  contains
    procedure :: work => complex_work
  end type
  type :: store
    class(cell), allocatable :: items(:)
  end type
contains
  real(8) function real_work(self)
    class(real_cell), intent(in) :: self
    real_work = self%v**2*self%id
  end function
  real(8) function int_work(self)
    class(int_cell), intent(in) :: self
    int_work = self%v*self%u + self%w
  end function
  real(8) function triple_work(self)
    class(triple_cell), intent(in) :: self
    triple_work = self%a*self%u + self%b**2
  end function
  real(8) function complex_work(self)
    class(complex_cell), intent(in) :: self
    complex_work = abs(self%z)**2 + aimag(self%z**3)
  end function
  subroutine fill(items, kind, x)
    class(cell), allocatable, intent(out) :: items(:)
    integer, intent(in) :: kind
    real(8), intent(in) :: x(:)
    integer :: i, n
    n = size(x)
    select case (kind)
    case (1)
      allocate(real_cell :: items(n))
    case (2)
      allocate(int_cell :: items(n))
    case (3)
      allocate(triple_cell :: items(n))
    case default
      allocate(complex_cell :: items(n))
    end select
    select type (items)
    type is (real_cell)
      items%v = x
    type is (int_cell)
      do i = 1, n
        items(i)%v = i; items(i)%w = 2; items(i)%u = x(i)
      end do
    type is (triple_cell)
      items%a = x; items%b = 2*x; items%u = x**2
    type is (complex_cell)
      items%z = cmplx(x, x**2, 8)
    end select
    do i = 1, n
      items(i)%id = i
    end do
  end subroutine
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    type(store) :: s(4)
    class(cell), allocatable :: copy
    integer :: i, k
    do k = 1, 4
      call fill(s(k)%items, k, x)
    end do
    objective = 0
    do k = 1, 4
      do i = 1, n
        objective = objective + s(k)%items(i)%work()
      end do
      allocate(copy, source=s(k)%items(n))
      objective = objective + 3*copy%work()
      deallocate(copy)
    end do
  end function
end module
