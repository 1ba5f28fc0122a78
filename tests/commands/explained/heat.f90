module heat
  implicit none
contains
  subroutine diffuse(u, n, steps, nu, total)
    integer, intent(in) :: n, steps
    real(8), intent(inout) :: u(n)
    real(8), intent(in) :: nu
    real(8), intent(out) :: total
    real(8) :: next(n)
    integer :: t, i
    do t = 1, steps
      do i = 2, n - 1
        next(i) = u(i) + nu * (u(i+1) - 2 * u(i) + u(i-1)) * u(i)
      end do
      u(2:n-1) = next(2:n-1)
    end do
    total = sum(u**2)
  end subroutine
end module
