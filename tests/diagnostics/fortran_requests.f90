module functions
  use enzyme
  use, intrinsic :: iso_c_binding
  implicit none
  type, bind(C) :: pair
    real(c_float) :: a, b
  end type
  type particle
    real(8) :: mass
  end type
contains
  real(8) function total(x)
    real(8), intent(in) :: x(:)
    total = sum(x**3)
  end function
  subroutine extended(x)
    real(8), allocatable :: x(:)
    x = [x, 2 * x]
  end subroutine
  subroutine heavier(p)
    class(particle), intent(inout) :: p
    p%mass = 2 * p%mass
  end subroutine
  subroutine pointed(x)
    real(8), pointer :: x
    x = 2 * x
  end subroutine
  function squares(x) result(y)
    real(8), intent(in) :: x(3)
    real(8) :: y(3)
    y = x**2
  end function
  complex(8) function turned(z)
    complex(8), intent(in) :: z
    turned = z * (0d0, 1d0)
  end function
  real(8) function loss(x, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    loss = x(1) * sum(x**2)
  end function
  subroutine renamed(name, x)
    character(:), allocatable :: name
    real(8), intent(inout) :: x
    x = x * len(name)
  end subroutine
  subroutine paired(p, x) bind(C)
    type(pair), value :: p
    real(8), intent(inout) :: x
    x = x * p%a * p%b
  end subroutine
end module

program misuse
  use functions
  implicit none
  real(8), target :: x(3), x_bar(3), y, y_bar
  character(:), allocatable :: name
  type(pair) :: two, two_bar
  complex(8) :: z, z_bar
  type(particle) :: p, p_bar
  integer :: width
  external :: elsewhere
  read *, x, width
  call enzyme_autodiff(total, x, x_bar)
  call enzyme_autodiff(extended, x, x_bar)
  call enzyme_autodiff(heavier, p, p_bar)
  call enzyme_autodiff(pointed, x(1), x_bar(1))
  call enzyme_autodiff(squares, x, x_bar)
  call enzyme_autodiff(turned, z, z_bar)
  call enzyme_autodiff(elsewhere, x, x_bar)
  call enzyme_autodiff(loss)
  call enzyme_autodiff(loss, x, x_bar)
  call enzyme_autodiff(loss, x)
  call enzyme_autodiff(loss, enzyme_out, x, 3)
  call enzyme_autodiff(loss, x, enzyme_const, 3)
  call enzyme_autodiff(loss, x, x_bar, 3, y, y_bar, y)
  call enzyme_autodiff(loss, enzyme_seed, 1d0, x, x_bar, 3, y_bar)
  call enzyme_autodiff(loss, enzyme_primal_return, x, x_bar, 3)
  call enzyme_fwddiff(loss, x, x_bar, 3)
  call enzyme_fwddiff(loss, enzyme_width, width, x, x_bar, 3)
  call enzyme_fwddiff(loss, enzyme_dupv, width, x, x_bar, 3, y)
  call enzyme_autodiff(renamed, name, x(1), x_bar(1))
  call enzyme_autodiff(paired, two, two_bar, x(1), x_bar(1))
  print *, x, x_bar
end program
