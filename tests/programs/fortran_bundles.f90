! check: array n=4 range=0.3:1.3
! An array constructor of a type with defined assignment, and a component class(bundle), allocatable of the type itself.
module bundles
  implicit none
  type :: axis
    integer :: lo = 1, hi = 1
    real(8), allocatable :: at(:)
  end type
  type :: field
    type(axis) :: ax(2)
    real(8), allocatable :: v(:, :)
  contains
    procedure, private :: copy
    generic :: assignment(=) => copy
  end type
  type :: bundle
    type(field), allocatable :: parts(:)
    class(bundle), allocatable :: rest
  end type
contains
  subroutine copy(a, b)
    class(field), intent(inout) :: a
    class(field), intent(in) :: b
    if (allocated(a%v)) deallocate(a%v)
    allocate(a%v(size(b%v, 1), size(b%v, 2)))
    a%ax = b%ax
    a%v = 0.5d0 * b%v
  end subroutine
  recursive real(8) function weigh(b) result(s)
    class(bundle), intent(in) :: b
    s = sum(b%parts(1)%v**2)
    if (allocated(b%rest)) s = s + 0.5d0 * weigh(b%rest)
  end function
  real(8) function objective(x, n) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    type(field) :: f
    type(bundle) :: b
    allocate(f%v(2, 2), source=reshape(x, [2, 2]))
    f%ax(1) = axis(1, 2, x(1:2))
    f%ax(2) = axis(1, 2, x(3:4))
    b%parts = [f, f]
    allocate(b%rest)
    allocate(b%rest%parts(1))
    b%rest%parts(1) = f
    objective = weigh(b) + sum(b%parts(2)%ax(1)%at)
  end function
end module
