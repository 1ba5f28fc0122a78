! Least squares by Householder's reflections, with the interface of LAPACK's DGELS as far as it is used here: for
! systems that have no LAPACK.
subroutine dgels(trans, m, n, nrhs, a, lda, b, ldb, work, lwork, info)
  implicit none
  character, intent(in) :: trans
  integer, intent(in) :: m, n, nrhs, lda, ldb, lwork
  real(8), intent(inout) :: a(lda, n), b(ldb, nrhs), work(lwork)
  integer, intent(out) :: info
  real(8) :: v(m)
  integer :: j, k
  info = merge(0, -1, trans == 'N' .and. m >= n)
  if (info /= 0) return
  do k = 1, n
    v(k:) = a(k:m, k)
    v(k) = v(k) + sign(norm2(v(k:)), v(k))
    v(k:) = v(k:) / norm2(v(k:))
    do j = k, n
      a(k:m, j) = a(k:m, j) - 2 * v(k:) * dot_product(v(k:), a(k:m, j))
    end do
    do j = 1, nrhs
      b(k:m, j) = b(k:m, j) - 2 * v(k:) * dot_product(v(k:), b(k:m, j))
    end do
    if (a(k, k) == 0) info = k
  end do
  if (info /= 0) return
  do j = 1, nrhs
    do k = n, 1, -1
      b(k, j) = (b(k, j) - dot_product(a(k, k + 1:n), b(k + 1:n, j))) / a(k, k)
    end do
  end do
  work(1) = 1
end subroutine
