! Fortran calls C, which calls Rust: one chain, differentiated as a whole.
module bridge
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    function link_energy(stretch, stiffness) result(e) bind(C)  ! link.c
      import c_double
      real(c_double), value :: stretch, stiffness
      real(c_double) :: e
    end function
  end interface
contains
  function energy(x, n, stiffness) result(total)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), stiffness
    real(8) :: total
    integer :: i
    total = 0
    do i = 2, n
      total = total + link_energy(x(i) - x(i - 1) - 1, stiffness)
    end do
  end function
end module

program chain
  use enzyme
  use bridge
  implicit none
  integer, parameter :: n = 6
  real(8) :: x(n), x_bar(n), stiffness, stiffness_bar, moved(n), difference
  integer :: i
  x = [(1.3d0 * i + 0.1d0 * i**2, i = 1, n)]
  stiffness = 2
  x_bar = 0
  stiffness_bar = 0
  call enzyme_autodiff(energy, x, x_bar, n, stiffness, stiffness_bar)
  print '(a,6f9.4)', 'by positions ', x_bar
  print '(a,f9.4)', 'by stiffness ', stiffness_bar
  do i = 1, n
    moved = x
    moved(i) = x(i) + 1d-6
    difference = energy(moved, n, stiffness)
    moved(i) = x(i) - 1d-6
    difference = (difference - energy(moved, n, stiffness)) / 2d-6
    if (abs(difference - x_bar(i)) > 1d-7) error stop 'the gradient is wrong'
  end do
  difference = (energy(x, n, stiffness + 1d-6) - energy(x, n, stiffness - 1d-6)) / 2d-6
  if (abs(difference - stiffness_bar) > 1d-7) error stop 'the gradient by stiffness is wrong'
end program
