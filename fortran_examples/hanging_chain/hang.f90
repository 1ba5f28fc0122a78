! How does a chain hang? The optimiser asks for the gradient itself.
program hang
  use enzyme
  use chains
  use lbfgs
  implicit none
  integer, parameter :: n = 30
  real(8) :: x(2 * n), value, gradient(2 * n), ahead, behind, depth
  integer :: i, steps, unit
  x = [([span * i / (n + 1), -0.1d0 * sin(3.14159d0 * i / (n + 1))], i = 1, n)]

  call of_chain(x, value, gradient)
  x(7) = x(7) + 1d-6
  call of_chain(x, ahead, gradient)
  x(7) = x(7) - 2d-6
  call of_chain(x, behind, gradient)
  x(7) = x(7) + 1d-6
  call of_chain(x, value, gradient)
  print '(a,es8.1)', 'gradient against finite differences: ', abs((ahead - behind) / 2d-6 / gradient(7) - 1)
  if (abs((ahead - behind) / 2d-6 - gradient(7)) > 1d-6 * abs(gradient(7))) error stop 'the gradient is wrong'

  steps = 5000
  call minimise(of_chain, x, steps, 1d-6)
  call of_chain(x, value, gradient)
  depth = -minval(x(2::2))
  print '(a,i0,a,es8.1)', 'steps: ', steps, ', gradient ', norm2(gradient)
  print '(a,f7.4,a,f7.4)', 'depth ', depth, ', of a catenary of this length ', catenary(1.5d0 * span)
  if (abs(depth - catenary(1.5d0 * span)) > 0.01d0) error stop 'the chain does not hang as it should'

  open (newunit=unit, file='chain.csv', action='write')
  write (unit, '(a)') 'x,y'
  write (unit, '(es14.6,",",es14.6)') 0d0, 0d0, x, span, 0d0
  close (unit)
contains
  subroutine of_chain(x, value, gradient)
    real(8), intent(in) :: x(:)
    real(8), intent(out) :: value, gradient(:)
    real(8) :: seed
    gradient = 0
    seed = 1
    call enzyme_autodiff(energy, x, gradient, n, value, seed)
  end subroutine

  ! Depth of a chain of this length: a in 2 a sinh(span / 2 a) = length, by bisection.
  function catenary(length) result(depth)
    real(8), intent(in) :: length
    real(8) :: depth, low, high, a
    integer :: i
    low = 0.05d0
    high = 10
    do i = 1, 60
      a = (low + high) / 2
      if (2 * a * sinh(span / (2 * a)) > length) then
        low = a
      else
        high = a
      end if
    end do
    depth = a * (cosh(span / (2 * a)) - 1)
  end function
end program
