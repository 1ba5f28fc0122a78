! check: array n=12
! Components at an axis that the caller tells; nested types; whole elements and sections are copied.
module cells
  use iso_c_binding
  implicit none
  type :: inner
    real(8) :: v(2)
    real(4) :: s
  end type
  type :: cell
    real(4) :: w(2)
    real(8) :: pos(3)
    type(inner) :: in(2)
    real(8) :: a(2,2)
    integer :: id
  end type
contains
  subroutine order(p, axis)
    type(cell), intent(inout) :: p(:)
    integer, intent(in) :: axis
    type(cell) :: t
    integer :: i, j
    do i = 1, size(p)
      do j = i + 1, size(p)
        if (p(j)%pos(axis) < p(i)%pos(axis)) then
          t = p(i)
          p(i) = p(j)
          p(j) = t
        end if
      end do
    end do
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: total
    type(cell), allocatable :: p(:)
    integer :: i, j, k, m
    m = n / 3
    allocate(p(m))
    do i = 1, m
      p(i)%pos = x(3 * i - 2 : 3 * i)
      p(i)%w = 0.5
      p(i)%id = i
      do j = 1, 2
        do k = 1, 2
          p(i)%a(j, k) = x(i) * j + k
          p(i)%in(j)%v(k) = x(i) * x(i + 1) * j
        end do
        p(i)%in(j)%s = 2.0
      end do
    end do
    do i = 1, 3
      call order(p, i)
    end do
    p(1) = p(m)
    total = 0
    do i = 1, m
      j = 1 + mod(p(i)%id, 2)
      total = total + p(i)%pos(1 + mod(i, 3)) * p(i)%w(j) * p(i)%a(j, 1 + mod(i, 2)) + p(i)%in(j)%v(3 - j) * p(i)%in(3 - j)%s
    end do
  end function
end module
