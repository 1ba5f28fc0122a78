! Find the four rates from counts of both species: Gauss and Newton's method, whose Jacobian comes by columns, one call
! of the derivative for each rate.
program fit
  use enzyme
  implicit none
  external :: counts
  integer, parameter :: m = 30
  real(8), parameter :: truth(4) = [1.1d0, 0.6d0, 0.9d0, 0.5d0]
  real(8) :: p(4), p_dot(4), measured(2, m), y(2, m), y_dot(2, m), ahead(2, m), jacobian(2 * m, 4), step(4), error
  integer :: i, iteration, unit
  call counts(truth, measured, m)
  measured = measured * (1 + 0.01d0 * reshape([(sin(7.3d0 * i), i = 1, 2 * m)], [2, m]))

  p = [1.0d0, 0.5d0, 1.0d0, 0.6d0]
  do iteration = 1, 8
    do i = 1, 4
      p_dot = 0
      p_dot(i) = 1
      call enzyme_fwddiff(counts, p, p_dot, y, y_dot, m)
      jacobian(:, i) = reshape(y_dot, [2 * m])
    end do
    if (iteration == 1) then
      p_dot = [0, 0, 0, 1]
      call counts(p + 1d-6 * p_dot, ahead, m)
      call counts(p - 1d-6 * p_dot, y, m)
      error = maxval(abs((ahead - y) / 2d-6 - y_dot)) / maxval(abs(y_dot))
      print '(a,es8.1)', 'Jacobian against finite differences: ', error
      if (error > 1d-6) error stop 'the Jacobian is wrong'
      call counts(p, y, m)
    end if
    step = solved(matmul(transpose(jacobian), jacobian), matmul(transpose(jacobian), reshape(measured - y, [2 * m])))
    print '(i2,4f10.5,es12.3)', iteration, p, norm2(measured - y)
    p = p + step
  end do
  if (any(abs(p - truth) > 0.02d0)) error stop 'the rates are not found'

  call counts(p, y, m)
  open (newunit=unit, file='counts.csv', action='write')
  write (unit, '(a)') 't,prey,predators,measured prey,measured predators'
  write (unit, '(4(es14.6,","),es14.6)') (0.5d0 * i, y(:, i), measured(:, i), i = 1, m)
  close (unit)
contains
  function solved(a, b) result(x)
    real(8), intent(in) :: a(:, :), b(:)
    real(8) :: x(size(b)), u(size(b), size(b))
    integer :: i, j
    u = a
    x = b
    do i = 1, size(b)
      do j = i + 1, size(b)
        x(j) = x(j) - u(j, i) / u(i, i) * x(i)
        u(j, :) = u(j, :) - u(j, i) / u(i, i) * u(i, :)
      end do
    end do
    do i = size(b), 1, -1
      x(i) = (x(i) - dot_product(u(i, i + 1:), x(i + 1:))) / u(i, i)
    end do
  end function
end program
