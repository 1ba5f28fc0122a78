subroutine filtered(x, y, n, width) bind(C)
  use iso_c_binding
  integer(c_int), intent(in) :: n, width
  real(c_double), intent(in) :: x(n)
  real(c_double), intent(out) :: y(n)
  integer :: i, low
  do i = 1, n
    low = max(1, i - width + 1)
    y(i) = sum(x(low:i)**2) / (i - low + 1)
  end do
end subroutine

function quadrature(f, a, b) result(area) bind(C)
  use iso_c_binding
  interface
    function f(t) bind(C)
      import c_double
      real(c_double), intent(in) :: t
      real(c_double) :: f
    end function
  end interface
  real(c_double), intent(in) :: a, b
  real(c_double) :: area, h
  integer :: i
  h = (b - a) / 8
  area = 0.5d0 * (f(a) + f(b))
  do i = 1, 7
    area = area + f(a + i * h)
  end do
  area = area * h
end function
