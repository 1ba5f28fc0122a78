! check: array n=6,2 with=mixed_fortran_to_cpp_part.cpp
! Fortran calls C++: a handle to an object in a type(c_ptr), sorted arrays, strings as labels.
function objective(x, n) result(total) bind(C)
  use iso_c_binding
  implicit none
  interface
    function table_new(label) bind(C) result(table)
      import c_ptr, c_char
      character(kind=c_char), intent(in) :: label(*)
      type(c_ptr) :: table
    end function
    subroutine table_add(table, key, value) bind(C)
      import c_ptr, c_int, c_double
      type(c_ptr), value :: table
      integer(c_int), value :: key
      real(c_double), value :: value
    end subroutine
    function table_sum(table, power) bind(C)
      import c_ptr, c_double
      type(c_ptr), value :: table
      real(c_double), intent(in) :: power
      real(c_double) :: table_sum
    end function
    subroutine table_free(table) bind(C)
      import c_ptr
      type(c_ptr), value :: table
    end subroutine
  end interface
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: total
  type(c_ptr) :: table
  integer :: i
  table = table_new("energies" // c_null_char)
  do i = 1, n
    call table_add(table, mod(i, 3), x(i) * sin(x(i)))
  end do
  total = table_sum(table, x(1)) * 2
  call table_free(table)
end function
