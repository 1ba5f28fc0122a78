! check: array n=8,2
! Tridiagonal systems, conjugate gradients and splines; forall and do concurrent.
module solvers
  implicit none
  private
  public :: objective
contains
  subroutine thomas(a, b, c, d, u)
    real(8), intent(in) :: a(:), b(:), c(:), d(:)
    real(8), intent(out) :: u(:)
    real(8) :: cp(size(b)), dp(size(b)), m
    integer :: i, n
    n = size(b)
    cp(1) = c(1) / b(1)
    dp(1) = d(1) / b(1)
    do i = 2, n
      m = b(i) - a(i) * cp(i - 1)
      cp(i) = c(i) / m
      dp(i) = (d(i) - a(i) * dp(i - 1)) / m
    end do
    u(n) = dp(n)
    do i = n - 1, 1, -1
      u(i) = dp(i) - cp(i) * u(i + 1)
    end do
  end subroutine
  function cg(a, b) result(x)
    real(8), intent(in) :: a(:, :), b(:)
    real(8) :: x(size(b)), r(size(b)), p(size(b)), ap(size(b)), rs, rsold, alpha
    integer :: k
    x = 0
    r = b - matmul(a, x)
    p = r
    rsold = dot_product(r, r)
    do k = 1, size(b)
      if (rsold < 1d-20) exit
      ap = matmul(a, p)
      alpha = rsold / dot_product(p, ap)
      x = x + alpha * p
      r = r - alpha * ap
      rs = dot_product(r, r)
      p = r + (rs / rsold) * p
      rsold = rs
    end do
  end function
  function spline(xs, ys, at) result(v)
    real(8), intent(in) :: xs(:), ys(:), at
    real(8) :: v, y2(size(xs)), h, a, b
    real(8), dimension(size(xs)) :: lo, di, up, rhs
    integer :: n, i
    n = size(xs)
    di = 1
    lo = 0
    up = 0
    rhs = 0
    do i = 2, n - 1
      lo(i) = xs(i) - xs(i - 1)
      di(i) = 2 * (xs(i + 1) - xs(i - 1))
      up(i) = xs(i + 1) - xs(i)
      rhs(i) = 6 * ((ys(i + 1) - ys(i)) / up(i) - (ys(i) - ys(i - 1)) / lo(i))
    end do
    call thomas(lo, di, up, rhs, y2)
    i = max(1, min(n - 1, count(xs <= at)))
    h = xs(i + 1) - xs(i)
    a = (xs(i + 1) - at) / h
    b = (at - xs(i)) / h
    v = a * ys(i) + b * ys(i + 1) + ((a**3 - a) * y2(i) + (b**3 - b) * y2(i + 1)) * h**2 / 6
  end function
  function objective(x, n) result(total) bind(C)
    integer, value :: n
    real(8), intent(in) :: x(n)
    real(8) :: total, m(n, n), grid(n)
    integer :: i, j
    forall (i = 1:n, j = 1:n) m(i, j) = x(i) * x(j)
    do concurrent (i = 1:n)
      m(i, i) = m(i, i) + 2 * n
    end do
    grid = [(real(i, 8) * 0.5d0, i = 1, n)]
    total = sum(cg(m, x)) + spline(grid, x, 0.7d0 + 0.1d0 * x(1))
  end function
end module
