! check: array n=6
! Submodules, procedure pointers in tables, pure and elemental procedures of types, complex parts, do concurrent.
module integrators
  implicit none
  interface
    module function step(f, y, h) result(z)
      interface
        pure function f(y) result(d)
          real(8), intent(in) :: y(:)
          real(8) :: d(size(y))
        end function
      end interface
      real(8), intent(in) :: y(:), h
      real(8) :: z(size(y))
    end function
  end interface
end module
submodule (integrators) midpoint
contains
  module procedure step
    z = y + h * f(y + h / 2 * f(y))
  end procedure
end submodule
module problem
  use integrators
  implicit none
  type :: field
    complex(8) :: amplitude
  contains
    procedure :: strength
    generic :: operator(+) => plus
    procedure, private :: plus
  end type
  type :: law
    procedure(right_side), pointer, nopass :: f => null()
  end type
contains
  elemental function strength(self) result(s)
    class(field), intent(in) :: self
    real(8) :: s
    s = self%amplitude%re ** 2 + 2 * self%amplitude%im ** 2
  end function
  elemental function plus(a, b) result(c)
    class(field), intent(in) :: a, b
    type(field) :: c
    c%amplitude = a%amplitude + b%amplitude
  end function
  pure function right_side(y) result(d)
    real(8), intent(in) :: y(:)
    real(8) :: d(size(y))
    d = -y ** 2 + cshift(y, 1)
  end function
  pure function decay(y) result(d)
    real(8), intent(in) :: y(:)
    real(8) :: d(size(y))
    d = -0.5d0 * y
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total, y(n), z(n)
    type(law) :: laws(2)
    type(field) :: fields(n), sums(n)
    integer :: i
    laws(1)%f => right_side
    laws(2)%f => decay
    y = x
    do i = 1, 6
      y = step(laws(mod(i, 2) + 1)%f, y, 0.05d0)
    end do
    fields = [(field(cmplx(y(i), x(i), 8)), i = 1, n)]
    sums = fields + fields(n:1:-1)
    do concurrent (i = 1:n)
      z(i) = y(i) * sums(i)%amplitude%im
    end do
    total = sum(sums%strength()) + sum(z)
  end function
end module
