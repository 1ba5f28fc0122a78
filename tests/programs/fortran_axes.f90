! check: array n=9
! The axis comes from a table of the program; elements are swapped.
module charged
  use iso_c_binding
  implicit none
  type :: particle
    real(4) :: mass
    real(8) :: pos(3)
    real(8) :: charge
  end type
  integer :: axes(4) = [1, 2, 3, 1]
contains
  function objective(x, n) result(total) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: total
    type(particle) :: p(n), t
    integer :: i, j, a
    do i = 1, n
      do j = 1, 3
        p(i)%pos(j) = x(i) * j + x(1 + mod(i, n))
      end do
      p(i)%mass = 0.5 * i
      p(i)%charge = x(i)
    end do
    do i = 1, n - 1
      a = axes(1 + mod(i, 4))
      if (p(i + 1)%pos(a) < p(i)%pos(a)) then
        t = p(i)
        p(i) = p(i + 1)
        p(i + 1) = t
      end if
    end do
    total = 0
    do i = 1, n
      total = total + p(i)%pos(axes(1 + mod(i * n, 4))) * p(i)%mass * p(i)%charge
    end do
  end function
end module
