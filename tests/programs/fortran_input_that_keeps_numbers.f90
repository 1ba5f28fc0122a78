! check: array n=3 tol=1e-4 identity=1e-6
! What a list leaves out, and what stands behind a slash, the end or an error, keeps its value and derivative; parts of a
! complex number are read together.
module input_that_keeps_numbers
  use iso_c_binding, only: c_int, c_double
  implicit none
contains
  function scalars(text, x) result(r)
    character(*), intent(in) :: text
    real(8), intent(in) :: x(:)
    real(8) :: r, a, b
    real(4) :: c
    complex(8) :: z
    complex(4) :: w
    integer :: status
    a = x(1)*x(2); b = x(2)**2; c = real(x(3)*x(1), 4)
    z = cmplx(x(1), x(2)*x(3), 8); w = cmplx(x(3), x(1), 4)
    read (text, *, iostat=status) a, b, c, z, w
    r = a*x(1) + b*x(2) + c*x(3) + real(z*z*w) + aimag(z*w)
  end function
  function arrays(text, x) result(r)
    character(*), intent(in) :: text
    real(8), intent(in) :: x(:)
    real(8) :: r, a(3)
    integer :: status
    a = x*x(1)
    read (text, *, iostat=status) a
    r = sum(a*x)
  end function
  function complex_arrays(text, x) result(r)
    character(*), intent(in) :: text
    real(8), intent(in) :: x(:)
    real(8) :: r
    complex(8) :: z(3)
    complex(4) :: w(3)
    integer :: status
    z = cmplx(x, x*x(1), 8)
    w = cmplx(0.5*x(1), 0.25*x(2), 4)
    read (text, *, iostat=status) z(1), z(2:), w
    r = real(sum(z*z)) + aimag(z(2)) + real(w(1) + 2*w(2)) + aimag(w(2) + 2*w(3))
  end function
  real(c_double) function objective(x, n) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    objective = scalars('1.5,,2.5,,(1,2)', x) + scalars('2*1.5,0.5,(0.5,0.25),(1,2)', x) + scalars(',,,(1,1)/', x) &
      + scalars('1.5 word', x) + scalars('/', x) + scalars('1.5', x) + scalars('1 2 3 (1,word', x) &
      + arrays('1.5,,2.5', x) + arrays('1.5 /', x) + arrays('1.5 2.5', x) &
      + complex_arrays('(1,2),,(2,3),,(0.5,1)', x) + complex_arrays('(1,2) (2,word', x)
  end function
end module
