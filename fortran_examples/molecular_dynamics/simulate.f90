! Molecular dynamics by Verlet's method. The forces are minus the gradient of the energy: no formula for them is written.
program simulate
  use enzyme
  use atoms
  implicit none
  integer, parameter :: cells = 3, n = cells**3, steps = 1000
  real(8), parameter :: dt = 0.002d0
  real(8) :: x(3, n), v(3, n), force(3, n), moved(3, n), potential, kinetic, start, difference, drift
  type(box) :: world
  integer :: i, unit
  world%length = 1.2d0 * cells
  allocate(lennard_jones :: world%potential)
  do i = 1, n
    x(:, i) = 1.2d0 * [mod(i - 1, cells), mod((i - 1) / cells, cells), (i - 1) / cells**2]
    v(:, i) = [sin(12.9d0 * i), sin(78.2d0 * i + 1), sin(37.7d0 * i + 2)]
  end do
  v = v - spread(sum(v, 2) / n, 2, n)

  call forces(x, force, potential)
  moved = x
  moved(1, 1) = moved(1, 1) + 1d-5
  difference = energy(moved, n, world)
  moved(1, 1) = moved(1, 1) - 2d-5
  difference = (difference - energy(moved, n, world)) / 2d-5
  print '(a,es8.1)', 'force against finite differences: ', abs(force(1, 1) + difference)
  if (abs(force(1, 1) + difference) > 1d-5 * maxval(abs(force)) + 1d-8) error stop 'the forces are wrong'

  open (newunit=unit, file='energy.csv', action='write')
  write (unit, '(a)') 't,potential,kinetic,total'
  drift = 0
  do i = 0, steps
    kinetic = sum(v**2) / 2
    if (i == 0) start = potential + kinetic
    drift = max(drift, abs(potential + kinetic - start))
    if (mod(i, 10) == 0) write (unit, '(3(es14.6,","),es14.6)') i * dt, potential, kinetic, potential + kinetic
    v = v + dt / 2 * force
    x = x + dt * v
    call forces(x, force, potential)
    v = v + dt / 2 * force
  end do
  close (unit)
  print '(a,es8.1,a,f8.3)', 'energy drifts by ', drift, ' of ', start
  print '(a,es8.1)', 'sum of momenta ', norm2(sum(v, 2))
  if (drift > 0.05d0 .or. norm2(sum(v, 2)) > 1d-9) error stop 'energy or momentum is not conserved'
contains
  subroutine forces(x, force, potential)
    real(8), intent(in) :: x(3, n)
    real(8), intent(out) :: force(3, n), potential
    real(8) :: gradient(3, n), seed
    gradient = 0
    seed = 1
    call enzyme_autodiff(energy, x, gradient, n, enzyme_const, world, potential, seed)
    force = -gradient
  end subroutine
end program
