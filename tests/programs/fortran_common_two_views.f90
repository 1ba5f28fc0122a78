! check: array n=4 range=0.3:1.2 tol=5e-3 identity=1e-5 step=1e-2
! Work space without initial values that is numbers of one precision first and of another later: nothing tells its members apart.
subroutine sooner(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(8) :: r(4)
  real(4) :: g
  common /work/ r, g
  integer :: i
  do i = 1, n
    r(i) = sin(x(i))
  end do
  do i = 1, n
    y = y + r(i)**2
  end do
end
subroutine later(x, n, y)
  integer, intent(in) :: n
  real(8), intent(in) :: x(n)
  real(8), intent(inout) :: y
  real(4) :: v(9)
  common /work/ v
  integer :: i
  do i = 1, n
    v(2*i) = cos(real(x(i), 4))
  end do
  do i = 1, n
    y = y + v(2*i)**3
  end do
end
function objective(x, n) result(y) bind(C)
  use iso_c_binding, only: c_int, c_double
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: y
  y = 0
  call sooner(x, n, y)
  call later(x, n, y)
  call sooner(x, n, y)
end
