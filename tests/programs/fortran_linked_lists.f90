! check: array n=6,1
! Linked lists and trees of pointers, allocated and freed along the way.
module lists
  implicit none
  type :: node
    real(8) :: v
    type(node), pointer :: next => null()
  end type
  type :: tree
    real(8) :: key
    type(tree), pointer :: left => null(), right => null()
  end type
contains
  subroutine push(head, v)
    type(node), pointer, intent(inout) :: head
    real(8), intent(in) :: v
    type(node), pointer :: new
    allocate(new)
    new%v = v
    new%next => head
    head => new
  end subroutine
  recursive subroutine insert(t, key)
    type(tree), pointer, intent(inout) :: t
    real(8), intent(in) :: key
    if (.not. associated(t)) then
      allocate(t)
      t%key = key
    else if (key < t%key) then
      call insert(t%left, key)
    else
      call insert(t%right, key)
    end if
  end subroutine
  recursive function weigh(t, depth) result(w)
    type(tree), pointer, intent(in) :: t
    integer, intent(in) :: depth
    real(8) :: w
    w = 0
    if (.not. associated(t)) return
    w = t%key ** depth + weigh(t%left, depth + 1) + weigh(t%right, depth + 1)
  end function
  recursive subroutine drop(t)
    type(tree), pointer, intent(inout) :: t
    if (.not. associated(t)) return
    call drop(t%left)
    call drop(t%right)
    deallocate(t)
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    type(node), pointer :: head, p
    type(tree), pointer :: root
    integer :: i
    nullify(head, root)
    do i = 1, n
      call push(head, x(i) * i)
      call insert(root, x(i))
    end do
    total = weigh(root, 1)
    p => head
    do while (associated(p))
      total = total + p%v ** 2
      p => p%next
    end do
    do while (associated(head))
      p => head%next
      deallocate(head)
      head => p
    end do
    call drop(root)
  end function
end module
