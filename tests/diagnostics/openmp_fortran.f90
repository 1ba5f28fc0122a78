module model
  implicit none
contains
  real(8) function squares(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    integer :: i
    squares = 0

    !$omp parallel do reduction(+: squares)
    do i = 1, n
      squares = squares + x(i)**2
    end do
  end function
end module

program gradient
  use enzyme
  use model
  implicit none
  real(8) :: x(3) = [1, 2, 3], x_bar(3) = 0
  call enzyme_autodiff(squares, x, x_bar, 3)
  print *, x_bar
end program
