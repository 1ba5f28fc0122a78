! check: array n=4
! Unlimited polymorphic variables that hold objects of one derived type, or integers; components, given by constructors.
module any_things
  implicit none
  type :: point
    real(8) :: p(2)
  end type
  type :: box
    class(*), allocatable :: v
  end type
  type :: setting
    class(*), allocatable :: v
  end type
contains
  integer function level(s)
    type(setting), intent(in) :: s
    level = 0
    select type (v => s%v)
    type is (integer)
      level = v
    end select
  end function
  function measured(thing) result(m)
    class(*), intent(in) :: thing
    real(8) :: m
    select type (thing)
    type is (point)
      m = sum(thing%p ** 3)
    type is (integer)
      m = thing
    class default
      m = 0
    end select
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(box) :: b(2)
    type(setting), allocatable :: settings(:), others(:)
    integer :: i
    settings = [setting(3), setting(7)]
    others = settings
    others(2) = others(1)
    allocate(b(1)%v, source=point(x(1:2)))
    allocate(b(2)%v, source=point(x(3:4)))
    total = measured(point(x(2:3))) + measured(5)
    do i = 1, 2
      total = total + i * measured(b(i)%v)
    end do
    total = total * level(settings(2)) + sum(x) * level(others(2))
  end function
end module
