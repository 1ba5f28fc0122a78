! A rod, cold at both ends, that a source heats: temperatures at the end, and their distance from wanted ones.
module rods
  implicit none
  private
  public :: misfit, temperatures, steps

  type :: rod
    real(8), allocatable :: temperature(:)
    real(8) :: dx, dt
  contains
    procedure :: advance
  end type
  integer, parameter :: steps = 500
  real(8), parameter :: duration = 0.2d0
contains
  subroutine advance(self, source)
    class(rod), intent(inout) :: self
    real(8), intent(in) :: source(:)
    real(8), allocatable :: flux(:)
    integer :: n
    n = size(source)
    flux = (self%temperature(0:n) - self%temperature(1:n + 1)) / self%dx
    self%temperature(1:n) = self%temperature(1:n) + self%dt * ((flux(1:n) - flux(2:n + 1)) / self%dx + source)
  end subroutine

  subroutine temperatures(source, n, t)
    integer, intent(in) :: n
    real(8), intent(in) :: source(n)
    real(8), intent(out) :: t(n)
    type(rod) :: r
    integer :: i
    r%dx = 1d0 / (n + 1)
    r%dt = duration / steps
    allocate(r%temperature(0:n + 1))
    r%temperature = 0
    do i = 1, steps
      call r%advance(source)
    end do
    t = r%temperature(1:n)
  end subroutine

  function misfit(source, n, wanted) result(total)
    integer, intent(in) :: n
    real(8), intent(in) :: source(n), wanted(n)
    real(8) :: total, t(n)
    call temperatures(source, n, t)
    total = sum((t - wanted)**2) / n + 1d-7 * sum(source**2) / n
  end function
end module
