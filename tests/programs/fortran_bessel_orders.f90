! check: array n=3
! BESSEL_JN and BESSEL_YN of several orders, at 0 too, where J0 and J2 are flat and J1 is not.
module bessel_orders
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: j(0:4), y(3), at_zero(0:3), zero
    character(len=40) :: text
    j = bessel_jn(0, 4, 1 + x(1)**2)
    y = bessel_yn(1, 3, 2 + x(2)**2)
    write (text, '(es30.17e3)') x(3)
    read (text, *) zero
    at_zero = bessel_jn(0, 3, (x(3) - zero)*x(1))
    objective = sum(j*[1, 2, 3, 4, 5]) + sum(y) + sum(bessel_jn(2, 2, x(2))) + dot_product(at_zero, at_zero)
    at_zero = bessel_jn(0, 3, x(1) - x(2) - (x(1) - x(2)))
    objective = objective + sum(at_zero)
  end function
end module
