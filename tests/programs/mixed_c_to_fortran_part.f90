subroutine multiply(a, b, c, n) bind(C)
  use iso_c_binding
  integer(c_int), value :: n
  real(c_double), intent(in) :: a(n, n), b(n, n)
  real(c_double), intent(out) :: c(n, n)
  c = matmul(a, transpose(b))
end subroutine

function folded(x, n, step) result(total) bind(C)
  use iso_c_binding
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  type(c_funptr), value :: step
  real(c_double) :: total
  abstract interface
    function operation(sum, v) bind(C)
      import c_double
      real(c_double), value :: sum, v
      real(c_double) :: operation
    end function
  end interface
  procedure(operation), pointer :: f
  integer :: i
  call c_f_procpointer(step, f)
  total = 0
  do i = 1, n
    total = f(total, x(i))
  end do
end function
