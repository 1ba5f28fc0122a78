! check: main flags=-g
module work
contains
  real(8) function f(idx, x, n)
    integer, intent(in) :: idx(2), n
    real(8), intent(in) :: x(n)
    integer :: loc(2)
    integer :: k
    loc = idx
    f = 0
    do k = 1, n
      f = f + x(loc(mod(k, 2) + 1))**2
    end do
  end function
  real(8) function g(part, x, n)
    real(4), intent(in) :: part(2)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(4) :: mine(2)
    integer :: k
    mine = part
    g = 0
    do k = 1, n
      g = g + x(k)**2 * mine(mod(k, 2) + 1)
    end do
  end function
end module
program main
  use enzyme
  use work
  integer :: idx(2)
  real(4) :: part(2)
  real(8) :: x(3), dx(3)
  idx = [1, 3]
  part = [2.0, 3.0]
  x = [1d0, 2d0, 3d0]
  dx = 0
  call enzyme_autodiff(f, idx, x, dx, 3)
  print *, dx
  if (any(abs(dx - [2d0, 0d0, 12d0]) > 1e-10)) stop 2
  dx = 0
  call enzyme_autodiff(g, enzyme_const, part, enzyme_dup, x, dx, 3)
  print *, dx
  if (any(abs(dx - [6d0, 8d0, 18d0]) > 1e-10)) stop 3
end program
