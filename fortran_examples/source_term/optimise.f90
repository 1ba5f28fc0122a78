! Which source gives the wanted temperatures? Conjugate gradients: as the misfit is a quadratic function, its second
! derivative along a direction is a difference of gradients.
program optimise
  use enzyme
  use rods
  implicit none
  integer, parameter :: n = 30
  real(8) :: wanted(n), source(n), gradient(n), direction(n), curved(n), t(n), x(n)
  real(8) :: h, slope, first, value, squared, length
  integer :: i, unit
  x = [(i / (n + 1d0), i = 1, n)]
  wanted = 0.2d0 * exp(-((x - 0.6d0) / 0.15d0)**2) + 0.1d0 * x * (1 - x)
  source = 0

  gradient = slopes(source)
  h = 1d-4
  slope = (misfit(source + h * x, n, wanted) - misfit(source - h * x, n, wanted)) / (2 * h)
  print '(a,es8.1)', 'gradient against finite differences: ', abs(dot_product(gradient, x) - slope) / abs(slope)
  if (abs(dot_product(gradient, x) - slope) > 1d-6 * abs(slope)) error stop 'the gradient is wrong'

  first = misfit(source, n, wanted)
  direction = -gradient
  do i = 1, n
    squared = dot_product(gradient, gradient)
    if (sqrt(squared) < 1d-8) exit
    curved = slopes(source + direction) - gradient
    length = squared / dot_product(direction, curved)
    source = source + length * direction
    gradient = slopes(source)
    direction = dot_product(gradient, gradient) / squared * direction - gradient
  end do
  value = misfit(source, n, wanted)
  print '(a,es9.2,a,es9.2)', 'misfit ', first, ' -> ', value
  if (value > 0.1d0 * first) error stop 'not optimised'

  call temperatures(source, n, t)
  open (newunit=unit, file='source.csv', action='write')
  write (unit, '(a)') 'x,wanted,temperature,source'
  write (unit, '(3(es14.6,","),es14.6)') (x(i), wanted(i), t(i), source(i), i = 1, n)
  close (unit)
contains
  function slopes(s) result(g)
    real(8), intent(in) :: s(:)
    real(8) :: g(n)
    g = 0
    call enzyme_autodiff(misfit, s, g, n, enzyme_const, wanted)
  end function
end program
