! check: array n=6 range=0.3:1.3
! Three integers side by side are copied one by one in objects with pointers.
module events
  implicit none
  type, abstract :: event
    integer :: due = 0
  contains
    procedure(fire_i), deferred :: fire
  end type
  type :: box
    class(event), allocatable :: e
  end type
  type :: queue
    type(box), allocatable :: heap(:)
    integer :: n = 0
  contains
    procedure :: push
    procedure :: pop
  end type
  type :: plant
    real(8), allocatable :: level(:)
    type(queue) :: q
  end type
  type, extends(event) :: filling
    integer :: tank = 1
    real(8) :: amount = 0
  contains
    procedure :: fire => filling_fire
  end type
  type, extends(event) :: exchange
    integer :: from = 1, to = 2
    real(8) :: rate = 0
  contains
    procedure :: fire => exchange_fire
  end type
  abstract interface
    subroutine fire_i(self, p)
      import
      class(event), intent(in) :: self
      type(plant), intent(inout) :: p
    end subroutine
  end interface
contains
  subroutine push(self, e)
    class(queue), intent(inout) :: self
    class(event), intent(in) :: e
    if (.not. allocated(self%heap)) allocate(self%heap(2))
    self%n = self%n + 1
    allocate(self%heap(self%n)%e, source=e)
  end subroutine
  subroutine pop(self, e)
    class(queue), intent(inout) :: self
    class(event), allocatable, intent(out) :: e
    call move_alloc(self%heap(1)%e, e)
    if (self%n > 1) call move_alloc(self%heap(self%n)%e, self%heap(1)%e)
    self%n = self%n - 1
  end subroutine
  subroutine filling_fire(self, p)
    class(filling), intent(in) :: self
    type(plant), intent(inout) :: p
    p%level(self%tank) = p%level(self%tank) + self%amount
    if (self%due < 12) call p%q%push(filling(self%due + 4, self%tank, 0.5d0 * self%amount))
  end subroutine
  subroutine exchange_fire(self, p)
    class(exchange), intent(in) :: self
    type(plant), intent(inout) :: p
    p%level(1) = p%level(1) * self%rate
  end subroutine
  real(8) function objective(x, n) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    type(plant) :: p
    class(event), allocatable :: e
    p%level = x(1:3)
    call p%q%push(exchange(due=1, rate=0.2d0 * x(6)))
    call p%q%pop(e)
    call e%fire(p)
    objective = sum(p%level**2)
  end function
end module
