! check: array n=4
! Complex numbers, also in arrays, matrix products and as results.
module spectra
  implicit none
contains
  pure function transfer_at(z, w) result(h)
    complex(8), intent(in) :: z
    real(8), intent(in) :: w
    complex(8) :: h
    h = 1 / (z - cmplx(0, w, 8)) + conjg(z) * exp(cmplx(0, w, 8)) + sqrt(z) + log(z) + z**3 + z**2.5d0
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total
    complex(8) :: z(n), m(2, 2), v(2)
    complex(8), allocatable :: all(:)
    complex :: single
    integer :: k
    z = cmplx(x, x(n:1:-1) * 0.5d0, kind=8)
    total = 0
    do k = 1, n
      total = total + abs(transfer_at(z(k), 0.3d0 * k)) + aimag(z(k) * z(1))
    end do
    m = reshape([z(1), z(2), conjg(z(2)), z(3)], [2, 2])
    v = matmul(m, [z(1), z(2)])
    all = [v, z(1:2) * (0d0, 1d0)]
    total = total + real(dot_product(v, v)) + real(sum(all**2)) + real(product(all(1:2))) + atan2(aimag(v(1)), real(v(1)))
    single = cmplx(real(x(1)), real(x(2)))
    total = total + 1d-9 * real(sin(single))
  end function
end module
