! A chain of n free masses between two hooks: its energy, by heights and by the stretch of its links.
module chains
  implicit none
  real(8), parameter :: stiffness = 2d3, weight = 1d0, span = 1d0
contains
  function energy(x, n) result(total)
    integer, intent(in) :: n
    real(8), intent(in) :: x(2, n)
    real(8) :: total, all(2, 0:n + 1), link(2), rest
    integer :: i
    all(:, 0) = 0
    all(:, 1:n) = x
    all(:, n + 1) = [span, 0d0]
    rest = 1.5d0 * span / (n + 1)
    total = weight * sum(x(2, :)) / n
    do i = 1, n + 1
      link = all(:, i) - all(:, i - 1)
      total = total + stiffness / 2 * (norm2(link) - rest)**2
    end do
  end function
end module
