! check: array n=8
! Directives of OpenMP are comments without -fopenmp.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total
  integer :: i
  total = 0
  !$omp parallel do reduction(+:total)
  do i = 1, n
    total = total + exp(-x(i)) * i
  end do
  !$omp end parallel do
end function
