! lstm.c in Fortran.
module MODULE_NAME
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  elemental real(c_double) function sigmoid(x)
    real(c_double), intent(in) :: x
    sigmoid = 1 / (1 + exp(-x))
  end function

  ! One layer: input is what it gets, hidden and cell are its state.
  pure subroutine layer(b, weight, bias, input, hidden, cell)
    integer, intent(in) :: b
    real(c_double), intent(in) :: weight(b, 4), bias(b, 4), input(b)
    real(c_double), intent(inout) :: hidden(b), cell(b)
    real(c_double) :: forget, ingate, outgate, change
    integer :: i
    do i = 1, b
      forget = sigmoid(input(i) * weight(i, 1) + bias(i, 1))
      ingate = sigmoid(hidden(i) * weight(i, 2) + bias(i, 2))
      outgate = sigmoid(input(i) * weight(i, 3) + bias(i, 3))
      change = tanh(hidden(i) * weight(i, 4) + bias(i, 4))
      cell(i) = cell(i) * forget + ingate * change
      hidden(i) = outgate * tanh(cell(i))
    end do
  end subroutine

  real(c_double) function objective(l, b, c, main, extra, state, sequence) bind(C, name=OBJECTIVE_NAME)
    integer(c_int), value :: l, b, c
    real(c_double), intent(in) :: main(b, 4, 2, l), extra(b, 3), state(b, 2, l), sequence(b, c)
    real(c_double), allocatable :: now(:, :, :), input(:)
    real(c_double) :: total
    integer :: t, j
    now = state
    allocate (input(b))
    total = 0
    do t = 1, c - 1
      input = sequence(:, t) * extra(:, 1)
      do j = 1, l
        call layer(b, main(:, :, 1, j), main(:, :, 2, j), input, now(:, 1, j), now(:, 2, j))
        input = now(:, 1, j)
      end do
      input = input * extra(:, 2) + extra(:, 3)
      total = total + sum(sequence(:, t + 1) * (input - log(2 + sum(exp(input)))))
    end do
    objective = -total / ((c - 1) * b)
  end function
end module
