! The energy of atoms in a periodic box, as a function of where they are. Its gradient gives the forces.
module atoms
  implicit none
  type, abstract :: pair_potential
  contains
    procedure(of_distance), deferred :: at
  end type
  abstract interface
    pure function of_distance(self, squared) result(v)
      import pair_potential
      class(pair_potential), intent(in) :: self
      real(8), intent(in) :: squared
      real(8) :: v
    end function
  end interface
  type, extends(pair_potential) :: lennard_jones
    real(8) :: depth = 1, diameter = 1, cutoff = 2.5d0
  contains
    procedure :: at => lennard_jones_at
  end type
  type :: box
    real(8) :: length
    class(pair_potential), allocatable :: potential
  end type
contains
  pure function lennard_jones_at(self, squared) result(v)
    class(lennard_jones), intent(in) :: self
    real(8), intent(in) :: squared
    real(8) :: v
    if (squared > self%cutoff**2) then
      v = 0
    else
      v = shape_at(self%diameter**2 / squared) - shape_at(self%diameter**2 / self%cutoff**2)
    end if
  contains
    pure function shape_at(s) result(e)
      real(8), intent(in) :: s
      real(8) :: e
      e = 4 * self%depth * (s**6 - s**3)
    end function
  end function

  function energy(x, n, world) result(total)
    integer, intent(in) :: n
    real(8), intent(in) :: x(3, n)
    type(box), intent(in) :: world
    real(8) :: total, d(3)
    integer :: i, j
    total = 0
    do i = 1, n
      do j = 1, i - 1
        d = x(:, i) - x(:, j)
        d = d - world%length * anint(d / world%length)
        total = total + world%potential%at(dot_product(d, d))
      end do
    end do
  end function
end module
