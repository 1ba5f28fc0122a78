! check: array n=8
! A recursive transform of complex numbers with allocatable halves.
module fourier
  implicit none
  integer, parameter :: dp = kind(1d0)
  real(dp), parameter :: pi = acos(-1d0)
contains
  recursive subroutine fft(a)
    complex(dp), intent(inout) :: a(:)
    complex(dp), allocatable :: e(:), o(:)
    complex(dp) :: t
    integer :: n, i
    n = size(a)
    if (n <= 1) return
    e = a(1::2)
    o = a(2::2)
    call fft(e)
    call fft(o)
    do i = 1, n / 2
      t = exp(cmplx(0, -2 * pi * (i - 1) / n, dp)) * o(i)
      a(i) = e(i) + t
      a(i + n / 2) = e(i) - t
    end do
  end subroutine
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: total
    complex(dp) :: a(n)
    integer :: i
    a = cmplx(x, x ** 2, dp)
    call fft(a)
    total = sum([(abs(a(i)) * i, i = 1, n)]) + real(dot_product(a, conjg(a))) + aimag(product(a(1:2)))
  end function
end module
