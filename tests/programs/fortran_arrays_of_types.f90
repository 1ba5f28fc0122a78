! check: array n=6
! Arrays of derived types with allocatable arrays of derived types, and types with allocatable logicals and integers beside
! numbers: assigned, grown by array constructors and move_alloc, returned, copied by assignment of their own.
module nets
  implicit none
  type :: layer
    real(8), allocatable :: w(:, :), b(:)
    integer :: act = 1
  end type
  type :: net
    type(layer), allocatable :: layers(:)
    character(:), allocatable :: name
    real(8) :: scale = 2d0
  end type
  type :: sparse
    integer :: n = 0
    integer, allocatable :: column(:)
    logical, allocatable :: chosen(:)
    real(8), allocatable :: value(:)
  contains
    procedure :: times
    procedure, pass(b) :: scaled
    generic :: operator(*) => times, scaled
    procedure :: from_dense
    generic :: assignment(=) => from_dense
  end type
contains
  function make(x, n) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    type(net) :: r
    integer :: k, i, j
    allocate(r%layers(3))
    r%name = 'abc'
    do k = 1, 3
      allocate(r%layers(k)%w(2, 2))
      do j = 1, 2
        do i = 1, 2
          r%layers(k)%w(i, j) = x(mod(i * j + k, n) + 1) / (i + j)
        end do
      end do
      r%layers(k)%b = [x(k), -x(n)]
      r%layers(k)%act = k
    end do
  end function
  subroutine grow(a)
    type(net), intent(inout) :: a
    type(layer), allocatable :: tmp(:)
    allocate(tmp(size(a%layers) + 1))
    tmp(1:size(a%layers)) = a%layers
    tmp(size(tmp)) = tmp(1)
    tmp(size(tmp))%b = tmp(size(tmp))%b * a%layers(2)%b(1)
    call move_alloc(tmp, a%layers)
  end subroutine
  pure function apply(a, v) result(u)
    type(net), intent(in) :: a
    real(8), intent(in) :: v(2)
    real(8), allocatable :: u(:)
    integer :: k
    u = v
    do k = 1, size(a%layers)
      u = matmul(a%layers(k)%w, u) + a%layers(k)%b
      select case (a%layers(k)%act)
      case (1)
        u = tanh(u)
      case (2)
        where (u > 0)
          u = u
        elsewhere
          u = 0.1d0 * u
        end where
      case default
        u = u / (1 + u**2)
      end select
    end do
  end function
  function times(a, v) result(r)
    class(sparse), intent(in) :: a
    real(8), intent(in) :: v(:)
    real(8) :: r
    r = sum(a%value * v(a%column), mask=a%chosen)
  end function
  function scaled(factor, b) result(r)
    real(8), intent(in) :: factor
    class(sparse), intent(in) :: b
    type(sparse) :: r
    r%n = b%n
    r%column = b%column
    r%chosen = b%chosen
    r%value = factor * b%value
  end function
  subroutine from_dense(a, d)
    class(sparse), intent(inout) :: a
    real(8), intent(in) :: d(:)
    integer :: i
    a%n = count(d > 0.4d0)
    a%column = pack([(i, i = 1, size(d))], d > 0.4d0)
    a%chosen = a%column /= 2
    a%value = d(a%column)
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(net) :: a, b
    type(net), allocatable :: many(:)
    type(sparse) :: s
    integer :: i
    a = make(x, n)
    b = a
    b%layers(1)%w(1, 1) = x(1) * x(2)
    call grow(b)
    many = [a, b]
    many = [many, make(x * 2, n)]
    total = 0
    do i = 1, size(many)
      total = total + many(i)%scale * sum(apply(many(i), x(2:3)))
    end do
    deallocate(many(2)%layers)
    total = total + merge(1d0, x(4), allocated(many(2)%layers)) + len(many(1)%name) * x(5)
    s = x(2:n)
    s = x(1) * s
    total = total + s * x
  end function
end module
