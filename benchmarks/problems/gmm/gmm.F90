! gmm.c in Fortran.
module MODULE_NAME
  use iso_c_binding, only: c_double, c_int
  implicit none
  real(c_double), parameter :: pi = 3.14159265358979323846d0
contains
  pure real(c_double) function log_sum_exp(x)
    real(c_double), intent(in) :: x(:)
    real(c_double) :: top
    top = maxval(x)
    log_sum_exp = top + log(sum(exp(x - top)))
  end function

  ! Q v, Q lower triangular with diagonal diag and columns low.
  pure subroutine lower_times(d, diag, low, v, out)
    integer, intent(in) :: d
    real(c_double), intent(in) :: diag(d), low(*), v(d)
    real(c_double), intent(out) :: out(d)
    integer :: i, j, at
    out = diag * v
    at = 0
    do i = 1, d
      do j = i + 1, d
        at = at + 1
        out(j) = out(j) + low(at) * v(i)
      end do
    end do
  end subroutine

  real(c_double) function objective(d, k, n, alphas, means, icf, points, gamma, m) bind(C, name=OBJECTIVE_NAME)
    integer(c_int), value :: d, k, n, m
    real(c_double), value :: gamma
    real(c_double), intent(in) :: alphas(k), means(d, k), icf(d + d * (d - 1) / 2, k), points(d, n)
    real(c_double), allocatable :: diag(:, :), logdet(:), centred(:), scaled(:), term(:)
    real(c_double) :: fit, prior, wishart
    integer :: c, p, dof
    allocate (diag(d, k), logdet(k), centred(d), scaled(d), term(k))
    do c = 1, k
      logdet(c) = sum(icf(1:d, c))
      diag(:, c) = exp(icf(1:d, c))
    end do
    fit = 0
    do p = 1, n
      do c = 1, k
        centred = points(:, p) - means(:, c)
        call lower_times(d, diag(:, c), icf(d + 1:, c), centred, scaled)
        term(c) = alphas(c) + logdet(c) - 0.5d0 * sum(scaled**2)
      end do
      fit = fit + log_sum_exp(term)
    end do
    prior = 0
    do c = 1, k
      prior = prior + 0.5d0 * gamma**2 * (sum(diag(:, c)**2) + sum(icf(d + 1:, c)**2)) - m * logdet(c)
    end do
    dof = d + m + 1
    wishart = dof * d * (log(gamma) - 0.5d0 * log(2d0)) - log_gamma_distrib(0.5d0 * dof, d)
    objective = -n * d * 0.5d0 * log(2 * pi) + fit - n * log_sum_exp(alphas) + prior - k * wishart
  end function

  pure real(c_double) function log_gamma_distrib(a, p)
    real(c_double), intent(in) :: a
    integer, intent(in) :: p
    integer :: j
    log_gamma_distrib = 0.25d0 * p * (p - 1) * log(pi)
    do j = 1, p
      log_gamma_distrib = log_gamma_distrib + log_gamma(a + 0.5d0 * (1 - j))
    end do
  end function
end module
