! Two decaying exponentials through measurements: for any rates, the best amplitudes are a linear problem for LAPACK;
! the rates are found along the gradient of what is left over.
module decays
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    subroutine least_squares(a, b, x, m, n) bind(C)
      import c_int
      integer(c_int), value :: m, n
      real(8), intent(in) :: a(m, n), b(m)
      real(8), intent(out) :: x(n)
    end subroutine
  end interface
contains
  subroutine design(rates, t, a)
    real(8), intent(in) :: rates(:), t(:)
    real(8), intent(out) :: a(:, :)
    integer :: i
    do i = 1, size(rates)
      a(:, i) = exp(-rates(i) * t)
    end do
  end subroutine

  function misfit(rates, n, t, measured, m) result(total)
    integer, intent(in) :: n, m
    real(8), intent(in) :: rates(n), t(m), measured(m)
    real(8) :: total, a(m, n), amplitudes(n)
    call design(rates, t, a)
    call least_squares(a, measured, amplitudes, m, n)
    total = sum((matmul(a, amplitudes) - measured)**2) + 1d-9 * sum(amplitudes**2)
  end function
end module

program fit
  use enzyme
  use decays
  implicit none
  integer, parameter :: n = 2, m = 40
  real(8) :: rates(n), t(m), measured(m), gradient(n), before(n), moved(n), h, difference, step
  integer :: i, k, unit
  real(8) :: a(m, n), amplitudes(n)
  t = [(0.1d0 * i, i = 1, m)]
  measured = 3 * exp(-0.8d0 * t) + 2 * exp(-4 * t)
  rates = [0.5d0, 3d0]

  gradient = slopes(rates)
  h = 1d-6
  difference = (misfit(rates + [h, 0d0], n, t, measured, m) - misfit(rates - [h, 0d0], n, t, measured, m)) / (2 * h)
  print '(a,es8.1)', 'gradient against finite differences: ', abs(gradient(1) / difference - 1)
  if (abs(gradient(1) - difference) > 1d-6 * abs(difference)) error stop 'the gradient is wrong'

  step = 1
  before = gradient
  do k = 1, 400
    moved = -step * gradient
    if (norm2(moved) > 0.2d0) moved = moved * 0.2d0 / norm2(moved)
    rates = rates + moved
    before = gradient
    gradient = slopes(rates)
    if (norm2(gradient) < 1d-10) exit
    step = abs(dot_product(moved, moved) / dot_product(moved, gradient - before))
  end do
  print '(a,2f8.4,a,es9.2)', 'rates ', rates, ', misfit ', misfit(rates, n, t, measured, m)
  if (any(abs(rates - [0.8d0, 4d0]) > 0.02d0)) error stop 'the rates are not found'

  call design(rates, t, a)
  call least_squares(a, measured, amplitudes, m, n)
  open (newunit=unit, file='fit.csv', action='write')
  write (unit, '(a)') 't,measured,slow,fast'
  write (unit, '(es14.6,",",es14.6,",",es14.6,",",es14.6)') (t(i), measured(i), a(i, :) * amplitudes, i = 1, m)
  close (unit)
contains
  function slopes(r) result(g)
    real(8), intent(in) :: r(:)
    real(8) :: g(n)
    g = 0
    call enzyme_autodiff(misfit, r, g, n, enzyme_const, t, enzyme_const, measured, m)
  end function
end program
