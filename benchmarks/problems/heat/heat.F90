! heat.c in Fortran.
module MODULE_NAME
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  real(c_double) function objective(n, steps, dt, start, k) bind(C, name=OBJECTIVE_NAME)
    integer(c_int), value :: n, steps
    real(c_double), value :: dt
    real(c_double), intent(in) :: start(n, n), k(n, n)
    real(c_double), allocatable :: u(:, :), change(:, :)
    integer :: t, i, j
    u = start
    allocate (change(n, n))
    do t = 1, steps
      do j = 2, n - 1
        do i = 2, n - 1
          change(i, j) = k(i, j) * (u(i, j - 1) + u(i, j + 1) + u(i - 1, j) + u(i + 1, j) - 4 * u(i, j))
        end do
      end do
      u(2:n - 1, 2:n - 1) = u(2:n - 1, 2:n - 1) + dt * change(2:n - 1, 2:n - 1)
    end do
    objective = 0.5d0 * sum(u**2)
  end function
end module
