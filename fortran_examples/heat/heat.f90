! Heat conduction in a rod of layers with different conductivities: temperatures after some time, and how far they are
! from measured ones.
module heat
  implicit none
  private
  public :: temperatures, misfit

  type :: rod
    real(8), allocatable :: temperature(:)
    real(8), allocatable :: conductivity(:)
    real(8) :: dx
  end type
  real(8), parameter :: dt = 1d-4
contains
  subroutine step(self)
    type(rod), intent(inout) :: self
    real(8), allocatable :: flux(:)
    integer :: n
    n = size(self%temperature)
    flux = -self%conductivity * (self%temperature(2:) - self%temperature(:n - 1)) / self%dx
    self%temperature(2:n - 1) = self%temperature(2:n - 1) - dt / self%dx * (flux(2:) - flux(:n - 2))
  end subroutine

  function after(conductivity, steps) result(r)
    real(8), intent(in) :: conductivity(:)
    integer, intent(in) :: steps
    type(rod) :: r
    integer :: i, n
    n = size(conductivity)
    r%dx = 1d0 / n
    r%conductivity = conductivity
    r%temperature = [(sin(3.14159265358979d0 * i / n) + 0.5d0 * i / n, i = 0, n)]
    do i = 1, steps
      call step(r)
    end do
  end function

  ! Temperatures at the n + 1 ends of the n layers.
  subroutine temperatures(conductivity, n, steps, t, points)
    integer, intent(in) :: n, steps, points
    real(8), intent(in) :: conductivity(n)
    real(8), intent(out) :: t(points)
    type(rod) :: r
    r = after(conductivity, steps)
    t = r%temperature
  end subroutine

  ! Sum of squared differences from the measured temperatures.
  function misfit(conductivity, n, steps, measured, points) result(total)
    integer, intent(in) :: n, steps, points
    real(8), intent(in) :: conductivity(n), measured(points)
    real(8) :: total
    type(rod) :: r
    r = after(conductivity, steps)
    total = sum((r%temperature - measured)**2)
  end function
end module
