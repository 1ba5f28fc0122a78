! check: array n=6,2 with=mixed_fortran_to_c_part.c
! Fortran calls C: by value, by reference, an array, and a procedure of its own behind a C pointer.
module callbacks
  use iso_c_binding
  implicit none
  interface
    function hypotenuse(a, b) bind(C)
      import c_double
      real(c_double), value :: a, b
      real(c_double) :: hypotenuse
    end function
    subroutine normalise(x, n) bind(C)
      import c_double, c_int
      real(c_double) :: x(*)
      integer(c_int), value :: n
    end subroutine
    function root_of(f, start) bind(C)
      import c_double, c_funptr
      type(c_funptr), value :: f
      real(c_double), value :: start
      real(c_double) :: root_of
    end function
  end interface
contains
  function cubic(t) bind(C)
    real(c_double), value :: t
    real(c_double) :: cubic
    cubic = t**3 + t
  end function
end module

function objective(x, n) result(total) bind(C)
  use callbacks
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: total, work(n)
  integer :: i
  work = x * x
  call normalise(work, n)
  total = 0
  do i = 1, n - 1
    total = total + hypotenuse(work(i), x(i + 1))
  end do
  total = total + root_of(c_funloc(cubic), x(1)) * work(n)
end function
