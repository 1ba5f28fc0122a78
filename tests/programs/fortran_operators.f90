! check: array n=4
! Operators, defined assignment of types and of components, structures made by functions.
module duals
  implicit none
  type :: angle
    real(8) :: radians = 0
  contains
    procedure, private :: from_real
    generic :: assignment(=) => from_real
    procedure, private :: add
    generic :: operator(+) => add
  end type
  type :: vec
    real(8) :: c(3)
  end type
  type :: counted
    real(8), allocatable :: v(:)
    integer :: copies = 0
  contains
    procedure, private :: copy
    generic :: assignment(=) => copy
  end type
  type :: pair
    type(counted) :: a, b
  end type
  interface operator(*)
    module procedure scale_vec, dot
  end interface
  interface operator(.cross.)
    module procedure cross
  end interface
  interface assignment(=)
    module procedure vec_from_array
  end interface
contains
  subroutine from_real(self, d)
    class(angle), intent(out) :: self
    real(8), intent(in) :: d
    self%radians = d * 3.141592653589793d0 / 180
  end subroutine
  function add(a, b) result(c)
    class(angle), intent(in) :: a
    type(angle), intent(in) :: b
    type(angle) :: c
    c%radians = a%radians + b%radians
  end function
  subroutine copy(self, other)
    class(counted), intent(inout) :: self
    class(counted), intent(in) :: other
    self%v = other%v
    self%copies = other%copies + 1
  end subroutine
  pure function scale_vec(s, v) result(w)
    real(8), intent(in) :: s
    type(vec), intent(in) :: v
    type(vec) :: w
    w%c = s * v%c
  end function
  pure function dot(a, b) result(s)
    type(vec), intent(in) :: a, b
    real(8) :: s
    s = dot_product(a%c, b%c)
  end function
  pure function cross(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c%c = [a%c(2) * b%c(3) - a%c(3) * b%c(2), a%c(3) * b%c(1) - a%c(1) * b%c(3), a%c(1) * b%c(2) - a%c(2) * b%c(1)]
  end function
  subroutine vec_from_array(v, a)
    type(vec), intent(out) :: v
    real(8), intent(in) :: a(:)
    v%c = a(1:3)
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(angle) :: t, u
    type(vec) :: a, b
    type(counted) :: c, d
    type(pair) :: p, q
    t = x(1) * 40
    u = x(2) * 10
    t = t + u
    a = x(1:3)
    b = x(2:4)
    allocate(c%v(n))
    c%v = x ** 2
    d = c
    p%a = c
    p%b = d
    q = p
    total = sin(t%radians) + (x(4) * (a .cross. b)) * a * 3 + a * b + sum(d%v) * d%copies + dot_product(q%a%v, q%b%v) * q%b%copies
  end function
end module
