! check: array n=7
! Linked lists by pointers: appended, sorted by insertion, reversed in place, mapped and folded by procedures.
module lists
  implicit none
  type node
    real(8) :: value
    integer :: key
    type(node), pointer :: next => null()
  end type
  type list
    type(node), pointer :: head => null(), tail => null()
    integer :: n = 0
  contains
    procedure :: push
    procedure :: insert_sorted
    procedure :: reverse_it
    procedure :: clear
    procedure :: map_in
    procedure :: reduce
  end type
  abstract interface
    pure function fn(v) result(w)
      real(8), intent(in) :: v
      real(8) :: w
    end function
    pure function fn2(v, u) result(w)
      real(8), intent(in) :: v, u
      real(8) :: w
    end function
  end interface
contains
  subroutine push(self, v, k)
    class(list), intent(inout) :: self
    real(8), intent(in) :: v
    integer, intent(in) :: k
    type(node), pointer :: p
    allocate(p)
    p%value = v; p%key = k
    if (associated(self%tail)) then
      self%tail%next => p
    else
      self%head => p
    end if
    self%tail => p
    self%n = self%n + 1
  end subroutine
  subroutine insert_sorted(self, v, k)
    class(list), intent(inout) :: self
    real(8), intent(in) :: v
    integer, intent(in) :: k
    type(node), pointer :: p, q
    allocate(p)
    p = node(v, k, null())
    if (.not. associated(self%head)) then
      self%head => p; self%tail => p
    else if (self%head%value > v) then
      p%next => self%head
      self%head => p
    else
      q => self%head
      do while (associated(q%next))
        if (q%next%value > v) exit
        q => q%next
      end do
      p%next => q%next
      q%next => p
      if (.not. associated(p%next)) self%tail => p
    end if
    self%n = self%n + 1
  end subroutine
  subroutine reverse_it(self)
    class(list), intent(inout) :: self
    type(node), pointer :: p, prev, nxt
    prev => null()
    p => self%head
    self%tail => p
    do while (associated(p))
      nxt => p%next
      p%next => prev
      prev => p
      p => nxt
    end do
    self%head => prev
  end subroutine
  subroutine map_in(self, f)
    class(list), intent(inout) :: self
    procedure(fn) :: f
    type(node), pointer :: p
    p => self%head
    do while (associated(p))
      p%value = f(p%value)
      p => p%next
    end do
  end subroutine
  real(8) function reduce(self, f, start)
    class(list), intent(in) :: self
    procedure(fn2) :: f
    real(8), intent(in), optional :: start
    type(node), pointer :: p
    reduce = 0
    if (present(start)) reduce = start
    p => self%head
    do while (associated(p))
      reduce = f(reduce, p%value)
      p => p%next
    end do
  end function
  subroutine clear(self)
    class(list), intent(inout) :: self
    type(node), pointer :: p
    do while (associated(self%head))
      p => self%head%next
      deallocate(self%head)
      self%head => p
    end do
    nullify(self%tail)
    self%n = 0
  end subroutine
  pure function soft(v) result(w)
    real(8), intent(in) :: v
    real(8) :: w
    w = log(1 + exp(v))
  end function
  pure function horner(a, b) result(w)
    real(8), intent(in) :: a, b
    real(8) :: w
    w = a * 0.7d0 + b
  end function
end module
function objective(x, n) result(r) bind(C)
  use lists
  use iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(list) :: l, s
  integer :: i
  do i = 1, n
    call l%push(x(i)**2, i)
    call s%insert_sorted(x(i) * (1 + 0.1d0 * i), i)
  end do
  call l%reverse_it()
  call l%map_in(soft)
  r = l%reduce(horner) + s%reduce(horner, start=x(1))
  call s%reverse_it()
  r = r * s%reduce(horner)
  call l%clear()
  call s%clear()
end function
