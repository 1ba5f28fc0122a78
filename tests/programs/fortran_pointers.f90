! check: array n=5
! Pointers: association with parts, allocation, linked lists, pointer components, cyclic structures.
module lists
  implicit none
  type :: node
    real(8) :: value
    type(node), pointer :: next => null()
  end type
  type :: list
    type(node), pointer :: head => null()
    integer :: length = 0
  contains
    procedure :: push
    procedure :: clear
  end type
contains
  subroutine push(self, v)
    class(list), intent(inout) :: self
    real(8), intent(in) :: v
    type(node), pointer :: fresh
    allocate(fresh)
    fresh%value = v
    fresh%next => self%head
    self%head => fresh
    self%length = self%length + 1
  end subroutine
  subroutine clear(self)
    class(list), intent(inout) :: self
    type(node), pointer :: here, next
    here => self%head
    do while (associated(here))
      next => here%next
      deallocate(here)
      here => next
    end do
    nullify(self%head)
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in), target :: x(n)
    real(8) :: total
    real(8), target :: grid(n, 2)
    real(8), pointer :: row(:), every(:), flat(:)
    real(8), pointer, contiguous :: own(:, :)
    type(list) :: l
    type(node), pointer :: p
    integer :: i
    grid(:, 1) = x
    grid(:, 2) = x**2
    row => grid(2, :)
    every => grid(1:n:2, 1)
    row = row * x(1)
    every = every + 1
    allocate(own(2, 2))
    own = matmul(reshape([row, row(2:1:-1)], [2, 2]), reshape(x(1:4), [2, 2]))
    flat(1:4) => own
    total = sum(grid) + sum(flat * [1d0, 2d0, 3d0, 4d0])
    deallocate(own)
    do i = 1, n
      call l%push(x(i) * i)
    end do
    p => l%head
    do while (associated(p))
      total = total + p%value**2
      if (associated(p%next)) total = total + p%value * p%next%value
      p => p%next
    end do
    call l%clear()
  end function
end module
