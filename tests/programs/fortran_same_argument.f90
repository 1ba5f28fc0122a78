! check: array n=6
! One array for two arguments that are only read, as the language allows. Adjoints are added to both of them.
subroutine add_product(m, a, b, c)
  integer, intent(in) :: m
  real(8), intent(in) :: a(m, m), b(m, m)
  real(8), intent(inout) :: c(m, m)
  integer :: i, j, l
  do j = 1, m
    do l = 1, m
      do i = 1, m
        c(i, j) = c(i, j) + b(j, l) * a(i, l)
      end do
    end do
  end do
end subroutine

real(8) function objective(x, n) bind(C)
  use iso_c_binding
  real(c_double), intent(in) :: x(*)
  integer(c_int), value :: n
  real(8) :: a(3, 3), c(3, 3)
  integer :: i
  do i = 1, 9
    a((i - 1) / 3 + 1, mod(i - 1, 3) + 1) = x(mod(i - 1, n) + 1) * i
  end do
  c = 1
  call add_product(3, a, a, c)
  objective = sum(c**2)
end function
