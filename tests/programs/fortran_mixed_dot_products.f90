! check: array n=6,3
! Scalar products of arrays of different types, which are in dummies, allocatables, pointers and components.
module products
  implicit none
  type :: table
    integer, allocatable :: counts(:)
    real(4), pointer :: single(:) => null()
    complex(8), allocatable :: modes(:)
  end type
contains
  real(8) function weighted(counts, x)
    integer, intent(in) :: counts(:)
    real(8), intent(in) :: x(:)
    weighted = dot_product(counts, x) + 0.5d0 * dot_product(x, counts)
  end function
  real(4) function narrow(x, long)
    real(4), intent(in) :: x(:)
    integer(8), intent(in) :: long(:)
    narrow = dot_product(x, long)
  end function
  complex(8) function waves(t, x)
    type(table), intent(in) :: t
    real(8), intent(in) :: x(:)
    waves = dot_product(t%modes, x) + dot_product(x, t%modes) * dot_product(t%single, t%modes)
  end function
end module
real(8) function objective(x, n) bind(C)
  use products
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  type(table) :: t
  integer(1) :: small(n)
  integer(8) :: long(n)
  real(4), target :: single(n)
  complex(4) :: turns(n)
  integer :: i
  allocate (t%counts(n), t%modes(n))
  do i = 1, n
    t%counts(i) = i - 2
    small(i) = int(3 - i, 1)
    long(i) = i * i
    single(i) = 0.25 * i
    turns(i) = cmplx(0.5 * i, 1.0 - i)
    t%modes(i) = x(i) * cmplx(cos(0.3d0 * i), sin(0.3d0 * i), 8)
  end do
  t%single => single
  objective = weighted(t%counts, x) + dot_product(small, x * x) + dot_product(t%single, x(n:1:-1))
  objective = objective + abs(waves(t, x)) + narrow(single, long) + aimag(dot_product(turns, t%modes))
  objective = objective + dot_product(t%counts(::2), x(::2)) * real(dot_product(small, t%modes))
end function
