! check: array n=6
! What functions return, read again in their reverse pass and changed by their callers: pointers, arrays, components.
module returned
  use iso_c_binding
  implicit none
  type :: chunk
    real(c_double), pointer :: items(:) => null()
    real(c_double), allocatable :: own(:)
  end type
contains
  recursive function squares(x, n, total) result(m)
    real(c_double), intent(in) :: x(:)
    integer, intent(in) :: n
    real(c_double), intent(inout) :: total
    real(c_double), pointer :: m(:)
    integer :: j
    if (n < 0) then
      m => squares(x, n + 1, total)
      return
    end if
    allocate (m(size(x)))
    m = x**2
    do j = 1, size(x)
      total = total + sin(m(1 + mod(j*n, size(x))))
    end do
  end function

  recursive function chunks(x, n, total) result(c)
    real(c_double), intent(in) :: x(:)
    integer, intent(in) :: n
    real(c_double), intent(inout) :: total
    type(chunk) :: c
    integer :: j
    if (n < 0) then
      c = chunks(x, n + 1, total)
      return
    end if
    c%items => squares(x, n, total)
    c%own = x**3
    do j = 1, size(x)
      total = total + cos(c%own(1 + mod(j*n, size(x))))*c%items(j)
    end do
  end function

  subroutine change(m, x, total)
    real(c_double), intent(inout) :: m(:), total
    real(c_double), intent(in) :: x(:)
    integer :: i
    do i = 0, 3
      if (btest(11, i)) m(1 + mod(2*i, size(m))) = x(4)*x(1 + mod(i, 2))
      total = total + m(1 + mod(i, size(m)))*m(1)
    end do
  end subroutine

  function objective(x, n) bind(c) result(total)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: total
    real(c_double), pointer :: m(:)
    type(chunk) :: c
    total = 0
    m => squares(x(:3), n, total)
    call change(m, x, total)
    deallocate (m)
    c = chunks(x(2:), n, total)
    call change(c%items, x, total)
    call change(c%own, x, total)
    deallocate (c%items)
  end function
end module
