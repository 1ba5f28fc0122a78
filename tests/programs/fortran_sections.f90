! check: array n=12,4
! Sections with strides, vector subscripts, optional arguments, masks, sequence association.
module sections
  implicit none
contains
  elemental function soft(t) result(v)
    real(8), intent(in) :: t
    real(8) :: v
    v = t / (1 + abs(t))
  end function
  pure subroutine reverse(a)
    real(8), intent(inout) :: a(:)
    a = a(size(a):1:-1)
  end subroutine
  subroutine old_style(a, lda, n)
    integer, intent(in) :: lda, n
    real(8), intent(inout) :: a(lda, *)
    integer :: i
    do i = 1, n
      a(i, i) = a(i, i) ** 2
    end do
  end subroutine
  function tail(a, from, scale) result(t)
    real(8), intent(in) :: a(:)
    integer, intent(in), optional :: from
    real(8), intent(in), optional :: scale
    real(8), allocatable :: t(:)
    integer :: first
    first = 1
    if (present(from)) first = from
    t = a(first:)
    if (present(scale)) t = t * scale
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total, y(n), m(4, 4), w(0:3)
    integer :: order(n), i
    logical :: mask(n)
    order = [(mod(5 * i, n) + 1, i = 1, n)]
    y = x(order)
    y(order) = y * 2
    y(1:n:3) = y(1:n:3) + 1
    call reverse(y(2:n:2))
    call reverse(y)
    m = 0
    m(1:4:2, 2) = x(1:3:2)
    m(:, 1) = x(4:1:-1)
    m(2:3, 3:4) = reshape(x(1:4), [2, 2])
    call old_style(m(1, 1), 4, 3)
    call old_style(m(2:4, 2:4), 3, 2)
    w = m(2, :)
    mask = x > 1
    where (mask .and. y > 1.5d0)
      y = soft(y)
    elsewhere (mask)
      y = y * x
    elsewhere
      y = sqrt(abs(y))
    end where
    total = sum(m) + dot_product(w, m(:, 2)) + sum(tail(y, 2)) + sum(tail(x)) + sum(tail(y, scale=x(1)))
    total = total + sum(merge(x, y, mask)) + maxval(y, mask=.not. mask) + merge(x(1), y(1), x(1) < 1)
    total = total + sum(y, mask=mask) * times_logical(any(mask)) + norm2(m) + minval(x(1:n:2))
  contains
    pure elemental real(8) function nothing(t)
      real(8), intent(in) :: t
      nothing = t
    end function
  end function
  pure elemental function times_logical(a) result(b)
    logical, intent(in) :: a
    real(8) :: b
    b = merge(1d0, 0d0, a)
  end function
end module
