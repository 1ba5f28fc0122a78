module numbers
  implicit none
contains

  function poly(z, n) result(r)
    integer, intent(in) :: n
    complex(8), intent(in) :: z(n)
    complex(8) :: r
    r = sum(z**2)
  end function

  function single(z, y) result(r)
    complex(4), intent(in) :: z, y
    complex(4) :: r
    r = z * z * y
  end function

  ! Columns of a, each with a weight of its own.
  subroutine columns(a, m, n, r, b)
    integer, intent(in) :: m, n
    real(8), intent(in) :: a(m, n), b(3, 2)
    real(8), intent(out) :: r(n)
    integer :: j
    do j = 1, n
      r(j) = j * sum(a(:, j)**2) + b(3, 1) * b(1, 2)
    end do
  end subroutine

  subroutine scale(a, lda, m, n, factor)
    integer, intent(in) :: lda, m, n
    real(8), intent(inout) :: a(lda, n)
    real(8), intent(in) :: factor
    a(1:m, :) = factor * a(1:m, :)**2
  end subroutine

  real(8) function cube(t, k, m, n)
    integer, intent(in) :: k, m, n
    real(8), intent(in) :: t(k, m, n)
    integer :: i, j, l
    cube = 0
    do l = 1, n
      do j = 1, m
        do i = 1, k
          cube = cube + (i + 10 * j + 100 * l) * t(i, j, l)**2
        end do
      end do
    end do
  end function
end module
