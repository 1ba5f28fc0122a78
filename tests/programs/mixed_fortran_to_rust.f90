! check: array n=8,3 with=mixed_fortran_to_rust_part.rs
! Fortran calls Rust: slices of columns, a derived type as a struct, a procedure called back from an iterator.
module shared
  use iso_c_binding
  implicit none
  type, bind(C) :: state
    real(c_double) :: at, speed
    integer(c_int) :: steps
  end type
  interface
    function median(x, n) bind(C)
      import c_double, c_size_t
      real(c_double), intent(in) :: x(*)
      integer(c_size_t), value :: n
      real(c_double) :: median
    end function
    subroutine advance(s, force, h) bind(C)
      import state, c_funptr, c_double
      type(state) :: s
      type(c_funptr), value :: force
      real(c_double), value :: h
    end subroutine
  end interface
contains
  function force(at) bind(C)
    real(c_double), value :: at
    real(c_double) :: force
    force = -sin(at) - 0.1d0 * at
  end function
end module

function objective(x, n) result(total) bind(C)
  use shared
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: total
  type(state) :: s
  s = state(x(1), x(2), 0)
  do while (s%steps < 5)
    call advance(s, c_funloc(force), 0.1d0 * x(n))
  end do
  total = s%at * s%at + s%speed + median(x, int(n, c_size_t)) * x(1)
end function
