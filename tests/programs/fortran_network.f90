! check: array n=6
! Layers of classes that extend an abstract one, in allocatable polymorphic components.
module layers
  implicit none
  type, abstract :: layer
  contains
    procedure(apply), deferred :: forward
    procedure :: name => base_name
  end type
  abstract interface
    function apply(self, x) result(y)
      import layer
      class(layer), intent(in) :: self
      real(8), intent(in) :: x(:)
      real(8), allocatable :: y(:)
    end function
  end interface
  type, extends(layer) :: dense
    real(8), allocatable :: w(:, :), b(:)
  contains
    procedure :: forward => dense_forward
  end type
  interface dense
    module procedure new_dense
  end interface
  type, extends(layer) :: activation
    procedure(curve), pointer, nopass :: f
  contains
    procedure :: forward => activate
    procedure :: name => activation_name
  end type
  abstract interface
    pure function curve(t) result(v)
      real(8), intent(in) :: t
      real(8) :: v
    end function
  end interface
  type, extends(dense) :: residual
    real(8) :: mix
  contains
    procedure :: forward => residual_forward
  end type
  type :: slot
    class(layer), allocatable :: l
  end type
  type :: network
    type(slot), allocatable :: layers(:)
    integer :: used = 0
  contains
    procedure :: add
    procedure :: run
  end type
contains
  function base_name(self) result(s)
    class(layer), intent(in) :: self
    character(len=:), allocatable :: s
    s = 'layer'
  end function
  function activation_name(self) result(s)
    class(activation), intent(in) :: self
    character(len=:), allocatable :: s
    s = 'activation'
  end function
  function new_dense(p, n) result(d)
    real(8), intent(in) :: p(:)
    integer, intent(in) :: n
    type(dense) :: d
    integer :: i
    allocate(d%w(n, n), d%b(n))
    d%w = reshape([(p(1 + mod(i, size(p))) / i, i = 1, n * n)], [n, n])
    d%b = p(1:n)
  end function
  function dense_forward(self, x) result(y)
    class(dense), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8), allocatable :: y(:)
    y = matmul(self%w, x) + self%b
  end function
  function residual_forward(self, x) result(y)
    class(residual), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8), allocatable :: y(:)
    y = x + self%mix * self%dense%forward(x)
  end function
  function activate(self, x) result(y)
    class(activation), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8), allocatable :: y(:)
    integer :: i
    allocate(y(size(x)))
    do i = 1, size(x)
      y(i) = self%f(x(i))
    end do
  end function
  pure function sigmoid(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = 1 / (1 + exp(-t))
  end function
  subroutine add(self, l)
    class(network), intent(inout) :: self
    class(layer), intent(in) :: l
    if (.not. allocated(self%layers)) allocate(self%layers(8))
    self%used = self%used + 1
    allocate(self%layers(self%used)%l, source=l)
  end subroutine
  function run(self, x) result(y)
    class(network), intent(in) :: self
    real(8), intent(in) :: x(:)
    real(8), allocatable :: y(:)
    integer :: i
    y = x
    do i = 1, self%used
      y = self%layers(i)%l%forward(y)
      if (len(self%layers(i)%l%name()) > 40) error stop
    end do
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(network) :: net
    type(residual) :: r
    call net%add(dense(x, 3))
    call net%add(activation(sigmoid))
    r%dense = dense(x(2:), 3)
    r%mix = x(1)
    call net%add(r)
    total = sum(net%run(x(1:3)) ** 2)
  end function
end module
