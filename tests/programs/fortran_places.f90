! check: array n=12
! maxloc, minloc and findloc, along dimensions and with masks.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, m(3, n / 3)
  integer :: at(n / 3), bt(3), k, f(1), j, g(2)
  m = reshape(x, [3, n / 3])
  at = maxloc(m, dim=1)
  bt = minloc(m, dim=2, mask=m > 0.6d0)
  total = 0
  do k = 1, n / 3
    total = total + m(at(k), k) * k
  end do
  do k = 1, 3
    if (bt(k) > 0) total = total + m(k, bt(k)) ** 2
  end do
  f = findloc(x, x(3))
  j = findloc(x, x(5), dim=1)
  total = total + x(f(1)) * x(j)
  k = maxloc(x, dim=1)
  total = total + x(k) ** 3
  k = minloc(x, 1, x > 0.9d0, back=.true.)
  if (k > 0) total = total + exp(x(k))
  g = findloc(m > 1d0, .true.)
  if (g(1) > 0) total = total + m(g(1), g(2)) * 5
  at = findloc(m > 1d0, .true., dim=1)
  do k = 1, n / 3
    if (at(k) > 0) total = total + sin(m(at(k), k))
  end do
end function
