function link_fortran(v, x, n) result(total) bind(C)
  use iso_c_binding
  interface
    function link_rust(v, e) bind(C)
      import c_double
      real(c_double), value :: v, e
      real(c_double) :: link_rust
    end function
  end interface
  integer(c_int), intent(in) :: n
  real(c_double), intent(in) :: v, x(n)
  real(c_double) :: total
  integer :: i
  total = 0
  do i = 1, n
    total = total + link_rust(v, x(i))
  end do
end function
