! check: array n=6
! EQUIVALENCE over COMMON of several layouts, saved variables with first-call work, entry points of initialisation.
function objective(x, n) result(total) bind(C)
  implicit none
  integer, value :: n
  real(8), intent(in) :: x(n)
  real(8) :: total, a, b(2), c(3), all(6), weights
  common /state/ a, b, c
  equivalence (all(1), a)
  external :: weights
  integer :: i
  all = x
  call change
  total = a * b(1) + sum(c ** 2) * weights(2)
  do i = 1, 6
    total = total + weights(i) * all(i)
  end do
contains
  subroutine change
    real(8) :: first(3), second(3)
    common /state/ first, second
    second = second + first ** 2
    first(2) = first(1) * second(3)
  end subroutine
end function
function weights(i) result(w)
  implicit none
  integer, intent(in) :: i
  real(8) :: w
  real(8), save :: table(6)
  logical, save :: ready = .false.
  integer :: k
  if (.not. ready) then
    table = [(1d0 / k, k = 1, 6)]
    ready = .true.
  end if
  w = table(i)
end function
