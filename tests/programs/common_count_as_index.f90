! check: array n=6 range=0.4:1.3
! A COMMON block holds numbers and how many there are, which is an index into them.
function objective(x, n) result(y) bind(C)
  use iso_c_binding
  integer(c_int), value :: n
  real(c_double) :: x(n), y
  real(8) :: par
  common /params/ par(6), npar
  npar = n
  do i = 1, n
    par(i) = x(i)
  end do
  y = par(2)*cos(par(npar)*x(1))
end function
