! check: array n=6
! A growing vector type with generic procedures, a stack by move_alloc, array constructors, a procedure argument.
module vectors
  implicit none
  type :: vector
    private
    real(8), allocatable :: items(:)
    integer :: used = 0
  contains
    procedure, private :: push_one, push_many
    generic :: push => push_one, push_many
    procedure :: push_front
    procedure :: pop
    procedure :: length
    procedure :: each
    procedure, private, pass(self) :: scaled_left
    generic :: operator(*) => scaled_left
  end type
  interface vector
    procedure :: with_room
  end interface
  abstract interface
    subroutine action(item)
      real(8), intent(inout) :: item
    end subroutine
  end interface
contains
  function with_room(n) result(v)
    integer, intent(in) :: n
    type(vector) :: v
    allocate(v%items(n))
  end function
  subroutine push_one(self, item)
    class(vector), intent(inout) :: self
    real(8), intent(in) :: item
    real(8), allocatable :: more(:)
    if (self%used == size(self%items)) then
      allocate(more(2 * size(self%items) + 1))
      more(:self%used) = self%items
      call move_alloc(more, self%items)
    end if
    self%used = self%used + 1
    self%items(self%used) = item
  end subroutine
  subroutine push_many(self, items)
    class(vector), intent(inout) :: self
    real(8), intent(in) :: items(:)
    integer :: i
    do i = 1, size(items)
      call self%push(items(i))
    end do
  end subroutine
  subroutine push_front(self, item)
    class(vector), intent(inout) :: self
    real(8), intent(in) :: item
    self%items = [item, self%items(:self%used)]
    self%used = self%used + 1
  end subroutine
  function pop(self) result(item)
    class(vector), intent(inout) :: self
    real(8) :: item
    item = self%items(self%used)
    self%used = self%used - 1
  end function
  pure integer function length(self)
    class(vector), intent(in) :: self
    length = self%used
  end function
  subroutine each(self, what)
    class(vector), intent(inout) :: self
    procedure(action) :: what
    integer :: i
    do i = 1, self%used
      call what(self%items(i))
    end do
  end subroutine
  function scaled_left(a, self) result(v)
    real(8), intent(in) :: a
    class(vector), intent(in) :: self
    type(vector) :: v
    v%items = a * self%items(:self%used)
    v%used = self%used
  end function
  subroutine square(item)
    real(8), intent(inout) :: item
    item = item ** 2
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(vector) :: v, w
    v = vector(2)
    call v%push(x)
    call v%push(x(1) * x(2))
    call v%push_front(x(2) * x(4))
    call v%each(square)
    w = x(3) * v
    total = 0
    do while (w%length() > 1)
      total = total + w%pop() / w%length()
    end do
  end function
end module
